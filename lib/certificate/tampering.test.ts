import { describe, expect, test } from 'vitest';
import {
  draft,
  envelopeText,
  newKey,
  sealed,
  verified,
  type Changeable,
  type Folder,
} from './certificate.test.double.ts';
import type { Envelope } from './envelope.ts';
import { CERTIFICATES } from './tampered-certificates.test.double.ts';
import { REPORTS } from './tampered-reports.test.double.ts';
import { CHANGED } from './tampering.test.double.ts';
import type { Holding } from './verify.ts';

/** Changes a certificate that was signed, or the files beside it, as somebody without the key can. */
type Outside = readonly [what: string, change: (folder: Folder) => void, refusal: RegExp, Partial<Holding>?];

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

/** Every kind of tampering, without the key and with it. */
const ALL = [...OUTSIDE, ...CERTIFICATES, ...REPORTS];

test('a certificate that nobody changed is not refused', async () => {
  const { refusals, report: found } = await verified(sealed(draft()));
  expect(refusals).toEqual([]);
  expect(found?.verdict).toBe('conforming');
});

test('at least 25 kinds of tampering are tried', () => {
  const kinds = ALL.map(([what]) => what);
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

test('each kind of refusal has a sentence of its own', () => {
  expect(new Set(ALL.map(([, , refusal]) => refusal.source)).size).toBeGreaterThanOrEqual(25);
});
