import { describe, expect, test } from 'vitest';
import { draft, sealed, verified } from './certificate.test.double.ts';
import { CERTIFICATES } from './tampered-certificates.test.double.ts';
import { REPORTS } from './tampered-reports.test.double.ts';

describe('a certificate that was signed is refused where', () => {
  for (const [what, change, refusal, holding] of [...CERTIFICATES, ...REPORTS]) {
    test(what, async () => {
      const made = draft();
      change(made);
      const { refusals, report: found } = await verified(sealed(made), holding);
      expect(refusals).toContainEqual(expect.stringMatching(refusal));
      expect(found).toBeUndefined();
    });
  }
});
