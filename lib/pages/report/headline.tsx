import type { Child } from 'hono/jsx';
import { certainty, verdictSentence } from '../../reports/certainty.ts';
import type { Report } from '../../reports/schema.ts';
import { visible } from '../visible.ts';

const TONES = { conforming: 'good', 'non-conforming': 'bad', inconclusive: 'doubt' } as const;

/** Whether the target conforms, how sure that is, of what it is said, and when it was found. */
export const Headline = ({ report }: { report: Report }): Child => (
  <header>
    <p class="eyebrow">Conformance to the Account Mutation API</p>
    <div class={`headline ${TONES[report.verdict]}`}>
      <h1>{visible(verdictSentence(report))}</h1>
      {certainty(report).map((sentence) => (
        <p>{visible(sentence)}</p>
      ))}
    </div>
    <dl class="facts">
      <dt>Checked</dt>
      <dd>
        <time datetime={report.startedAt}>{moment(report.startedAt)}</time>, in {seconds(report.durationMs)}
      </dd>
      <dt>By</dt>
      <dd>
        {report.suite.name} {report.suite.version}, effort {report.effort}, seed {report.seed}
      </dd>
      <dt>Sent</dt>
      <dd>
        {report.traffic.requests} requests, {report.traffic.logins} of them logins
      </dd>
    </dl>
  </header>
);

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** A moment such as `2026-03-01 09:30:00 UTC`. */
export const moment = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
