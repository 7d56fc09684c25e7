import { newKey, KEY, type Changeable } from './certificate.test.double.ts';
import { CHANGED, predicate, report, statement, type Inside } from './tampering.test.double.ts';

/** What somebody with the key changes in the certificate itself. */
export const CERTIFICATES: readonly Inside[] = [
  [
    'another key signs it under the name of the right one',
    (made) => void (made.key = newKey(KEY.keyid)),
    CHANGED,
  ],
  [
    'what is signed is no statement',
    statement((one) => (one['_type'] = 'https://in-toto.io/Statement/v0.1')),
    /^The signed text is not an in-toto Statement, version 1/,
  ],
  [
    'the predicate is of another kind',
    statement((one) => (one.predicateType = 'https://slsa.dev/provenance/v1')),
    /^The signed text is not a certificate of a version that this suite knows/,
  ],
  ['what is signed is no JSON', (made) => void (made.payload = '{'), /^The signed text is not JSON\.$/],
  [
    'the certificate lacks its end',
    predicate((one) => delete one.notAfter),
    /^The certificate is not complete: predicate\.notAfter: /,
  ],
  [
    'it does not vouch for the evidence',
    statement((one) => one.subject.splice(1, 1)),
    /^The certificate does not vouch for evidence\.har/,
  ],
  [
    'it vouches for a file elsewhere',
    statement((one) => one.subject.push({ ...one.subject[0], name: '../report.json' })),
    /^The certificate names "\.\.\/report\.json" among its files, where it does not belong\.$/,
  ],
  [
    'it ends before it begins',
    predicate((one) => (one.issuedAt = '2030-09-01T00:00:00.000Z')),
    /contradict each other/,
    { now: new Date('2030-09-02') },
  ],
  [
    'it is valid for ten years',
    predicate((one) => (one.notAfter = '2040-06-01T00:00:00.000Z')),
    /^The certificate claims to be valid for more than 366 days/,
  ],
  [
    'another suite made it',
    predicate((one) => (one.suite.name = 'another')),
    /^The certificate was made by another suite, "another"\.$/,
  ],
  [
    'a later version made it',
    predicate((one) => (one.suite.version = '99.0.0')),
    /^The certificate was made by version 99\.0\.0, which this version \(.+\) does not know/,
  ],
  [
    'it rests on another catalogue',
    predicate((one) => (one.catalogue.sha256 = '2'.repeat(64))),
    /^The certificate rests on a catalogue that version .+ of the suite does not have\.$/,
  ],
  [
    'the verdict of the certificate is better than that of the report',
    (made) => {
      report((one: Changeable) => {
        one.verdict = 'inconclusive';
      })(made);
      predicate((one) => (one.verdict = 'conforming'))(made);
    },
    /^The certificate says conforming, but the report says inconclusive\.$/,
  ],
  [
    'the product of the certificate is another one',
    predicate((one) => (one.product.version = '4.0')),
    /^The certificate and the report disagree about the product\.$/,
  ],
  [
    'the counts of the certificate are other ones',
    predicate((one) => (one.levels.required.pass += 1)),
    /about the counts of verdicts\.$/,
  ],
  [
    'the target of the certificate is another one',
    predicate((one) => (one.target.origin = 'https://other.example.com')),
    /about the target\.$/,
  ],
  [
    'the reference is certified as a product',
    (made) => {
      made.report.settings.push({ name: 'CONFORMANCE_BASE_URL', from: 'reference' });
      predicate((one) => (one.target.isReference = false))(made);
    },
    /about the target\.$/,
  ],
  [
    'the limits of the certificate are other ones',
    predicate((one) => (one.limits.sent.requests += 1)),
    /about the limits of what was tested\.$/,
  ],
  [
    'the command of the certificate is another one',
    predicate((one) => (one.reproduce = 'rm -rf /')),
    /about the command that reproduces it\.$/,
  ],
];
