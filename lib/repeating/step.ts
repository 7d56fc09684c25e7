import type { Evidence } from '../judging/evidence.ts';
import type { StandIns } from './stand-ins.ts';
import type { Template } from './template.ts';

/** One request of a case. */
export interface Step {
  readonly method: string;
  /** Below the base URL. */
  readonly path: Template;
  readonly headers: readonly Template[];
  readonly body?: Template;
  /** The shell command that makes the body, if no argument can hold it. */
  readonly recipe?: string;
  /** The request for people, without secrets. */
  readonly shown: Template;
  /** The variable that takes the tag_id of a create. */
  readonly id?: string;
}

const LABEL = /\$([A-Z_\d]*(?:TOKEN|PASSWORD)[A-Z_\d]*)/g;

/**
 * Writes one request of a case for a script.
 *
 * @param id the variable that takes the tag_id, if it is a create.
 * @param secrets takes the labels of the tokens and passwords that the request needs.
 * @param earlier the requests of the case before it.
 */
export function stepOf(
  { request, file }: Evidence,
  standIns: StandIns,
  id: string | undefined,
  secrets: Set<string>,
  earlier: readonly Evidence[],
): Step {
  const validators = validatorsIn(earlier);
  const path = request.url.slice(request.url.indexOf('/api/v2'));
  const withSecrets = (text: string, suffix: string): Template => {
    const more = new Map<string, string>(validators);
    for (const [label, name = ''] of text.matchAll(LABEL)) {
      secrets.add(name);
      more.set(label, `\${${name}${suffix}}`);
    }
    return standIns.inText(text, more);
  };
  const headers = request.headers.filter((line) => !/\$HEADER_\d/.test(line));
  return {
    method: request.method,
    path: standIns.inPath(path),
    headers: headers.map((line) => withSecrets(line, '')),
    // In a body, a secret is inside a JSON string.
    ...(request.body === undefined || file !== undefined ? {} : { body: withSecrets(request.body, '_JSON') }),
    ...(file?.recipe === undefined ? {} : { recipe: file.recipe.replace(/ > \S+$/, '') }),
    shown: [
      { text: `${request.method} ` },
      ...standIns.inPath(path),
      ...(request.body === undefined ? [] : [{ text: ' ' }, ...standIns.inText(shortened(request.body))]),
    ],
    ...(id === undefined ? {} : { id }),
  };
}

/** The validators in earlier answers, and the variables in which the script keeps the validators of its last list. */
function validatorsIn(earlier: readonly Evidence[]): Map<string, string> {
  const last = earlier.findLast(({ request }) => request.method === 'GET');
  return new Map(
    (last?.answer?.headers ?? []).flatMap((line) => {
      const [, name, value] = /^(etag|last-modified): (.+)$/i.exec(line) ?? [];
      if (name === undefined || value === undefined) return [];
      return [[value, name.toLowerCase() === 'etag' ? '${ETAG}' : '${MODIFIED}'] as const];
    }),
  );
}

const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}...` : text);
