import type { Colors } from 'picocolors/types.js';
import type { Verdict } from '../judging/judge.ts';

/** The verdict as one short word before the id of a requirement. */
export const MARK: Readonly<Record<Verdict, string>> = {
  pass: 'pass',
  fail: 'FAIL',
  warn: 'warn',
  observed: 'seen',
  inapplicable: 'n/a',
  skipped: 'skip',
  error: 'ERROR',
};

/** Text in the colour of a verdict. */
export function painted(verdict: Verdict, text: string, colors: Colors): string {
  switch (verdict) {
    case 'pass':
      return colors.green(text);
    case 'fail':
      return colors.red(text);
    case 'warn':
    case 'error':
      return colors.yellow(text);
    case 'observed':
      return colors.cyan(text);
    case 'inapplicable':
    case 'skipped':
      return colors.dim(text);
  }
}
