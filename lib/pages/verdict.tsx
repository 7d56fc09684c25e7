import type { Child } from 'hono/jsx';
import type { Verdict } from '../judging/judge.ts';

/** The class of a colour. The verdict always stands beside it in words. */
const TONE: Readonly<Record<Verdict, 'good' | 'bad' | 'doubt' | 'note' | 'quiet'>> = {
  pass: 'good',
  fail: 'bad',
  warn: 'doubt',
  error: 'doubt',
  observed: 'note',
  inapplicable: 'quiet',
  skipped: 'quiet',
};

/** The verdict on a requirement as a word on its colour. */
export const Badge = ({ verdict }: { verdict: Verdict }): Child => (
  <span class={`badge ${TONE[verdict]}`}>{verdict === 'inapplicable' ? 'n/a' : verdict}</span>
);
