import { LOGIN_PATH } from '../spec/operations.ts';

/**
 * The functions of every script. Requests are passed to curl in files: all users of a machine can read the arguments of
 * a command, and requests hold tokens and passwords.
 */
export const PRELUDE = String.raw`set -u
umask 077
LC_ALL=C; export LC_ALL
command -v curl >/dev/null || { echo 'curl is missing'; exit 2; }
work=$(mktemp -d) || exit 2
BASE=${'$'}{BASE%/}
BASE=${'$'}{BASE%/api/v2}
PASSWORD=$CONFORMANCE_PASSWORD

cannot() { echo "$1: the case cannot be repeated here"; exit 2; }
upper() { printf %s "$1" | tr a-z A-Z; }
title() { printf '%s%s' "$(printf %s "$1" | cut -c 1 | tr a-z A-Z)" "$(printf %s "$1" | cut -c 2-)"; }
quoted() { case $1 in *[\\\"]*) printf %s "$1" | sed 's/[\\"]/\\&/g' ;; *) printf %s "$1" ;; esac; }
PASSWORD_JSON=$(quoted "$PASSWORD")

# header LINE: a header of the next request. without NAME: curl does not add this one. body TEXT: its content.
header() { case $1 in *': ') set -- "${'$'}{1%: };" ;; esac; printf 'header = "%s"\n' "$(quoted "$1")" >>"$work/request"; }
without() { printf 'header = "%s:"\n' "$1" >>"$work/request"; }
body() { printf %s "$1" >"$work/sent"; }
# given: the headers in CONFORMANCE_HEADERS, a JSON object.
given() {
  printf %s "${'$'}{CONFORMANCE_HEADERS-}" | tr -d '\r\n' | awk '{ gsub(/" *, *"/, "\"\n\""); print }' |
    sed -n 's/^[{ ]*"\([^"]*\)" *: *"\(.*\)"[ }]*$/header = "\1: \2"/p'
}
# ask METHOD PATH [OPTION]: sends the request. Its status is in $status, its answer in the files head and body, and
# $trouble is not 0 where no whole answer came.
ask() {
  : >"$work/answer"; : >"$work/head"
  trouble=0
  if [ -n "${'$'}{CONFORMANCE_HEADERS-}" ]; then given >>"$work/request"; fi
  if [ -n "${'$'}{CONFORMANCE_CLIENT_KEY_PASSPHRASE-}" ]; then
    printf 'pass = "%s"\n' "$(quoted "$CONFORMANCE_CLIENT_KEY_PASSPHRASE")" >>"$work/request"
  fi
  printf 'url = "%s"\n' "$(quoted "$BASE$2")" >>"$work/request"
  if [ -e "$work/sent" ]; then printf 'data-binary = "@%s"\n' "$work/sent" >>"$work/request"; fi
  status=$(curl -q -sS -g --http1.1 --path-as-is -m "$(( (${'$'}{CONFORMANCE_TIMEOUT_MS:-15000} + 999) / 1000 ))" ${'$'}{3-} \
    ${'$'}{CONFORMANCE_CA_FILE:+--cacert "$CONFORMANCE_CA_FILE"} \
    ${'$'}{CONFORMANCE_CLIENT_CERT_FILE:+--cert "$CONFORMANCE_CLIENT_CERT_FILE"} \
    ${'$'}{CONFORMANCE_CLIENT_KEY_FILE:+--key "$CONFORMANCE_CLIENT_KEY_FILE"} -X "$1" \
    -o "$work/answer" -D "$work/head" -w '%{http_code}' -K "$work/request") || trouble=$?
  rm -f "$work/request" "$work/sent"
}
# as TOKEN METHOD PATH [BODY]: sends a request of the form that the specification describes.
as() {
  header 'Accept: application/json'
  header 'Content-Type: application/json'
  header "Authorization: Bearer $1"
  if [ $# -gt 3 ]; then body "$4"; fi
  ask "$2" "$3"
}
# log_in USERNAME PASSWORD SCOPES: prints a token.
log_in() {
  header 'Accept: application/json'
  header 'Content-Type: application/json'
  body "{\"username\":\"$(quoted "$1")\",\"password\":\"$(quoted "$2")\",\"scopes\":[$3]}"
  ask POST ${LOGIN_PATH}
  cp "$work/head" "$work/login"
  sed -n 's/.*"access_token" *: *"\([^"]*\)".*/\1/p' "$work/answer"
}
# entries: the tags of the list in the answer, one in a line. ids: their tag_ids.
entries() { tr -d '\n\000' <"$work/answer" | awk '{ gsub(/}[ \t]*,[ \t]*{/, "\n"); print }'; }
ids() { sed -n 's/.*"tag_id" *: *"\{0,1\}\([^",}]*\).*/\1/p' | sed 's,\\/,/,g'; }
# count TEXT [TEXT]: how many tags of the list have both; more than two count as two.
count() {
  tr -d '\n\000' <"$work/answer" | awk -v one="$1" -v other="${'$'}{2-}" '{
    gsub(/}[ \t]*,[ \t]*{/, "\n"); n = split($0, tags, "\n")
    for (i = 1; i <= n; i++) c += index(tags[i], one) > 0 && index(tags[i], other) > 0 }
    END { if (c > 2) c = 2; print c + 0 }'
}
# tag_id: the tag_id in the answer.
tag_id() { tr -d '\n' <"$work/answer" | awk '{ print }' | ids | head -n 1; }
# encoded TEXT: as it stands in a path.
encoded() { printf %s "$1" | sed 's/%/%25/g; s,/,%2F,g; s/+/%2B/g; s/?/%3F/g; s/#/%23/g; s/ /%20/g'; }
# encoded_at PLACE TEXT: with the character in this place percent-encoded, though it need not be.
encoded_at() {
  printf '%s%%%02X%s' "$(printf %s "$2" | sed "s/^\\(.\\{$1\\}\\).*/\\1/")" "'$(printf %s "$2" | cut -c "$(($1 + 1))")" \
    "$(printf %s "$2" | cut -c "$(($1 + 2))-")"
}
# name NUMBER: a new name of 14 letters, of which none stands twice in a row.
name() {
  printf '%010d%02d\n' "$(printf '%s %s %s' "$(date +%s)" "$$" "$1" | cksum | cut -d ' ' -f 1)" "$1" |
    awk '{ for (i = 1; i <= 12; i++) n = n substr(i % 2 ? "abdefghijk" : "lmnopqrsuv", substr($0, i, 1) + 1, 1); print "ct" n }'
}
# show: prints the answer without tokens.
show() {
  printf '  < %s %s\n' "$status" "$(tr -d '\000-\037\177' <"$work/answer" | sed 's/"access_token" *: *"[^"]*"/"access_token":"..."/' | cut -c 1-400)"
}
# shape: the body without its values. A list of objects is the set of their shapes.
values() { sed -E 's/""/E/g; s/: *"([^"\\]|\\.)*"/:S/g; s/"([^"\\]|\\.)*"([],])/S\2/g; s/[0-9]+/N/g; s/([SNE])(,[SNE])+/\1/g'; }
shape() {
  line=$(tr '\r\n\t' '   ' <"$work/answer" | tr -s ' ' | sed -E 's/ ?([][{},:]) ?/\1/g')
  case $line in
    *'[{'*'}]'*)
      printf '%s' "$(printf '%s\n' "$line" | sed 's/\[{.*}\]/[]/' | values)"
      printf '%s\n' "$line" | awk '{ print substr($0, index($0, "[{") + 2) }' | sed 's/\(.*\)}\].*$/\1/' | awk '{ gsub(/}[ \t]*,[ \t]*{/, "\n"); print }' |
        sed 's/$/,/' | values | sort -u | while IFS= read -r one; do printf ' %s' "$one"; done ;;
    *) printf '%s\n' "$line" | values ;;
  esac
}
media() { sed -n 's/^[Cc][Oo][Nn][Tt][Ee][Nn][Tt]-[Tt][Yy][Pp][Ee]: *\([^;[:space:]]*\).*/\1/p' "$work/head" | tail -n 1; }
# given_in HEADER: its value in the answer. HEADER is in lower case.
given_in() { tr -d '\r' <"$work/head" | awk -v name="$1:" 'index(tolower($0), name) == 1 { sub(/^[^:]*:[ \t]*/, ""); print }' | tail -n 1; }
# Plain http stays on this machine.
case $BASE in
  https://*|http://127.*|http://localhost|http://localhost:*|'http://[::1]'*) ;;
  *) [ -n "${'$'}{ALLOW_HTTP-}" ] || cannot 'the address is plain http (ALLOW_HTTP=1 allows it)' ;;
esac`;
