import { report, requirement, type Inside } from './tampering.test.double.ts';

/** What somebody with the key changes in the report and in the files beside it. */
export const REPORTS: readonly Inside[] = [
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
    'the report does not say over what connection it was',
    report((one) => delete one.connection),
    /^The report lacks connection, which a certificate needs\.$/,
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
