import { USUAL_FILE } from '../../reports/repetition.ts';
import type { Report } from '../../reports/schema.ts';
import { documentOf } from '../document.tsx';
import { SCRIPT } from '../script.ts';
import { Causes } from './causes.tsx';
import { Headline } from './headline.tsx';
import { Observations } from './observations.tsx';
import { Requirements } from './requirements.tsx';
import { Residue } from './residue.tsx';
import { Scopes } from './scopes.tsx';
import { Settings } from './settings.tsx';
import { Traffic } from './traffic.tsx';
import { Untested } from './untested.tsx';

/** The sections of the page, by the id of their heading. */
const CONTENTS = [
  ['causes', 'Causes'],
  ['untested', 'Not tested'],
  ['scopes', 'Scopes'],
  ['observations', 'Observations'],
  ['requirements', 'Requirements'],
  ['traffic', 'Traffic'],
  ['residue', 'Residue'],
  ['settings', 'Settings'],
] as const;

/**
 * The report as one HTML file for people: a view of the same value as `report.json`.
 *
 * @param file the path of that file, which commands name.
 */
export function reportPage(report: Report, file = USUAL_FILE): string {
  return documentOf(
    `${report.verdict}: ${report.target}`,
    <>
      <Headline report={report} />
      <nav aria-label="Contents">
        <ul>
          {CONTENTS.map(([id, name]) => (
            <li>
              <a href={`#${id}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Causes report={report} file={file} />
      <Untested report={report} />
      <Scopes report={report} />
      <Observations report={report} />
      <Requirements report={report} />
      <Traffic report={report} />
      <Residue report={report} />
      <Settings report={report} />
    </>,
    SCRIPT,
  );
}
