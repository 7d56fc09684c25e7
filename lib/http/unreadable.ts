/** An interim response (RFC 9110, 15.2) with its status. */
const INTERIM = /^HTTP\/1\.[01] (1\d\d)[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/;

/**
 * Finds in an answer the lawful things that the HTTP client of this suite cannot read. The target is not to blame for
 * them.
 *
 * @param bytes the first bytes of the answer.
 * @returns a noun phrase that names the first one, or undefined if there is none.
 */
export function unreadable(bytes: Uint8Array): string | undefined {
  let rest = Buffer.from(bytes).toString('latin1');
  for (let interim = INTERIM.exec(rest); interim !== null; interim = INTERIM.exec(rest)) {
    // undici closes the connection at a 100 that it did not ask for.
    if (interim[1] === '100')
      return 'an interim response with the status 100, which a server may send unasked (RFC 9110, 15.2)';
    rest = rest.slice(interim[0].length);
  }
  const [head = ''] = rest.split('\r\n\r\n');
  const values = (name: string): string[] =>
    [...head.matchAll(new RegExp(`^${name}:(.*)$`, 'gim'))].map(([, value = '']) => value.replace(/\r$/, ''));
  const [length, ...others] = values('content-length');
  // llhttp, the parser of undici, accepts only spaces after the digits.
  return length !== undefined &&
    others.length === 0 &&
    values('transfer-encoding').length === 0 &&
    /^[ \t]*\d+ *\t[ \t]*$/.test(length)
    ? 'a tab after the number in Content-Length, where white space may stand (RFC 9110, 5.5)'
    : undefined;
}
