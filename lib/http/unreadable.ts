/** An interim response (RFC 9110, 15.2) with its status. */
const INTERIM = /^HTTP\/1\.[01] (1\d\d)[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/;

/**
 * Finds lawful parts of an answer that the HTTP client of this suite cannot read. They are not faults of the target.
 *
 * @param bytes the first bytes of the answer.
 * @returns a noun phrase for the first such part, or undefined.
 */
export function unreadable(bytes: Uint8Array): string | undefined {
  let rest = Buffer.from(bytes).toString('latin1');
  for (let interim = INTERIM.exec(rest); interim !== null; interim = INTERIM.exec(rest)) {
    // undici closes the connection at an unsolicited 100.
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
