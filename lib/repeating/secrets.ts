import { SCOPES } from '../spec/operations.ts';

/** How shells make an altered token from a valid one in `$TOKEN`. Each prints the token. */
const ALTERED: Readonly<Record<string, string>> = {
  TOKEN_EMPTY: ':',
  TOKEN_MADE_UP: `printf 'made-up-%s' "$$"`,
  TOKEN_NEVER_ISSUED: `reshaped "$(last_part)" | { read -r end; printf '%s%s' "$(before_last)" "$end"; }`,
  TOKEN_PAYLOAD_CHANGED: `with_payload 's/}$/,"note":"x"}/'`,
  TOKEN_EXPIRY_LATER: `with_payload 's/"exp": *[0-9]*/"exp":4102444800/'`,
  TOKEN_SCOPE_WIDENED: `TOKEN=$TOKEN_USER_READ; with_payload 's/user_read/api/'`,
  TOKEN_SIGNATURE_START_CHANGED: `changed_at "$(( $(printf %s "$(before_last)" | wc -c) + 1 ))"`,
  TOKEN_SIGNATURE_END_CHANGED: `changed_at "$(( $(printf %s "$TOKEN" | wc -c) - $(last_part | wc -c) / 5 ))"`,
  TOKEN_SIGNATURE_STRIPPED: `before_last`,
  TOKEN_ALGORITHM_NONE: `printf 'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.%s.' "$(printf %s "$TOKEN" | cut -d. -f2)"`,
  TOKEN_HALF_WAY_CHANGED: `changed_at "$(( $(printf %s "$TOKEN" | wc -c) * 11 / 20 ))"`,
  TOKEN_END_CHANGED: `changed_at "$(( $(printf %s "$TOKEN" | wc -c) * 17 / 20 ))"`,
  TOKEN_END_CUT: `printf %s "$TOKEN" | sed 's/=*$//; s/........$//'`,
};

/** How shells make a wrong password from the right one. */
const PASSWORDS: Readonly<Record<string, string>> = {
  WRONG_PASSWORD: `reshaped "$PASSWORD"`,
  PASSWORD_IN_OTHER_CASE: `printf %s "$PASSWORD" | tr 'a-zA-Z' 'A-Za-z'`,
  PASSWORD_CUT: `printf %s "$PASSWORD" | sed 's/.$//'`,
  PASSWORD_EXTENDED: `printf '%sabc' "$PASSWORD"`,
};

/** The functions that altered tokens and wrong passwords are made with. */
export const ALTERING = String.raw`# reshaped TEXT: other characters of the same kinds.
reshaped() { printf '%s\n' "$1" | tr 'a-zA-Z0-9' 'b-eaf-zgA-Zb-ea1-90' | tr -d '\n'; }
before_last() { printf %s "$TOKEN" | sed 's/[^.]*$//'; }
last_part() { printf %s "$TOKEN" | sed 's/.*\.//'; }
# changed_at PLACE: the token with another character in one place.
changed_at() {
  printf '%s\n' "$TOKEN" | awk -v at="$1" '{
    c = substr($0, at, 1); n = (c == "b") ? "c" : (c ~ /[0-9]/) ? (c + 1) % 10 : "b"
    printf "%s%s%s", substr($0, 1, at - 1), n, substr($0, at + 1) }'
}
# with_payload COMMAND: the token with a payload that a sed command changed.
with_payload() {
  payload=$(printf %s "$TOKEN" | cut -d. -f2 | tr '_-' '/+')
  while [ $(( $(printf %s "$payload" | wc -c) % 4 )) -ne 0 ]; do payload="$payload="; done
  changed=$(printf %s "$payload" | base64 -d | sed "$1" | base64 | tr -d '\n=' | tr '/+' '_-')
  printf '%s.%s.%s' "$(printf %s "$TOKEN" | cut -d. -f1)" "$changed" "$(printf %s "$TOKEN" | cut -d. -f3)"
}`;

/** A step before the case: a log-in for a token, or a line that makes a variable. */
export type Preparation =
  | { readonly variable: string; readonly scopes: readonly string[]; readonly isSecond: boolean }
  | { readonly line: string };

/**
 * What makes the variables that the labels in a case stand for, in the order in which they need one another; undefined
 * where one of them cannot be made again.
 */
export function preparations(labels: readonly string[]): Preparation[] | undefined {
  const all: Preparation[] = [];
  for (const label of labels) {
    const altered = ALTERED[label];
    const password = PASSWORDS[label];
    if (label === 'PASSWORD' || label === 'TOKEN') continue;
    else if (label === 'SECOND_PASSWORD')
      all.push({ line: 'SECOND_PASSWORD=${CONFORMANCE_SECOND_PASSWORD:?}' });
    else if (label === 'PANEL_TOKEN') all.push({ line: 'PANEL_TOKEN=${CONFORMANCE_ACCESS_TOKEN:?}' });
    else if (password !== undefined) all.push({ line: `${label}=$(${password})` });
    else if (altered !== undefined) {
      if (label === 'TOKEN_SCOPE_WIDENED')
        all.push({ variable: 'TOKEN_USER_READ', scopes: ['user_read'], isSecond: false });
      all.push({ line: `${label}=$(${altered})` });
    } else {
      const isSecond = label.startsWith('SECOND_');
      const scopes = scopesIn(label.replace(/^SECOND_/, '').replace(/^TOKEN_?/, ''));
      if (scopes === undefined) return undefined;
      all.push({ variable: label, scopes, isSecond });
    }
  }
  return all;
}

/** The scopes in the label of a token, such as `USER_READ_MUTATION`; none stand for `api`. */
function scopesIn(text: string): string[] | undefined {
  if (text === '') return ['api'];
  const scopes: string[] = [];
  const longestFirst = SCOPES.toSorted((one, other) => other.length - one.length);
  for (let rest = text.toLowerCase(); rest !== '';) {
    const scope = longestFirst.find((one) => rest === one || rest.startsWith(`${one}_`));
    if (scope === undefined) return undefined;
    scopes.push(scope);
    rest = rest.slice(scope.length + 1);
  }
  return scopes;
}
