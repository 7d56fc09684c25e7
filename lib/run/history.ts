import type { Sign, Signs } from '../account/signs.ts';
import type { Listener } from '../http/listener.ts';
import { slim, type Exchange } from '../http/exchange.ts';
import { lineOf } from '../http/wording.ts';
import { broken, type Outcome } from '../outcome.ts';
import type { Requirement } from '../requirement.ts';

/** The most findings of one requirement that are kept with their exchanges. The others are only counted. */
const SHOWN = 3;

type Watching = Pick<Requirement, 'id' | 'watch' | 'signs'>;

interface Findings {
  readonly numbers: Set<number>;
  readonly shown: { readonly why: string; readonly exchange: Exchange }[];
}

/**
 * Findings from the run as a whole: from the exchanges that requirements watch, and from signs. They are complete when the
 * run is over.
 */
export class History implements Listener {
  readonly #watching: readonly Watching[];
  readonly #signs: Signs;
  readonly #findings = new Map<string, Findings>();
  /** The first fault of the suite in a requirement's `watch`. */
  fault: unknown;

  constructor(requirements: readonly Watching[], signs: Signs) {
    this.#watching = requirements.filter(({ watch }) => watch !== undefined);
    this.#signs = signs;
  }

  heard(exchange: Exchange): void {
    for (const { id, watch } of this.#watching) {
      const why = this.#guarded(() => watch?.(exchange));
      if (why === undefined) continue;
      const findings = this.#findings.get(id) ?? { numbers: new Set(), shown: [] };
      this.#findings.set(id, findings);
      findings.numbers.add(exchange.number);
      if (findings.shown.length < SHOWN) findings.shown.push({ why, exchange: slim(exchange) });
    }
  }

  retracted({ number }: Exchange): void {
    for (const { numbers, shown } of this.#findings.values()) {
      numbers.delete(number);
      const at = shown.findIndex(({ exchange }) => exchange.number === number);
      if (at >= 0) shown.splice(at, 1);
    }
  }

  deferred(exchange: Exchange): void {
    this.#signs.record('throttled', 'the target asked for slower requests', exchange);
  }

  /** The finding of the whole run about a requirement, or undefined. */
  outcomeOf({ id, signs = [] }: Watching): Outcome | undefined {
    const seen = (): Outcome | undefined => signs.flatMap((sign) => this.#signOf(sign) ?? [])[0];
    return this.#findingOf(id) ?? seen();
  }

  #findingOf(id: string): Outcome | undefined {
    const { numbers, shown } = this.#findings.get(id) ?? { numbers: new Set(), shown: [] };
    const [first] = shown;
    if (first === undefined) return undefined;
    const more = numbers.size > 1 ? ` (and ${numbers.size - 1} more of this run's answers as well)` : '';
    return broken(`${lineOf(first.exchange)} ${first.why}${more}`, ...shown.map(({ exchange }) => exchange));
  }

  #signOf(sign: Sign): Outcome | undefined {
    const seen = this.#signs.of(sign);
    const [first] = seen;
    if (first === undefined) return undefined;
    const times = seen.length > 1 ? ` (${seen.length} times in this run)` : '';
    return broken(`${first.why}${times}`, ...first.exchanges);
  }

  #guarded(work: () => string | undefined): string | undefined {
    try {
      return work();
    } catch (error) {
      this.fault ??= error;
      return undefined;
    }
  }
}
