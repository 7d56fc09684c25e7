import { describe, expect, test } from 'vitest';
import {
  draft,
  envelopeText,
  KEY,
  newKey,
  sealed,
  verified,
  type Changeable,
  type Draft,
  type Folder,
} from './certificate.test.double.ts';
import type { Envelope } from './envelope.ts';
import type { Holding } from './verify.ts';

/** Changes a certificate that was signed, or the files beside it, as somebody without the key can. */
type Outside = readonly [what: string, change: (folder: Folder) => void, refusal: RegExp, Partial<Holding>?];

/** Changes what is signed, as somebody with the key can. */
type Inside = readonly [what: string, change: (made: Draft) => void, refusal: RegExp, Partial<Holding>?];

const envelope =
  (change: (envelope: Changeable) => void) =>
  (folder: Folder): void => {
    const value = JSON.parse(folder.certificate) as Envelope;
    change(value);
    folder.certificate = envelopeText(value);
  };

const payload = (change: (text: string) => string) =>
  envelope((value: Envelope) => {
    const text = change(Buffer.from(value.payload, 'base64').toString());
    (value as Changeable).payload = Buffer.from(text).toString('base64');
  });

const file =
  (name: string, change: (text: string) => string) =>
  ({ files }: Folder): void => {
    const before = files.get(name)?.toString() ?? '';
    const after = change(before);
    expect(after).not.toBe(before);
    files.set(name, Buffer.from(after));
  };

const statement =
  (change: (statement: Changeable) => void) =>
  (made: Draft): void => {
    made.statement = (one) => {
      change(one);
      return one;
    };
  };

const predicate = (change: (predicate: Changeable) => void): ((made: Draft) => void) =>
  statement((one: Changeable) => change(one.predicate));

const report =
  (change: (report: Changeable) => void) =>
  (made: Draft): void =>
    change(made.report);

const requirement = (level: string, change: (one: Changeable) => void): ((made: Draft) => void) =>
  report((value: Changeable) => change(value.requirements.find((one: Changeable) => one.level === level)));

const CHANGED = /^The signature does not fit the certificate: one of the two was changed/;

const OUTSIDE: readonly Outside[] = [
  [
    'one byte of the report',
    file('report.json', (text) => text.replace('"pass"', '"fail"')),
    /^report\.json is not the file that was certified/,
  ],
  [
    'a blank at the end of the report',
    file('report.json', (text) => `${text} `),
    /^report\.json is not the file/,
  ],
  [
    'one byte of the evidence',
    file('evidence.har', (text) => text.replace('1', '7')),
    /^evidence\.har is not the file/,
  ],
  [
    'one byte of the fingerprint',
    file('fingerprint.json', (text) => text.replace('seen', 'sean')),
    /^fingerprint\.json is not the file/,
  ],
  [
    'one byte of the declaration',
    file('declaration.json', (text) => text.replace('{', '{ ')),
    /^declaration\.json is not the file/,
  ],
  [
    'a file is taken away',
    ({ files }) => void files.delete('evidence.har'),
    /^evidence\.har, for which the certificate vouches, is not beside it\.$/,
  ],
  [
    'the certificate is cut short',
    (folder) => void (folder.certificate = folder.certificate.slice(0, 200)),
    /^The certificate is not JSON: /,
  ],
  [
    'the envelope is another form of JSON',
    (folder) => void (folder.certificate = '[]'),
    /^The certificate is not a DSSE envelope/,
  ],
  ['the product is another one', payload((text) => text.replace('Tag Server', 'Tag Surfer')), CHANGED],
  ['the end is later', payload((text) => text.replace('2030-08-30', '2039-08-30')), CHANGED],
  ['a blank is put into what is signed', payload((text) => `${text} `), CHANGED],
  [
    'the signature is another one',
    envelope(({ signatures }) => (signatures[0].sig = Buffer.alloc(64, 7).toString('base64'))),
    CHANGED,
  ],
  ['the signature is cut short', envelope(({ signatures }) => (signatures[0].sig = 'AAAA')), CHANGED],
  [
    'the signature is not Base64',
    envelope(({ signatures }) => (signatures[0].sig = '***')),
    /^The signature of the envelope is not Base64\.$/,
  ],
  [
    'the signature is taken away',
    envelope((value) => (value.signatures = [])),
    /^The certificate has no signature\.$/,
  ],
  [
    'the payload is not Base64',
    envelope((value) => (value.payload += '*')),
    /^The payload of the envelope is not Base64\.$/,
  ],
  [
    'the envelope holds something else',
    envelope((value) => (value.payloadType = 'text/plain')),
    /^The envelope holds "text\/plain", not a statement/,
  ],
  [
    'it is verified with another key',
    () => undefined,
    /^The certificate is signed with another key \(the-key\) than the given one \(other\)\.$/,
    { keys: [{ key: newKey('other').publicKey, ids: ['other'] }] },
  ],
  [
    'it is verified after its end',
    () => undefined,
    /^The certificate expired on 2030-08-30; the product has to be certified again\.$/,
    { now: new Date('2030-08-30T10:01:02Z') },
  ],
  [
    'it is verified before it was made',
    () => undefined,
    /^The certificate says that it was made on 2030-06-01, which is in the future\.$/,
    { now: new Date('2030-05-01') },
  ],
];

