// Sends the thirty requests with this suite: in a run of one requirement.
import { certification } from '../lib/certify.ts';
import { listedIn } from '../lib/spec/reading.ts';
import { accepted } from '../lib/http/exchange.ts';
import { allOf, broken, holds } from '../lib/outcome.ts';
import type { Requirement } from '../lib/requirement.ts';
import { readSettings } from '../lib/settings.ts';
import { writeReports } from '../lib/reports/write.ts';
import { ROUNDS } from './rounds.ts';

const work: Requirement = {
  id: 'bench/work',
  section: '4',
  sentences: ['4/json-accepted'],
  level: 'required',
  text: 'Tags can be made, found, renamed and removed.',
  tags: 1,
  check: async (target) => {
    const outcomes = [];
    await target.login();
    for (let round = 0; round < ROUNDS; round++) {
      const name = target.name();
      const made = await target.create({ name });
      const found = await target.list(name);
      const tagId = listedIn(found)?.[0]?.tagId ?? '';
      const renamed = await target.rename(tagId, { name: target.name() });
      const removed = await target.delete(tagId);
      outcomes.push(
        [made, found, renamed, removed].every(accepted) ? holds() : broken('it was refused', made),
      );
    }
    const list = await target.list();
    return allOf(...outcomes, listedIn(list) === undefined ? broken('there is no list', list) : holds());
  },
};

const settings = readSettings({ flags: {}, environment: process.env, envFile: '' });
if (settings.base === undefined) throw new Error('CONFORMANCE_BASE_URL is not set');
const report = await certification({
  settings: { ...settings, base: settings.base },
  selected: [work],
}).report();
writeReports(report, settings.reportDir);
if (report.verdict !== 'conforming') throw new Error(JSON.stringify(report.requirements));
