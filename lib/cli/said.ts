import type { Said } from '../reports/provenance.ts';
import type { GivenSetting } from '../settings.ts';
import { catalogue } from '../../suites/index.ts';
import { sectionsAskedBy, SPECIFICATION_DIGEST, SPECIFICATION_TITLE } from '../../suites/sentences.ts';

/** Options that a report repeats. */
export interface ToldOptions {
  readonly only?: readonly string[];
  readonly reference?: boolean;
  readonly allowHttp?: boolean;
  readonly requireWhole?: boolean;
  readonly path?: string;
  readonly declare?: string;
  readonly product?: string;
  readonly productVersion?: string;
  readonly operator?: string;
}

/** The options that have no variable, as settings of the run. */
export function optionsIn({
  reference,
  allowHttp,
  requireWhole,
  declare,
  path,
  only,
}: ToldOptions): GivenSetting[] {
  const given = {
    '--reference': reference,
    '--allow-http': allowHttp,
    '--require-whole': requireWhole,
    '--declare': declare,
    '--path': path,
    '--only': only?.join(' '),
  };
  return Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: String(value), from: 'option' as const }],
  );
}

/** What the tester says about the run, and what the suite says about the specification. */
export function saidIn({ product, productVersion, operator }: ToldOptions): Said {
  const version = productVersion === undefined ? {} : { version: productVersion };
  const sentences = sectionsAskedBy(catalogue).flatMap((section) => section.sentences);
  return {
    specification: { title: SPECIFICATION_TITLE, sha256: SPECIFICATION_DIGEST },
    ...(product === undefined ? {} : { product: { name: product, ...version } }),
    operator,
    notAsked: sentences.flatMap(({ section, says, notAsked }) =>
      notAsked === undefined ? [] : [{ section, says, why: notAsked }],
    ),
  };
}
