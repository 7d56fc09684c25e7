/** A `$` that starts the name of a secret's label, such as `$TOKEN`: see `Secret`. */
const SHELL_VARIABLE = /\$(?=[A-Z_]*(?:TOKEN|PASSWORD|HEADER))/;
const OTHER_DOLLAR = /\$(?![A-Z_]*(?:TOKEN|PASSWORD|HEADER))/g;

/** Quotes one word for a POSIX shell. Labels of secrets stay shell variables, so that the shell fills them in. */
export function shellQuote(text: string): string {
  if (!SHELL_VARIABLE.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `"${text.replace(/["\\`]/g, '\\$&').replace(OTHER_DOLLAR, '\\$&')}"`;
}

/**
 * A command that repeats a request.
 *
 * @param headers header lines, such as `Accept: application/json`, with labels in place of secrets.
 * @param body the arguments for the body, quoted for a shell; none if there is no body.
 */
export function curl(
  method: string,
  url: string,
  headers: readonly string[],
  body: readonly string[],
): string {
  return [
    'curl -i -X',
    method,
    shellQuote(url),
    ...headers.map((line) => `-H ${shellQuote(line)}`),
    ...body,
  ].join(' ');
}
