import type { HtmlEscapedString } from 'hono/utils/html';
import type { Predicate } from '../../certificate/statement.ts';
import { dayOf } from '../../certificate/validity.ts';
import { visible } from '../visible.ts';

const HEIGHT = 20;
/** The approximate width of a character. The text is scaled to fit. */
const CHARACTER = 6.2;
const PADDING = 7;
const MOST_NAME = 40;

/**
 * A certificate as a badge: an SVG image that needs nothing else. It shows the day on which the certificate expires,
 * because an image cannot know whether that day has passed.
 */
export function badge({ product, target, notAfter }: Predicate): string {
  const full = visible(`${product.name} ${product.version}`);
  const name = full.length > MOST_NAME ? `${full.slice(0, MOST_NAME - 1)}…` : full;
  const what = target.isReference ? 'the reference conforms until' : 'conforms until';
  const claim = `${what} ${dayOf(notAfter)}`;
  const title = `${full}: ${claim}`;
  const [left, right] = [name, claim].map((text) => ({
    text,
    length: Math.round(text.length * CHARACTER),
    width: Math.round(text.length * CHARACTER) + 2 * PADDING,
  }));
  if (left === undefined || right === undefined) return '';
  const width = left.width + right.width;
  const image = (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={String(width)}
      height={String(HEIGHT)}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      <rect width={String(width)} height={String(HEIGHT)} rx="3" fill="#14692f" />
      <path d={`M3 0H${left.width}V${HEIGHT}H3A3 3 0 0 1 0 ${HEIGHT - 3}V3A3 3 0 0 1 3 0Z`} fill="#3a4250" />
      <g fill="#ffffff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
        <text x={String(PADDING)} y="14" textLength={String(left.length)}>
          {left.text}
        </text>
        <text x={String(left.width + PADDING)} y="14" textLength={String(right.length)}>
          {right.text}
        </text>
      </g>
    </svg>
  );
  return `${(image as HtmlEscapedString).toString()}\n`;
}
