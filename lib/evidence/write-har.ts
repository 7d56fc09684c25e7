import { join } from 'node:path';
import type { Masker, Replacement } from '../judging/masker.ts';
import { SUITE } from '../suite.ts';
import type { Draft } from './draft.ts';
import { DigestedFile } from './digested-file.ts';
import { PAGE } from './entry.ts';
import { EVIDENCE_FILE, type HarEntry, type HarHead } from './har.ts';

/** The file of evidence as the report names it. */
export interface EvidenceFile {
  readonly file: string;
  readonly entries: number;
  readonly bytes: number;
  readonly sha256: string;
}

const COMMENT =
  'Every exchange of one run, in the order in which the requests were sent. Secrets are replaced by stand-ins. Members that begin with an underscore are those of the suite.';

/**
 * Writes a record as a HAR file, line by line.
 *
 * @param entry gives the nth entry, from 0.
 * @param course what the checks were given.
 * @throws Error with a code if it cannot be written.
 */
export function writeHar(
  folder: string,
  parts: {
    readonly head: HarHead;
    readonly startedAt: Date;
    readonly entries: number;
    readonly entry: (nth: number) => string;
    readonly course: Draft;
    readonly line: (text: string) => string;
  },
): EvidenceFile {
  const file = new DigestedFile(join(folder, EVIDENCE_FILE));
  try {
    file.write(start(parts.head, parts.startedAt));
    for (let nth = 0; nth < parts.entries; nth++) file.write(`${nth === 0 ? '' : ','}\n${parts.entry(nth)}`);
    file.write('\n],"_course":[');
    for (let nth = 0; nth < parts.course.length; nth++)
      file.write(`${nth === 0 ? '' : ','}\n${parts.line(parts.course.line(nth))}`);
    file.write('\n]}}\n');
    return { file: EVIDENCE_FILE, entries: parts.entries, ...file.finish() };
  } catch (error) {
    file.discard();
    throw error;
  }
}

function start(head: HarHead, startedAt: Date): string {
  const log = {
    version: '1.2',
    creator: { name: SUITE.name, version: SUITE.version },
    comment: COMMENT,
    pages: [
      {
        startedDateTime: startedAt.toISOString(),
        id: PAGE,
        title: head._run.target,
        pageTimings: {},
      },
    ],
    ...head,
    entries: [],
  };
  return `{"log":${JSON.stringify(log).slice(0, -']}'.length)}`;
}

/** Masks the texts of an entry that come from outside. Nothing else in it can hold a secret. */
function maskedEntry(entry: HarEntry, masked: <T>(value: T) => T): HarEntry {
  const { request, response, _received, _framing } = entry;
  const { url, headers, queryString, postData } = request;
  return {
    ...entry,
    request: {
      ...request,
      ...masked({ url, headers, queryString }),
      ...(postData === undefined ? {} : { postData: { ...postData, text: masked(postData.text) } }),
    },
    response: {
      ...response,
      ...masked({ headers: response.headers, redirectURL: response.redirectURL }),
      content: {
        ...response.content,
        ...(response.content.text === undefined ? {} : { text: masked(response.content.text) }),
      },
      ...(response._error === undefined ? {} : { _error: masked(response._error) }),
    },
    ...(_received === undefined ? {} : { _received: masked(_received) }),
    ...(_framing === undefined ? {} : { _framing: masked(_framing) }),
  };
}

/** Masks lines once more, because an exchange may hold a secret that the run learned later. */
export const maskedAgain = (masker: Masker, replacement: Replacement) => {
  const deep = <T>(value: T): T => masker.deep(value, replacement);
  const isClean = (line: string): boolean => masker.text(line, replacement) === line;
  return {
    entry: (line: string): string =>
      isClean(line) ? line : JSON.stringify(maskedEntry(JSON.parse(line) as HarEntry, deep)),
    course: (line: string): string => {
      if (isClean(line)) return line;
      const [asked, work, what, came] = JSON.parse(line) as [number, number, string, object];
      const { because } = came as { because?: unknown };
      return JSON.stringify([
        asked,
        work,
        what,
        { ...deep(came), ...(because === undefined ? {} : { because }) },
      ]);
    },
  };
};
