import { generateKeyPairSync } from 'node:crypto';
import { describe, expect } from 'vitest';
import { draft, sealed } from '../certificate/certificate.test.double.ts';
import { test, type User } from './user.test.double.ts';

/** Writes certificates of two makers, one of which is changed afterwards, and the keys of both. */
function gather(user: User): void {
  const makers = ['one', 'two'].map((name) => ({ name, ...generateKeyPairSync('ed25519') }));
  const jwks = makers.map(({ publicKey }) => publicKey.export({ format: 'jwk' }));
  user.write('keys.json', JSON.stringify({ keys: jwks }));
  for (const { name, privateKey } of makers) {
    const made = draft(new Date());
    made.report.product = { name: `Server ${name}`, version: '1' };
    made.key = { key: privateKey, keyid: name };
    const { certificate, files } = sealed(made);
    user.write(`certificates/${name}/certificate.json`, certificate);
    for (const [file, bytes] of files) user.write(`certificates/${name}/${file}`, bytes.toString());
  }
  const report = 'certificates/two/report.json';
  user.write(report, `${user.read(report)} `);
}

describe('collect', () => {
  test('writes the table of those that hold, and tells why the others are not in it', async ({ user }) => {
    gather(user);
    const args = ['collect', 'certificates', '--keys', 'keys.json', '--html', 'pages/index.html'];
    const { code, stdout } = await user.run(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Certificates that hold: 1\n {2}Server one 1: valid until 20/);
    expect(stdout).toContain(
      'Not in the table: 1\n  two/certificate.json (Server two 1)\n    report.json is not the file that was certified',
    );
    const [table = '', others = ''] = user.read('pages/index.html').split('Not in the table');
    expect(table).toContain('Server one 1');
    expect(table).not.toContain('Server two');
    expect(others).toContain('Server two 1');
  });

  for (const [what, args, sentence] of [
    [
      'a folder without certificates',
      ['empty', '--keys', 'keys.json'],
      /^There is no certificate\.json in empty/,
    ],
    ['no folder', ['none', '--keys', 'keys.json'], /^The folder none cannot be read \(ENOENT/],
    [
      'a file',
      ['keys.json', '--keys', 'keys.json'],
      /^collect is expected to be given a folder; keys\.json is a/,
    ],
    ['no keys', ['certificates'], /^Give either --key .* or --keys/],
    [
      'a page that cannot be written',
      ['certificates', '--keys', 'keys.json', '--html', 'keys.json/x'],
      /^--html cannot write keys\.json\/x \(.+\); give another name\.$/m,
    ],
  ] as const) {
    test(`is refused in one sentence with ${what}`, async ({ user }) => {
      gather(user);
      user.write('empty/report.json', '{}');
      const { code, stderr } = await user.run(['collect', ...args]);
      expect(code).toBe(2);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    });
  }
});
