import { SCOPES } from '../spec/operations.ts';

/** How shells make an altered token from a valid one in `$TOKEN`. Each prints the token. */
const ALTERED: Readonly<Record<string, string>> = {
  TOKEN_EMPTY: ':',
  TOKEN_MADE_UP: `printf 'made-up-%s' "$$"`,
  TOKEN_NEVER_ISSUED: 'never_issued',
  TOKEN_PAYLOAD_CHANGED: `with_part 2 's/}$/,"note":"x"}/'`,
  TOKEN_EXPIRY_LATER: `with_part 2 's/"exp": *[0-9]*/"exp":4102444800/'`,
  TOKEN_SIGNATURE_START_CHANGED: `changed_at "$(($(before_last | wc -c) + 1))"`,
  TOKEN_SIGNATURE_END_CHANGED: `changed_at "$(($(printf %s "$TOKEN" | wc -c) - $(last_part | wc -c) / 5))"`,
  TOKEN_SIGNATURE_STRIPPED: 'before_last',
  TOKEN_SIGNATURE_EXTENDED: `printf '%sAAAAAAAA' "$TOKEN"`,
  TOKEN_SIGNATURE_IN_OTHER_CASE: `before_last; last_part | tr 'a-zA-Z' 'A-Za-z'`,
  TOKEN_SEGMENTS_CUT: `before_last | sed 's/\\.$//'`,
  TOKEN_IN_LOWER_CASE: `printf %s "$TOKEN" | tr A-Z a-z`,
  TOKEN_ALGORITHM_NONE: `printf 'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.%s.' "$(printf %s "$TOKEN" | cut -d. -f2)"`,
  TOKEN_HEADER_EXTENDED: `with_part 1 's/}$/,"note":"x"}/'`,
  TOKEN_ALGORITHM_OTHER: `with_part 1 's/"alg": *"[^"]*"/"alg":"RS256"/'`,
  TOKEN_UNSIGNED_IN_OTHER_CASE: `TOKEN=$(with_part 1 's/"alg": *"[^"]*"/"alg":"nOnE"/'); before_last`,
  TOKEN_KEY_UNKNOWN: `with_empty_key 's/}$/,"kid":"no-such-key"}/'`,
  TOKEN_KEY_OF_FILE: `with_empty_key 's,}$,\\,"kid":"../../../../../../../dev/null"},'`,
  TOKEN_KEY_OF_QUERY: `with_empty_key "s/}\\$/,\\"kid\\":\\"x' UNION SELECT '' -- \\"}/"`,
  TOKEN_HALF_WAY_CHANGED: `changed_at "$(($(printf %s "$TOKEN" | wc -c) * 11 / 20))"`,
  TOKEN_END_CHANGED: `changed_at "$(($(printf %s "$TOKEN" | wc -c) * 17 / 20))"`,
  TOKEN_END_CUT: `printf %s "$TOKEN" | sed 's/=*$//; s/........$//'`,
  TOKEN_COOKIES: `sed -n 's/^[Ss]et-[Cc]ookie: *\\([^;[:space:]]*\\).*/\\1/p' "$work/login" | awk '{ printf "%s%s", s, $0; s = "; " }'`,
};

/** How shells make a wrong password from the right one, and the right one in another form. */
const PASSWORDS: Readonly<Record<string, string>> = {
  WRONG_PASSWORD: `reshaped "$PASSWORD"`,
  PASSWORD_TURNED: `printf %s "$PASSWORD" | sed 's/^\\(.\\)\\(.*\\)$/\\2\\1/'`,
  PASSWORD_TURNED_INSIDE: `printf '%s\\n' "$PASSWORD" | awk '{ n = length($0); k = int(n / 3); printf "%s%s%s%s", substr($0, 1, k), substr($0, k + 2, n - 2 * k - 1), substr($0, k + 1, 1), substr($0, n - k + 1) }'`,
  PASSWORD_IN_OTHER_CASE: `printf %s "$PASSWORD" | tr 'a-zA-Z' 'A-Za-z'`,
  PASSWORD_FIRST_LETTER: `printf %s "$PASSWORD" | cut -c 1 | tr -d '\\n' | tr 'a-zA-Z' 'A-Za-z'; printf %s "$PASSWORD" | cut -c 2- | tr -d '\\n'`,
  PASSWORD_CUT: `printf %s "$PASSWORD" | cut -c 1-72 | sed 's/.$//'`,
  PASSWORD_EXTENDED: `printf "%s' OR '1'='1' AND '\\303\\251'='2|.*" "$PASSWORD"`,
  PASSWORD_EXTENDED_BY_LETTERS: `printf '%sqz' "$PASSWORD"`,
  PASSWORD_WITH_WILDCARD: `printf %s "$PASSWORD" | sed 's/.$/%/'`,
  PASSWORD_WITH_BLANK: `with_inside ' '`,
  PASSWORD_WITH_MARKUP: `with_inside '<i></i>'`,
};

/** The right password as a JSON text in which every character is an escape. */
const ESCAPED_PASSWORD = `printf %s "$PASSWORD" | od -An -v -tx1 | tr -d '\\n' | sed 's/  */\\\\u00/g'`;

