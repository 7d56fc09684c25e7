/** An interim answer: its status, and all of it up to the empty line. */
const INTERIM = /^HTTP\/1\.[01] (1\d\d)[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/;

/**
 * What stands in the bytes of a lawful answer that the HTTP client of this suite cannot read. The target is not to
 * blame for it.
 *
 * @param bytes the first bytes that came.
 * @returns one clause, or undefined where there is nothing of the kind.
 */
export function unreadable(bytes: Uint8Array): string | undefined {
  let rest = Buffer.from(bytes).toString('latin1');
  for (let interim = INTERIM.exec(rest); interim !== null; interim = INTERIM.exec(rest)) {
    // undici ends the connection at a 100 that it has not asked for.
    if (interim[1] === '100')
      return 'an interim answer with the status 100, which may come unasked (RFC 9110, 15.2)';
    rest = rest.slice(interim[0].length);
  }
  const [head = ''] = rest.split('\r\n\r\n');
  const values = (name: string): string[] =>
    [...head.matchAll(new RegExp(`^${name}:(.*)$`, 'gim'))].map(([, value = '']) => value.replace(/\r$/, ''));
  const [length, ...others] = values('content-length');
  // llhttp knows no blank space but blanks behind the digits.
  return length !== undefined &&
    others.length === 0 &&
    values('transfer-encoding').length === 0 &&
    /^[ \t]*\d+ *\t[ \t]*$/.test(length)
    ? 'a tab behind the number in Content-Length, where blank space may stand (RFC 9110, 5.5)'
    : undefined;
}