const INSIDE: readonly Inside[] = [
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
    'a requirement is missing in the report',
    report((one) => one.requirements.splice(0, 1)),
    /^The requirements in the report are not those of the catalogue/,
  ],
  [
    'a requirement has a lower level in the report',
    requirement('required', (one) => (one.level = 'advisory')),
    /^The requirements in the report are not those of the catalogue/,
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
    'the verdict does not follow from the requirements',
    requirement('required', (one) =>
      Object.assign(one, { verdict: 'fail', reason: 'answered 201, not 200' }),
    ),
    /^The run does not justify a certificate: the report says conforming, but the verdict that follows from its requirements is non-conforming\.$/,
  ],
  [
    'a target that does not conform is certified',
    (made) => {
      requirement('required', (one) =>
        Object.assign(one, { verdict: 'fail', reason: 'answered 201, not 200' }),
      )(made);
      report((one) => (one.verdict = 'non-conforming'))(made);
    },
    /^The run does not justify a certificate: the target does not conform: it fails /,
  ],
  [
    'a run that tested nothing is certified',
    report((one) => {
      for (const each of one.requirements)
        Object.assign(each, { verdict: 'inapplicable', answer: undefined });
      one.verdict = 'inconclusive';
    }),
    /^The run does not justify a certificate: the verdict on the target is inconclusive, and only a conforming one is certified\.$/,
  ],
  [
    'a requirement was not checked',
    requirement('derived', (one) =>
      Object.assign(one, { verdict: 'skipped', reason: 'there is no second account', skippedFor: 'tester' }),
    ),
    /^The run does not justify a certificate: required or derived requirements were not checked: .+ \(there is no second account\)\.$/,
  ],
  [
    'a requirement could not be decided',
    requirement('derived', (one) => Object.assign(one, { verdict: 'error', reason: 'it went away' })),
    /^The run does not justify a certificate: required or derived requirements could not be decided: /,
  ],
  [
    'the run was cut short',
    report((one) => (one.ended = 'cut short')),
    /^The run does not justify a certificate: the run was cut short/,
  ],
  [
    'the run was interrupted',
    report((one) => (one.ended = 'interrupted')),
    /^The run does not justify a certificate: the run was interrupted/,
  ],
  [
    'the run left tags behind',
    report((one) => (one.residue = [{ name: 'a', state: 'left', why: 'it is listed' }])),
    /^The run does not justify a certificate: tags of the run are left/,
  ],
  [
    'the run had known failures',
    report((one) => (one.knownFailures = { file: 'known.json', known: [], problems: [] })),
    /^The run does not justify a certificate: the run had a list of known failures/,
  ],
  [
    'the run had too little effort',
    report((one) => (one.effort = 'standard')),
    /^The run does not justify a certificate: the run had the effort standard/,
  ],
  [
    'the run was not over https',
    report((one) => (one.target = 'http://tags.example.com')),
    /^The run does not justify a certificate: the run was not over https/,
  ],
  [
    'the run had a fault of the suite',
    report((one) => (one.fault = 'TypeError')),
    /^The run does not justify a certificate: the run had a fault of the suite/,
  ],
  [
    'the preflight failed',
    report((one) => (one.obstacle = { step: 'log in', why: 'refused', exchanges: [] })),
    /^The run does not justify a certificate: the preflight could not log in\.$/,
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
    'the report does not say over what connection it was',
    report((one) => delete one.connection),
    /^The report lacks connection, which a certificate needs\.$/,
  ],
  [
    'the command of the certificate is another one',
    predicate((one) => (one.reproduce = 'rm -rf /')),
    /about the command that reproduces it\.$/,
  ],
  [
    'the report is none',
    (made) => void (made.files = { 'report.json': '{}' }),
    /^report\.json is no report of this suite\.$/,
  ],
  [
    'the evidence is none',
    (made) => void (made.files = { 'evidence.har': '{"log":{}}' }),
    /^evidence\.har is no evidence of this suite\.$/,
  ],
  [
    'the declaration is none',
    (made) => void (made.files = { 'declaration.json': '[]' }),
    /^declaration\.json is no declaration\.$/,
  ],
  [
    'the evidence is that of another run',
    report((one) => (one.evidence = { file: 'evidence.har', entries: 5, bytes: 9, sha256: '3'.repeat(64) })),
    /^The report names other evidence than the file beside it\.$/,
  ],
  [
    'the evidence has a gap',
    ({ evidence }) => void evidence.log.entries.splice(2, 1),
    /^The evidence has a gap: exchange 4 is in the place of exchange 3\.$/,
  ],
  [
    'the evidence is cut at its end',
    ({ evidence }) => void evidence.log.entries.pop(),
    /^The evidence holds 4 exchanges, but the report counts 5 requests\.$/,
  ],
  [
    'the evidence has two exchanges in another order',
    ({ evidence }) => void (evidence.log.entries = evidence.log.entries.toReversed()),
    /^The evidence has a gap: exchange 5 is in the place of exchange 1\.$/,
  ],
  [
    'an answer in the report is another one',
    requirement('open', (one) => (one.answer = 'another')),
    /^The fingerprint is not that of the answers in the report\.$/,
  ],
  [
    'the fingerprint is another one',
    (made) => void (made.files = { 'fingerprint.json': '{}\n' }),
    /^The fingerprint is not that of the answers in the report\.$/,
  ],
  [
    'the declaration contradicts the report',
    (made) => {
      const one = made.report.requirements.find(({ key }) => key !== undefined);
      const [group = '', member = ''] = (one?.key ?? '').split('.');
      made.declaration = { [group]: { [member]: 'never seen' } };
    },
    /^The declaration contradicts the report: the run observed another answer to \w+\.[\w-]+\.$/,
  ],
  [
    'a verdict does not follow from the evidence',
    () => undefined,
    /^The report gives create\/answers the verdict pass, but the evidence leads to the verdict fail\.$/,
    {
      judgeAgain: () =>
        Promise.resolve({
          disagreements: [
            'The report gives create/answers the verdict pass, but the evidence leads to the verdict fail.',
          ],
          agreed: 224,
          undecided: 0,
        }),
    },
  ],
  [
    'the evidence decides too little',
    () => undefined,
    /^The evidence decides only 100 of 225 verdicts, and at least 90 % are expected\.$/,
    { judgeAgain: () => Promise.resolve({ disagreements: [], agreed: 100, undecided: 125 }) },
  ],
  [
    'a pass rests on nothing',
    requirement('required', (one) => (one.restsOn = '')),
    /^No exchange supports the verdict pass of \S+\.$/,
  ],
  [
    'a pass rests on other exchanges than the evidence says',
    requirement('required', (one) => (one.restsOn = '1-2')),
    /^The evidence names other exchanges than the report for \S+\.$/,
  ],
];

