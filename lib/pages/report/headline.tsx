import type { Child } from 'hono/jsx';
import { Facts } from '../facts.tsx';
import { certainty, verdictSentence } from '../../reports/certainty.ts';
import { moment, seconds } from '../../reports/moment.ts';
import type { Report } from '../../reports/schema.ts';

const TONES = { conforming: 'good', 'non-conforming': 'bad', inconclusive: 'doubt' } as const;

/** Whether the target conforms and how certain that is, what was tested, and when. */
export const Headline = ({ report }: { report: Report }): Child => {
  const { product, operator } = report;
  const suite = `${report.suite.name} ${report.suite.version}, effort ${report.effort}, seed ${report.seed}`;
  return (
    <header>
      <p class="eyebrow">Conformance to the Account Mutation API</p>
      <div class={`headline ${TONES[report.verdict]}`}>
        <h1>{verdictSentence(report)}</h1>
        {certainty(report).map((sentence) => (
          <p>{sentence}</p>
        ))}
      </div>
      <Facts
        facts={[
          ['Product', product && `${product.name} ${product.version ?? ''}`],
          [
            'Checked',
            <>
              <time datetime={report.startedAt}>{moment(report.startedAt)}</time>, in{' '}
              {seconds(report.durationMs)}
            </>,
          ],
          ['By', operator === undefined ? suite : `${operator}, with ${suite}`],
          ['Sent', `${report.traffic.requests} requests, ${report.traffic.logins} of them logins`],
        ]}
      />
    </header>
  );
};
