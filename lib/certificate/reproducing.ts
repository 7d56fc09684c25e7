import type { Report } from '../reports/schema.ts';
import { isReference, type Facts } from './facts.ts';

/** Settings that the command states in another way, or that do not change the tests. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'CONFORMANCE_BASE_URL',
  'CONFORMANCE_REPORT_DIR',
  'CONFORMANCE_EFFORT',
  'CONFORMANCE_SEED',
]);

/** The command that makes a certificate of the same product again. Secrets come from the environment. */
export function commandOf({ target, seed }: Pick<Report, 'target' | 'seed'>, facts: Facts): string {
  const { product, operator, settings } = facts;
  const others = settings.flatMap(({ name, value, from }) =>
    value === undefined || from === 'default' || from === 'reference' || LEFT_OUT.has(name)
      ? []
      : name.startsWith('CONFORMANCE_')
        ? `--${name.slice('CONFORMANCE_'.length).toLowerCase().replaceAll('_', '-')} ${word(value)}`
        : name === '--declare'
          ? `${name} ${word(value)}`
          : [],
  );
  return [
    'npx account-mutation-conformance attest',
    `--product ${word(product.name)}`,
    `--product-version ${word(product.version)}`,
    ...(operator === undefined ? [] : [`--operator ${word(operator)}`]),
    isReference(facts) ? '--reference' : `--base-url ${word(target)}`,
    `--seed ${word(seed)}`,
    ...others,
    '--key FILE',
  ].join(' ');
}

const word = (text: string): string =>
  /^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
