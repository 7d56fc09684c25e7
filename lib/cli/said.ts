import type { Said } from '../reports/provenance.ts';
import type { GivenSetting } from '../settings.ts';
import { catalogue } from '../../suites/index.ts';
import { sectionsAskedBy, SPECIFICATION_DIGEST, SPECIFICATION_TITLE } from '../../suites/sentences.ts';

/** Options that a report repeats. */
interface ToldOptions {
  readonly only?: readonly string[] | undefined;
  readonly reference?: boolean | undefined;
  readonly allowHttp?: boolean | undefined;
  readonly requireWhole?: boolean | undefined;
  readonly path?: string | undefined;
  readonly declare?: string | undefined;
  readonly product?: string | undefined;
  readonly productVersion?: string | undefined;
  readonly operator?: string | undefined;
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
