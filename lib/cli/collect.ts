import { relative } from 'node:path';
import pc from 'picocolors';
import { collectionOf, type Collection, type Member } from '../certificate/collection.ts';
import { certificatesBelow, readCertificate } from '../certificate/folder.ts';
import { readVerificationKeys } from '../certificate/keys.ts';
import { dayOf } from '../certificate/validity.ts';
import { harmless } from '../http/wording.ts';
import { collectionPage } from '../pages/collection/collection-page.tsx';
import { verified, type KeyFlags } from './verify.ts';
import { writePage } from './writing-page.ts';

/**
 * Verifies all certificates below a folder, and tells which implementations conform and how they differ.
 *
 * @returns the exit code: 0, even if certificates are refused; the table leaves them out.
 * @throws SettingsError if there is no certificate, or a file cannot be read or written.
 */
export async function collect(
  folder: string,
  options: KeyFlags & { readonly html?: string },
): Promise<number> {
  const keys = await readVerificationKeys(options);
  const now = new Date();
  const members: Member[] = [];
  // One after the other: the evidence of a run may be large.
  for (const path of certificatesBelow(folder))
    members.push({ ...(await verified(readCertificate(path), keys, now)), path: relative(folder, path) });
  const collection = collectionOf(members);
  const page = options.html;
  if (page !== undefined) writePage(page, collectionPage(collection, now));
  process.stdout.write(`${lines(collection, page).join('\n')}\n`);
  return 0;
}

function lines(
  { implementations, apart, answers, verdicts }: Collection,
  page: string | undefined,
): string[] {
  return [
    pc.bold(`Valid certificates: ${implementations.length}`),
    ...implementations.map(({ predicate: { product, notAfter, suite, target } }) =>
      harmless(
        `  ${product.name} ${product.version}: ${target.isReference ? 'the reference server of the suite, ' : ''}valid until ${dayOf(notAfter)}, by ${suite.name} ${suite.version}`,
      ),
    ),
    ...(implementations.length < 2
      ? []
      : [`They differ in ${answers.length} open questions and ${verdicts.length} verdicts.`]),
    ...(apart.length === 0 ? [] : ['', pc.bold(`Not in the table: ${apart.length}`)]),
    ...apart.flatMap(({ path, product, reasons }) => [
      harmless(`  ${path}${product === undefined ? '' : ` (${product})`}`),
      ...reasons.map((reason) => `    ${harmless(reason)}`),
    ]),
    ...(page === undefined ? [] : ['', `The table is in ${page}.`]),
  ];
}
