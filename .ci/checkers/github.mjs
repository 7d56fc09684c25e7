// Prints what GitHub's language service finds wrong with actions and workflows, a line each: file, line, finding.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { validate } from '@actions/languageservice/validate';
import { validateAction } from '@actions/languageservice/validate-action';
import { TextDocument } from 'vscode-languageserver-textdocument';

for (const file of process.argv.slice(2)) {
  const document = TextDocument.create(pathToFileURL(file).href, 'yaml', 1, readFileSync(file, 'utf8'));
  const check = basename(file) === 'action.yml' ? validateAction : validate;
  for (const { range, message } of await check(document))
    process.stdout.write(`${basename(file)}:${range.start.line + 1}: ${JSON.stringify(message)}\n`);
}
