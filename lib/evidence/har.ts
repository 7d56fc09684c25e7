import { z } from 'zod';
import { EFFORTS } from '../effort.ts';
import { LACKS } from '../outcome.ts';

/** Bodies of more bytes are kept as their length and digest. */
export const MOST_BODY_BYTES = 16 * 1024;

/** The name of the file of evidence in the report folder. */
export const EVIDENCE_FILE = 'evidence.har';

const nameAndValue = z.object({ name: z.string(), value: z.string() });

/** Replaces a body of more than `MOST_BODY_BYTES`, or one that was not received whole. */
const digest = {
  _length: z.int().optional().describe('Length of the body in bytes, if the body is left out.'),
  _sha256: z.string().optional().describe('Digest of the masked body, if the body is left out.'),
};

/**
 * One exchange as an entry of a HAR file (HTTP Archive 1.2). Members of this suite begin with an underscore, as that format
 * demands. Nothing in it is secret.
 */
export const entrySchema = z.object({
  pageref: z.string(),
  startedDateTime: z.string(),
  time: z.number(),
  request: z.object({
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
    url: z.string(),
    httpVersion: z.string(),
    cookies: z.array(nameAndValue),
    headers: z.array(nameAndValue),
    queryString: z.array(nameAndValue),
    postData: z
      .object({
        mimeType: z.string(),
        text: z.string(),
        _encoding: z.literal('base64').optional().describe('Set if the body is not text in UTF-8.'),
        ...digest,
      })
      .optional(),
    headersSize: z.number(),
    bodySize: z.number(),
  }),
  response: z.object({
    status: z.int().describe('0 if no answer came.'),
    statusText: z.string(),
    httpVersion: z.string(),
    cookies: z.array(nameAndValue),
    headers: z.array(nameAndValue),
    content: z.object({
      size: z.int(),
      mimeType: z.string(),
      text: z.string().optional(),
      encoding: z.literal('base64').optional(),
      ...digest,
    }),
    redirectURL: z.string(),
    headersSize: z.number(),
    bodySize: z.number(),
    _error: z.string().optional().describe('Why no answer came.'),
  }),
  cache: z.object({}),
  timings: z.object({ send: z.number(), wait: z.number(), receive: z.number() }),
  _at: z.number().describe('When it was sent, in milliseconds since the start of the run.'),
  _number: z.int().describe('Counts the exchanges of the run from 1, in the order in which they were sent.'),
  _operation: z.enum(['login', 'create', 'rename', 'list', 'delete']),
  _regular: z
    .boolean()
    .describe('Whether the specification describes the request, and so gives its answers.'),
  _beside: z.int().optional().describe('How many other requests were under way meanwhile.'),
  _failure: z
    .enum([
      'unreachable',
      'untrusted',
      'timeout',
      'closed',
      'malformed',
      'unreadable',
      'oversized',
      'cancelled',
    ])
    .optional()
    .describe('The kind of failure, if no answer came.'),
  _received: z.string().optional().describe('The first bytes that came in place of an answer, escaped.'),
  _framing: z.string().optional().describe('What is wrong with the framing of the answer.'),
  _deferred: z.literal(true).optional().describe('The target deferred the request, which was sent again.'),
  _retracted: z
    .literal(true)
    .optional()
    .describe(
      'The answer was due to a cause that the run removed, such as an expired token: no verdict rests on it.',
    ),
  _requirements: z.array(z.string()).describe('The ids of the requirements that rest on it.'),
});

export type HarEntry = z.infer<typeof entrySchema>;

/** A token or password of the run, by its stand-in. Null if the run had none. */
const secretOf = z.string().nullable();

/** What the suite keeps at the head of the log beside what the format demands. */
export const headSchema = z.object({
  _run: z.object({
    target: z.string().describe('The base URL of the target.'),
    effort: z.enum(EFFORTS),
    seed: z.string(),
    path: z.string().nullable().describe('Selects one case of one requirement.'),
    allowsHttp: z.boolean(),
    accounts: z
      .array(z.object({ username: z.string(), password: secretOf }).nullable())
      .describe('The first and the second account, each null if it was not given.'),
    panelToken: secretOf,
  }),
  _everyExchange: z
    .array(z.string())
    .describe('The ids of the requirements that rest on every exchange, beside those that name them.'),
  _signs: z
    .record(z.string(), z.array(z.array(z.int())))
    .describe('What the run noticed as a whole, with the numbers of the exchanges that show it.'),
  _checks: z
    .array(z.tuple([z.int(), z.string(), z.boolean()]))
    .describe(
      'The checks: the number of each in the course, the id of its requirement, and whether it was only a repetition.',
    ),
});

export type HarHead = z.infer<typeof headSchema>;

/** See `CourseLine`. */
const courseLineSchema = z.tuple([
  z.int(),
  z.int(),
  z.string(),
  z.union([
    z.object({ exchanges: z.array(z.int()), undecided: z.string(), because: z.enum(LACKS) }),
    z.object({ exchanges: z.array(z.int()) }),
    z.object({ value: z.unknown() }),
    z.strictObject({}),
  ]),
]);

export const harSchema = z.object({
  log: headSchema.extend({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    entries: z.array(entrySchema),
    _course: z.array(courseLineSchema),
  }),
});

export type Har = z.infer<typeof harSchema>;
