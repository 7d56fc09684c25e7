import pc from 'picocolors';
import { expect, test } from 'vitest';
import { certifyChanged } from '../../fixtures/certifying.ts';
import { intercepting, type Change } from '../../fixtures/fixture.ts';
import { terminalReport } from '../reports/terminal.ts';
import { catalogue } from '../../suites/index.ts';

const selected = catalogue.filter(({ id }) => id === 'create/answers');

const unavailable = (): Response => Response.json({}, { status: 500 });

const deletesNothing = intercepting(({ method }) => (method === 'DELETE' ? unavailable() : undefined));

/** From the first delete on, neither deletes nor lists work. */
const failsFromDelete: Change = (Base) =>
  class extends Base {
    #hasDeleted = false;

    override fetch(request: Request): Promise<Response> {
      this.#hasDeleted ||= request.method === 'DELETE';
      return this.#hasDeleted && request.method !== 'POST'
        ? Promise.resolve(unavailable())
        : super.fetch(request);
    }
  };

test.each([
  ['is left on the target', deletesNothing, 'left', / left on the target: /],
  ['may be left on it', failsFromDelete, 'may be left', / may be left on the target: /],
] as const)('a run that would conform is inconclusive where a tag %s', async (_what, change, state, line) => {
  const { report } = await certifyChanged(change, { selected });
  expect(report.requirements).toMatchObject([{ id: 'create/answers', verdict: 'pass' }]);
  expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
  expect(new Set(report.residue.map((tag) => tag.state))).toEqual(new Set([state]));
  const showing = { columns: 120, colors: pc.createColors(false), isVerbose: false, command: 'suite' };
  expect(terminalReport(report, [], showing)).toMatch(new RegExp(`^inconclusive, .*${line.source}`, 'm'));
});
