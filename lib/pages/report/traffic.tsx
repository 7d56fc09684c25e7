import type { Child } from 'hono/jsx';
import { seconds } from '../../reports/moment.ts';
import type { Report } from '../../reports/schema.ts';

type Course = NonNullable<Report['course']>;

/** The operations from the bottom of a bar, each with its name for people. */
const OPERATIONS = [
  ['login', 'login'],
  ['create', 'create'],
  ['rename', 'update'],
  ['list', 'list'],
  ['delete', 'delete'],
] as const;

const NAMES: Readonly<Record<string, string>> = Object.fromEntries(OPERATIONS);

/** The picture in its own units: a bar for each slice, and below it the longest time until an answer. */
const WIDTH = 960;
const LEFT = 44;
const RIGHT = 8;
const TOP = 14;
const BARS = 130;
const GAP = 34;
const TIMES = 70;
const HEIGHT = TOP + BARS + GAP + TIMES + 24;

/** When the requests were sent, how long they took, and when the target asked the run to wait. */
export const Traffic = ({ report }: { report: Report }): Child => {
  const { course, traffic, durationMs } = report;
  return (
    <section aria-labelledby="traffic">
      <h2 id="traffic">The traffic</h2>
      <p>
        {traffic.requests} requests in {seconds(durationMs)}: {traffic.writes} that write tags,{' '}
        {traffic.logins} logins ({traffic.failedLogins} of them refused), {traffic.retries} sent once more.{' '}
        {waitsIn(report)}
      </p>
      {course === undefined ? null : <Picture course={course} />}
      {course === undefined ? null : <Tables course={course} />}
    </section>
  );
};

/** How often and how long the whole run waited. Requests that waited at the same time count separately. */
function waitsIn({ course, traffic }: Report): string {
  if (traffic.waitedMs === 0) return 'The target asked for no pause.';
  const pauses = course?.pauses ?? [];
  const ms = pauses.reduce((all, one) => all + one.ms, 0);
  return `The run paused ${pauses.length} times, ${seconds(ms)} in all, because the target asked for it.`;
}

const Picture = ({ course }: { course: Course }): Child => {
  const { slices, sliceMs, pauses } = course;
  const lengthMs = slices.length * sliceMs;
  const x = (ms: number): number => round(LEFT + (ms / lengthMs) * (WIDTH - LEFT - RIGHT));
  const most = Math.max(1, ...slices.map(({ sent }) => total(sent)));
  const slowest = Math.max(1, ...slices.map(({ slowestMs }) => slowestMs));
  const floor = TOP + BARS;
  const base = floor + GAP + TIMES;
  const width = round(Math.max(0.5, (WIDTH - LEFT - RIGHT) / slices.length - 0.6));
  return (
    <figure tabindex={0} aria-label="Requests over time">
      <svg
        role="img"
        aria-labelledby="traffic-title"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width={WIDTH}
        height={HEIGHT}
      >
        <title id="traffic-title">
          {`Requests over ${seconds(lengthMs)}: at most ${most} in ${sliceMs} ms; the slowest answer took ${slowest} ms; ${pauses.length} pauses.`}
        </title>
        {pauses.map(({ fromMs, ms, status }) => (
          <rect
            class="c-wait"
            fill="#f0c05c"
            fill-opacity="0.4"
            x={x(fromMs)}
            y={TOP}
            width={Math.max(1, round(x(fromMs + ms) - x(fromMs)))}
            height={base - TOP}
          >
            <title>{`${seconds(ms)} waiting after ${status}`}</title>
          </rect>
        ))}
        <text x="0" y={TOP - 3}>{`requests in ${sliceMs} ms`}</text>
        <text x={LEFT - 6} y={TOP + 10} text-anchor="end">
          {most}
        </text>
        {slices.map((slice, at) => (
          <Bar slice={slice} x={x(at * sliceMs)} width={width} floor={floor} scale={BARS / most} />
        ))}
        <line class="c-axis" stroke="#8888" x1={LEFT} x2={WIDTH - RIGHT} y1={floor} y2={floor} />
        <text x="0" y={floor + GAP - 6}>
          slowest answer, in ms
        </text>
        <text x={LEFT - 6} y={floor + GAP + 10} text-anchor="end">
          {slowest}
        </text>
        {slices.map(({ slowestMs, troubled }, at) =>
          slowestMs === 0 ? null : (
            <rect
              class={troubled > 0 ? 'c-delete' : 'c-list'}
              fill={troubled > 0 ? '#c2453f' : '#2f78c4'}
              x={x(at * sliceMs)}
              y={round(base - (slowestMs / slowest) * TIMES)}
              width={width}
              height={round((slowestMs / slowest) * TIMES)}
            />
          ),
        )}
        <line class="c-axis" stroke="#8888" x1={LEFT} x2={WIDTH - RIGHT} y1={base} y2={base} />
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <text
            x={x(share * lengthMs)}
            y={base + 16}
            text-anchor={share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}
          >
            {seconds(share * lengthMs)}
          </text>
        ))}
      </svg>
      <figcaption>
        <ul class="legend">
          {OPERATIONS.map(([operation, name]) => (
            <li>
              <Swatch name={`c-${operation}`} /> {name}
            </li>
          ))}
          {pauses.length === 0 ? null : (
            <li>
              <Swatch name="c-wait" /> waiting, as the target asked
            </li>
          )}
          {slices.some(({ troubled }) => troubled > 0) ? (
            <li>
              <Swatch name="c-delete" /> below: with answers 5xx, or without an answer
            </li>
          ) : null}
        </ul>
      </figcaption>
    </figure>
  );
};

const Swatch = ({ name }: { name: string }): Child => (
  <svg width="12" height="12" aria-hidden="true">
    <rect class={name} width="12" height="12" />
  </svg>
);

const Bar = ({
  slice: { sent },
  x,
  width,
  floor,
  scale,
}: {
  slice: Course['slices'][number];
  x: number;
  width: number;
  floor: number;
  scale: number;
}): Child => {
  let y = floor;
  return OPERATIONS.map(([operation]) => {
    const count = sent[operation] ?? 0;
    if (count === 0) return null;
    y -= count * scale;
    return <rect class={`c-${operation}`} x={x} y={round(y)} width={width} height={round(count * scale)} />;
  });
};

const round = (value: number): number => Math.round(value * 10) / 10;

const total = (sent: Course['slices'][number]['sent']): number =>
  Object.values(sent).reduce((all, count) => all + count, 0);

const Tables = ({ course: { pauses, slowest } }: { course: Course }): Child => (
  <>
    {pauses.length === 0 ? null : (
      <details>
        <summary>Pauses that the target asked for: {pauses.length}</summary>
        <Table
          caption="From an answer that asks to come back later until the next request"
          heads={['at', 'status', 'waited']}
          rows={pauses.map(({ fromMs, status, ms }) => [seconds(fromMs), String(status), seconds(ms)])}
        />
      </details>
    )}
    <details>
      <summary>The slowest exchanges</summary>
      <Table
        caption={`The ${slowest.length} exchanges that took longest`}
        heads={['exchange', 'operation', 'at', 'answered', 'took']}
        rows={slowest.map(({ number, operation, fromMs, status, ms }) => [
          String(number),
          NAMES[operation] ?? operation,
          seconds(fromMs),
          status === 0 ? 'not at all' : String(status),
          `${ms} ms`,
        ])}
      />
    </details>
  </>
);

const Table = ({
  caption,
  heads,
  rows,
}: {
  caption: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}): Child => (
  <div class="table" tabindex={0} role="group" aria-label={caption}>
    <table class="figures">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map((cell) => (
              <td class="number">{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
