import type { Exchange } from '../http/exchange.ts';

/** This much of an answer is searched, in characters. */
const SEARCHED = 200_000;

/** Whatever looks like a token in the answer to a login, in headers and body: it may be a real one, wherever it stands. */
export function tokensWithin({ answer, failure }: Exchange): string[] {
  const bytes = answer?.bytes ?? failure?.bytes;
  if (bytes === undefined) return [];
  const text = [...(answer?.headers ?? []).map(([, value]) => value), Buffer.from(bytes).toString('latin1')]
    .join('\n')
    .slice(0, SEARCHED);
  const named = [...text.matchAll(/access_token["'=:\s]{1,5}([^"'&\s]{8,4096})/g)].map(([, token = '']) =>
    asRead(token),
  );
  return [...named, ...(text.match(/(?<![\w-])[\w-]{10,2000}\.[\w-]{10,2000}\.[\w-]{10,2000}/g) ?? [])];
}

/** A token without the escapes of a JSON string, where it has any: those of its other forms are found by it. */
function asRead(written: string): string {
  try {
    const read = String(JSON.parse(`"${written}"`));
    return JSON.stringify(read) === `"${written}"` ? read : written;
  } catch {
    return written;
  }
}