test('a certificate that nobody changed is not refused', async () => {
  const { refusals, report: found } = await verified(sealed(draft()));
  expect(refusals).toEqual([]);
  expect(found?.verdict).toBe('conforming');
});

test('at least 25 kinds of tampering are tried', () => {
  const kinds = [...OUTSIDE, ...INSIDE].map(([what]) => what);
  expect(new Set(kinds).size).toBe(kinds.length);
  expect(kinds.length).toBeGreaterThanOrEqual(25);
});

describe('a certificate is refused where, after it was signed,', () => {
  for (const [what, change, refusal, holding] of OUTSIDE) {
    test(what, async () => {
      const folder = sealed(draft());
      change(folder);
      expect((await verified(folder, holding)).refusals).toEqual([expect.stringMatching(refusal)]);
    });
  }
});

describe('a certificate that was signed is refused where', () => {
  for (const [what, change, refusal, holding] of INSIDE) {
    test(what, async () => {
      const made = draft();
      change(made);
      const { refusals, report: found } = await verified(sealed(made), holding);
      expect(refusals).toContainEqual(expect.stringMatching(refusal));
      expect(found).toBeUndefined();
    });
  }
});

test('each kind of refusal has a sentence of its own', () => {
  expect(new Set([...OUTSIDE, ...INSIDE].map(([, , refusal]) => refusal.source)).size).toBeGreaterThanOrEqual(
    25,
  );
});
