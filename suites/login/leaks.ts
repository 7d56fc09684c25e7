import {
  answers,
  type Exchange,
  listedIn,
  type Secret,
  type Target,
  withCredential,
} from '../../lib/check.ts';
import { wordPattern } from '../disclosure.ts';

/** Where the answer to a refused login contains a token, as a clause; undefined if it contains none. */
export async function tokenLeak(
  target: Target,
  refused: Exchange,
  right: Exchange,
): Promise<string | undefined> {
  if (answers.token(refused) !== undefined) return 'the body holds an access_token';
  const token = answers.token(right);
  const alike =
    token === undefined
      ? []
      : [...stringsLike(refused.answer?.json.value, token), ...wordsInHeaders(refused, token)].slice(
          0,
          MOST_TRIED,
        );
  for (const { path, text } of alike)
    if (await works(target, text)) return `${path} holds a token that works`;
  return undefined;
}

/** The most strings of one answer that are tried as tokens. */
const MOST_TRIED = 3;

/**
 * Whether a list accepts a text as a token but refuses a made-up one. The text alone proves nothing: the id of a
 * request may look like a token.
 */
async function works(target: Target, text: string): Promise<boolean> {
  if (!/^[\x21-\x7e]+$/.test(text)) return false;
  const accepts = async (token: string): Promise<boolean> => {
    const departure = withCredential(`Bearer ${token}`, 'Bearer $TOKEN_IN_REFUSAL');
    return listedIn(await target.list(undefined, departure)) !== undefined;
  };
  return (await accepts(text)) && !(await accepts(target.name()));
}

/** Longer strings are not matched, because the pattern could take too long or overflow the stack. */
const LONGEST_JWT = 16_384;
const isJwt = (text: string): boolean =>
  text.length <= LONGEST_JWT && /^[\w-]{10,}\.[\w-]{10,}\.[\w-]+$/.test(text);

/** The words in a text that have the form of the token. */
const wordsLike = (value: string, token: string, between: RegExp): string[] =>
  value
    .slice(0, LONGEST_JWT)
    .split(between)
    .filter((text) =>
      isJwt(token) ? isJwt(text) : token.length >= 20 && text.length >= token.length * 0.9 && /\d/.test(text),
    );

/** Headers from which a client may take a token. Others may hold the id of a request. */
const CARRYING = /token|auth|cookie|^location$/;

/** The words in headers that have the form of the token. */
const wordsInHeaders = ({ answer }: Exchange, token: string): { path: string; text: string }[] =>
  (answer?.headers ?? [])
    .filter(([name]) => CARRYING.test(name))
    .flatMap(([name, value]) =>
      wordsLike(value, token, /[\s"'<>()?#&=;,]+/).map((text) => ({ path: `the header ${name}`, text })),
    );

/** The words in the strings of a JSON value that have the form of the token, each with the path of its string. */
function* stringsLike(
  value: unknown,
  token: string,
  path = '',
): Generator<{ readonly path: string; readonly text: string }> {
  if (typeof value === 'string')
    for (const text of wordsLike(value, token, /[\s"'<>()]+/)) yield { path: path.slice(1), text };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) yield* stringsLike(item, token, `${path}.${key}`);
}

/** A shorter password may occur in an answer by chance. */
const SHORTEST = 4;

/** Passwords of letters only or digits only, which may be a word or a number of a message. */
const ORDINARY = /^(\p{L}{1,15}|\d{1,15})$/u;

/** Whether a password may occur in an answer by chance, as a word or a number. */
export const isOrdinary = (password: Secret): boolean => ORDINARY.test(password.reveal());

/** Whether an answer repeats a password: as a whole value or, unless it is an ordinary word, as one word of a value. */
export function repeats(exchange: Exchange, password: Secret): boolean {
  const text = password.reveal();
  if (text.length < SHORTEST) return false;
  const values = stringsIn(exchange.answer?.json.value ?? new TextDecoder().decode(exchange.answer?.bytes));
  if (values.includes(text)) return true;
  if (ORDINARY.test(text) || text.trim() === '') return false;
  return values.some((value) => wordPattern(text).test(value));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
