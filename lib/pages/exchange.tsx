import type { Child } from 'hono/jsx';
import type { Evidence } from '../judging/evidence.ts';
import { inBrief } from '../reports/brief.ts';
import { Copyable } from './code.tsx';

/** The most characters of a body. The report in JSON holds more. */
const MOST_BODY = 2_000;

/** An exchange as two messages side by side: what was sent and what came. */
export const Exchange = ({
  exchange,
  matters = [],
  withCommand = false,
}: {
  exchange: Evidence;
  /** Names of headers and texts that the finding is about: they are marked. */
  matters?: readonly string[];
  withCommand?: boolean;
}): Child => {
  const { number, request, answer, failure, came, durationMs, decides, curl } = exchange;
  return (
    <div class="exchange-block">
      <h4>
        Exchange {number}
        {decides === true ? ', which decides' : ''}: {request.method}{' '}
        {answer === undefined ? 'without an answer' : `answered ${answer.status}`} in {durationMs} ms
      </h4>
      <div class="sides exchange">
        <div>
          <Message
            label={`Request of exchange ${number}`}
            lines={[`${request.method} ${request.url}`, ...request.headers]}
            body={request.body}
            matters={[]}
          />
        </div>
        <div>
          <Message
            label={`Answer of exchange ${number}`}
            lines={answer === undefined ? [failure ?? 'no answer'] : [`${answer.status}`, ...answer.headers]}
            body={answer === undefined ? came : answer.body}
            matters={matters}
          />
        </div>
      </div>
      {withCommand ? (
        <>
          <Copyable text={curl} label={`the command that sends exchange ${number} again`} />
          <StandIns command={curl} />
        </>
      ) : null}
    </div>
  );
};

/** What has to be set before a command can be run: it has names in place of secrets. */
const StandIns = ({ command }: { command: string }): Child => {
  const names = [...new Set(command.match(/\$[A-Z][A-Z_0-9]+/g))];
  if (names.length === 0) return null;
  return (
    <p class="quiet">
      Set {names.join(', ')} in the shell first: {names.length === 1 ? 'it stands' : 'they stand'} for what no
      report shows{names.includes('$TOKEN') ? ', a token for the access_token of a login' : ''}.
    </p>
  );
};

/** An exchange in two lines. */
export const BriefExchange = ({ exchange }: { exchange: Evidence }): Child => {
  const [sent, got] = inBrief(exchange, 160);
  return (
    <li value={exchange.number}>
      <code>{sent}</code>
      <br />
      <code>{got}</code>
    </li>
  );
};

const Message = ({
  label,
  lines,
  body,
  matters,
}: {
  label: string;
  lines: readonly string[];
  body: string | undefined;
  matters: readonly string[];
}): Child => (
  <pre tabindex={0} role="group" aria-label={label}>
    {lines.map((line, at) => [
      at === 0 ? '' : '\n',
      matters.some((name) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `)) ? (
        <mark>{line}</mark>
      ) : (
        line
      ),
    ])}
    {body === undefined || body === '' ? null : ['\n\n', marked(cutBody(body), matters)]}
  </pre>
);

const cutBody = (body: string): string =>
  body.length <= MOST_BODY ? body : `${body.slice(0, MOST_BODY)}… (${body.length} characters in the report)`;

/** The text with the parts marked that matter. */
function marked(text: string, matters: readonly string[]): Child[] {
  const parts = matters.filter((one) => one.length > 1 && text.includes(one));
  const [first] = parts.toSorted((one, other) => other.length - one.length);
  if (first === undefined) return [text];
  return text.split(first).flatMap((part, at) => [
    ...(at === 0 ? [] : [<mark>{first}</mark>]),
    ...marked(
      part,
      parts.filter((one) => one !== first),
    ),
  ]);
}

/** The names of headers and the quoted texts in the sentence of a finding. */
export const mattersIn = (reason: string): string[] => [
  ...[...reason.matchAll(/\b[A-Z][a-z]+(?:-[A-Z][A-Za-z]+)+\b|\bLocation\b/g)].map(([name]) => name),
  ...[...reason.matchAll(/"(?:[^"\\…]|\\.){2,}"/g)].map(([text]) => text),
];
