import { describe, expect, test } from 'vitest';
import { collectionPage } from '../pages/collection/collection-page.tsx';
import { badge } from '../pages/certificate/badge.tsx';
import { certificatePage } from '../pages/certificate/certificate-page.tsx';
import { fingerprint } from '../reports/fingerprint.ts';
import { draft, NOW, sealed, verified, type Changeable, type Draft } from './certificate.test.double.ts';
import { collectionOf, type Member } from './collection.ts';

/** A verified certificate of a collection. */
async function member(
  path: string,
  change: (made: Draft) => void = () => undefined,
  now = NOW,
): Promise<Member> {
  const made = draft();
  change(made);
  return { path, ...(await verified(sealed(made), { now })) };
}

const named =
  (name: string, version = '1.0') =>
  ({ report }: Draft): void =>
    void (report.product = { name, version });

/** Gives another answer to the first open question. */
function answering(answer: string, said: string): (made: Draft) => void {
  return ({ report }) => {
    const one: Changeable = report.requirements.find(({ level }) => level === 'open');
    Object.assign(one, { answer, said });
    report.fingerprint = fingerprint(report.requirements);
  };
}

const both =
  (...changes: readonly ((made: Draft) => void)[]) =>
  (made: Draft): void => {
    for (const change of changes) change(made);
  };

const warning = ({ report }: Draft): void => {
  const one: Changeable = report.requirements.find(({ level }) => level === 'advisory');
  Object.assign(one, { verdict: 'warn', reason: 'it is not so' });
};

const partial = ({ report }: Draft): void => {
  const one: Changeable = report.requirements.find(({ level }) => level === 'derived');
  Object.assign(one, { verdict: 'skipped', reason: 'there is no second account', skippedFor: 'tester' });
};

describe('a collection', async () => {
  const collection = collectionOf([
    await member(
      'b/certificate.json',
      both(named('Beta'), answering('other', 'It answers otherwise.'), warning),
    ),
    await member('a/certificate.json', named('Alpha')),
    await member('p/certificate.json', both(named('Partial'), partial)),
    await member('e/certificate.json', named('Ended'), new Date('2031-01-01')),
    { path: 'x/certificate.json', refusals: ['The certificate is not JSON: x.'] },
  ]);

  test('has the implementations with valid certificates, by name', () => {
    expect(collection.implementations.map(({ predicate }) => predicate.product.name)).toEqual([
      'Alpha',
      'Beta',
    ]);
  });

  test('lists the others separately, with the reasons', () => {
    expect(collection.apart).toEqual([
      {
        path: 'p/certificate.json',
        product: 'Partial 1.0',
        reasons: [expect.stringContaining('were not checked') as string],
      },
      {
        path: 'e/certificate.json',
        product: 'Ended 1.0',
        reasons: ['The certificate expired on 2030-08-30; the product has to be certified again.'],
      },
      { path: 'x/certificate.json', reasons: ['The certificate is not JSON: x.'] },
    ]);
  });

  test('shows where answers and verdicts differ, and nothing else', () => {
    expect(collection.answers.map(({ values }) => values)).toEqual([
      ['It was seen.', 'It answers otherwise.'],
    ]);
    expect(collection.verdicts.map(({ values }) => values)).toEqual([['pass', 'warn']]);
  });

  test('has the newest of several certificates of one product, and lists the others separately', async () => {
    const older = await member('1/certificate.json', named('Alpha'));
    const made = draft(new Date('2030-06-10T10:00:00.000Z'));
    named('Alpha', '2.0')(made);
    const newer = { path: '2/certificate.json', ...(await verified(sealed(made))) };
    const { implementations, apart } = collectionOf([older, newer]);
    expect(implementations.map(({ path }) => path)).toEqual(['2/certificate.json']);
    expect(apart).toEqual([
      {
        path: '1/certificate.json',
        product: 'Alpha 1.0',
        reasons: ['A newer certificate of the same product is 2/certificate.json.'],
      },
    ]);
  });
});

describe('the pages', () => {
  const hostile = '</title><script>alert(1)</script>"\'&\u202e';

  test('of a collection have the valid certificates in the table, and the others below it', async () => {
    const page = collectionPage(
      collectionOf([
        await member('a/certificate.json', named('Alpha')),
        await member('b/certificate.json', both(named('Beta'), answering('other', 'It answers otherwise.'))),
        await member('p/certificate.json', both(named('Partial'), partial)),
      ]),
      NOW,
    );
    const [table = '', others = ''] = page.split('Not in the table');
    expect(table).toContain('Alpha 1.0');
    expect(table).toContain('It answers otherwise.');
    expect(table).toContain('(75 days left)');
    expect(table).not.toContain('Partial');
    expect(others).toContain('Partial 1.0');
  });

  test('and the badge show foreign texts as text', async () => {
    const { statement } = await member('a', (made) => {
      named(hostile, hostile)(made);
      made.report.server = [hostile];
      made.report.operator = hostile;
    });
    if (statement === undefined) throw new Error('the certificate was not read');
    const others = [{ path: hostile, product: hostile, reasons: [hostile] }];
    const collection = { ...collectionOf([await member('a', named(hostile))]), apart: others };
    for (const page of [
      certificatePage(statement, hostile),
      badge(statement.predicate),
      collectionPage(collection, NOW),
    ]) {
      expect(page).not.toContain('<script>alert');
      expect(page).not.toContain('\u202e');
      expect(page).toContain('&lt;script&gt;');
    }
  });

  test('of the reference say that it is no product', async () => {
    const { statement } = await member('a', ({ report }) => {
      report.settings.push({ name: 'CONFORMANCE_BASE_URL', from: 'reference' });
    });
    if (statement === undefined) throw new Error('the certificate was not read');
    expect(certificatePage(statement, 'k')).toContain('certifies the suite and no product');
    expect(badge(statement.predicate)).toContain('the reference conforms until');
  });
});