/** The functions that altered tokens and wrong passwords are made with. */
export const ALTERING = String.raw`
# reshaped TEXT: other characters of the same kinds, also where they are hexadecimal digits.
reshaped() { printf '%s\n' "$1" | tr 'a-zA-Z0-9' 'b-fah-zgB-FAH-ZG1-90' | tr -d '\n'; }
# with_inside TEXT: the password with a text in its middle.
with_inside() {
  half=$(($(printf %s "$PASSWORD" | wc -c) / 2))
  printf '%s%s%s' "$(printf %s "$PASSWORD" | cut -c "1-$half")" "$1" "$(printf %s "$PASSWORD" | cut -c "$((half + 1))-")"
}
before_last() { printf %s "$TOKEN" | sed 's/[^.]*$//'; }
last_part() { printf %s "$TOKEN" | sed 's/.*\.//'; }
# never_issued: a token of the same form. A number at the start of a token may be what it is looked up by.
never_issued() {
  case $TOKEN in
    [0-9]*'|'*) printf '%s|' "${'$'}{TOKEN%%|*}"; reshaped "${'$'}{TOKEN#*|}" ;;
    *) before_last; reshaped "$(last_part)" ;;
  esac
}
# changed_at PLACE: the token with another character in one place.
changed_at() {
  printf '%s\n' "$TOKEN" | awk -v at="$1" '{
    c = substr($0, at, 1); n = (c == "b") ? "c" : (c ~ /[0-9]/) ? (c + 1) % 10 : "b"
    printf "%s%s%s", substr($0, 1, at - 1), n, substr($0, at + 1) }'
}
# part NUMBER: a part of the token, without its base64.
part() {
  encoded=$(printf %s "$TOKEN" | cut -d. -f"$1" | tr '_-' '/+')
  while [ $(($(printf %s "$encoded" | wc -c) % 4)) -ne 0 ]; do encoded="$encoded="; done
  printf %s "$encoded" | base64 -d
}
in_base64() { base64 | tr -d '\n=' | tr '/+' '_-'; }
# with_part NUMBER COMMAND: the token with a part that a sed command changed.
with_part() {
  changed=$(part "$1" | sed "$2" | tr -d '\n' | in_base64)
  printf '%s\n' "$TOKEN" | awk -F. -v at="$1" -v new="$changed" '{ $at = new; printf "%s.%s.%s", $1, $2, $3 }'
}
# with_empty_key COMMAND: the token with a header that a sed command changed, signed with an empty key.
with_empty_key() {
  command -v openssl >/dev/null || cannot 'openssl is missing, which signs the token'
  content="$(part 1 | sed "s/\"alg\": *\"[^\"]*\"/\"alg\":\"HS256\"/; $1" | tr -d '\n' | in_base64).$(printf %s "$TOKEN" | cut -d. -f2)"
  printf '%s.%s' "$content" "$(printf %s "$content" | openssl dgst -sha256 -mac HMAC -macopt hexkey:00 -binary | in_base64)"
}`;

/** A step before the case: a log-in for a token, or a line that makes a variable. */
export type Preparation =
  | { readonly variable: string; readonly scopes: readonly string[]; readonly isSecond: boolean }
  /** `isJson`: its value is already written as in a JSON string. */
  | { readonly line: string; readonly isJson?: true };

/**
 * The commands that set the variables for the labels in a case, in the order in which they depend on one another;
 * undefined if one of them cannot be made again.
 */
export function preparations(labels: readonly string[]): Preparation[] | undefined {
  const all: Preparation[] = [];
  for (const label of labels) {
    const shell = ALTERED[label] ?? passwordOf(label) ?? changedAt(label);
    const widened = /^TOKEN_WIDENED_(.+)$/.exec(label)?.[1];
    if (label === 'PASSWORD' || label === 'TOKEN') continue;
    else if (label === 'SECOND_PASSWORD')
      all.push({ line: 'SECOND_PASSWORD=${CONFORMANCE_SECOND_PASSWORD:?}' });
    else if (label === 'PANEL_TOKEN') all.push({ line: 'PANEL_TOKEN=${CONFORMANCE_ACCESS_TOKEN:?}' });
    else if (label === 'PASSWORD_IN_ESCAPES')
      all.push({ line: `${label}=$(${ESCAPED_PASSWORD})`, isJson: true });
    else if (shell !== undefined) all.push({ line: `${label}=$(${shell})` });
    else if (widened !== undefined) {
      const scope = widened.toLowerCase();
      all.push({ variable: 'NARROW_TOKEN', scopes: [scope], isSecond: false });
      const change = `s/"${scope}"\\([^:]\\)/"api"\\1/`;
      all.push({ line: `${label}=$(TOKEN=$NARROW_TOKEN; with_part 2 '${change}')` });
    } else {
      const isSecond = label.startsWith('SECOND_');
      const scopes = scopesIn(label.replace(/^SECOND_/, '').replace(/^TOKEN_?/, ''));
      if (scopes === undefined) return undefined;
      all.push({ variable: label, scopes, isSecond });
    }
  }
  return all;
}

/** A password that is derived from the password of the account in its label. */
function passwordOf(label: string): string | undefined {
  const isSecond = label.startsWith('SECOND_');
  const shell = PASSWORDS[label.replace(/^SECOND_/, '')];
  return shell !== undefined && isSecond ? `PASSWORD=\${CONFORMANCE_SECOND_PASSWORD:?}; ${shell}` : shell;
}

/** A token with one character changed, by the place of that character from the end. */
function changedAt(label: string): string | undefined {
  const fromEnd = /^TOKEN_ALTERED_(\d+)_FROM_END$/.exec(label)?.[1];
  return fromEnd === undefined
    ? undefined
    : `changed_at "$(($(printf %s "$TOKEN" | wc -c) - ${Number(fromEnd) - 1}))"`;
}

/** The scopes in the label of a token, such as `USER_READ_MUTATION`; a label without scopes means `api`. */
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
