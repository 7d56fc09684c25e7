import type { Child } from 'hono/jsx';
import { LEVELS } from '../../requirement.ts';
import { VERDICTS } from '../../judging/judge.ts';
import { caseLine } from '../../reports/brief.ts';
import { sentenceOf } from '../../reports/finding-lines.ts';
import { unlistedCauses } from '../../reports/known.ts';
import type { Report, ReportedRequirement } from '../../reports/schema.ts';
import { bySection, sectionName } from '../../spec/sections.ts';
import { BriefExchange, Exchange, mattersIn } from '../exchange.tsx';
import { Filter } from '../filter.tsx';
import { Badge } from '../verdict.tsx';
import { Steadiness } from './causes.tsx';
import { Known } from './known.tsx';

/** The most exchanges of one requirement in brief. */
const MOST_EXCHANGES = 12;

/** Every requirement, by section, with a filter that needs the script of the page. */
export const Requirements = ({ report }: { report: Report }): Child => {
  const { requirements } = report;
  const sections = [...new Set(requirements.map(({ section }) => section))].toSorted(bySection);
  const leading = new Set(unlistedCauses(report).map(({ id }) => id));
  return (
    <section aria-labelledby="requirements">
      <h2 id="requirements">Every requirement</h2>
      <Filter
        label="Filter the requirements"
        choices={[
          {
            name: 'verdict',
            values: VERDICTS.filter((one) => requirements.some(({ verdict }) => verdict === one)),
          },
          { name: 'level', values: LEVELS.filter((one) => requirements.some(({ level }) => level === one)) },
          { name: 'section', values: sections, nameOf: sectionName },
        ]}
      />
      {sections.map((section) => (
        <div data-group>
          <h3>{sectionName(section)}</h3>
          {requirements
            .filter((one) => one.section === section)
            .map((one) => (
              <Requirement one={one} isCause={leading.has(one.id)} />
            ))}
        </div>
      ))}
    </section>
  );
};

const Requirement = ({ one, isCause }: { one: ReportedRequirement; isCause: boolean }): Child => (
  <details
    class="requirement"
    id={one.id}
    data-row
    data-verdict={one.verdict}
    data-level={one.level}
    data-section={one.section}
  >
    <summary>
      <Badge verdict={one.verdict} />
      <code>{one.id}</code>
      <span class="text">{one.text}</span>
    </summary>
    <div class="inside">
      <p class="quiet">
        {one.level}, section {sectionName(one.section)} · <a href={`#${one.id}`}>link to this requirement</a>
      </p>
      {one.reason === '' ? null : <p class="finding">{sentenceOf(one.reason)}</p>}
      {one.said === undefined ? null : <p>{one.said}</p>}
      <Known one={one} />
      {one.waitsFor === undefined ? null : (
        <p>
          It waits for <a href={`#${one.waitsFor}`}>{one.waitsFor}</a>.
        </p>
      )}
      {one.specification === undefined ? null : (
        <p>
          The specification, section {one.specification.section}: {one.specification.says}
        </p>
      )}
      {one.derivation === undefined ? null : <p>Why it follows: {one.derivation}</p>}
      {one.restsOn === undefined || one.restsOn === '' ? null : (
        <p class="quiet">
          {one.restsOn === 'every'
            ? 'It rests on every exchange in the evidence.'
            : `It rests on these exchanges in the evidence: ${one.restsOn}.`}
        </p>
      )}
      {isCause ? (
        <p>
          <a href={`#cause/${one.id}`}>The cause above has both sides, the exchanges and the script.</a>
        </p>
      ) : (
        <Finding one={one} />
      )}
    </div>
  </details>
);

const Finding = ({ one }: { one: ReportedRequirement }): Child => {
  const { exchanges, verdict } = one;
  const isFinding = verdict === 'fail' || verdict === 'warn';
  const decisive = isFinding ? exchanges.find(({ decides }) => decides === true) : undefined;
  const others = exchanges.filter((exchange) => exchange !== decisive);
  const more = others.length - MOST_EXCHANGES;
  return (
    <>
      {isFinding && one.cause !== undefined ? <p>Usually: {one.cause}</p> : null}
      {isFinding && one.expected !== undefined ? (
        <p>
          Expected: <code>{one.expected}</code>
        </p>
      ) : null}
      {one.example === undefined ? null : <p>{caseLine(one.example)}</p>}
      <Steadiness one={one} />
      {decisive === undefined ? null : <Exchange exchange={decisive} matters={mattersIn(one.reason)} />}
      {others.length === 0 ? null : (
        <ol aria-label={`Exchanges of ${one.id}`}>
          {others.slice(0, MOST_EXCHANGES).map((exchange) => (
            <BriefExchange exchange={exchange} />
          ))}
        </ol>
      )}
      {more > 0 ? <p class="quiet">{more} more are in report.json.</p> : null}
    </>
  );
};
