import type { Listener } from '../http/client.ts';
import { slim, type Exchange } from '../http/exchange.ts';
import { lineOf } from '../http/wording.ts';
import { broken, type Outcome } from '../outcome.ts';
import type { Requirement } from '../requirement.ts';

/** So many findings of one requirement are shown; the others are counted. */
const SHOWN = 3;

interface Findings {
  readonly numbers: Set<number>;
  readonly shown: { readonly why: string; readonly exchange: Exchange }[];
}

/** Shows every exchange of a run to the requirements that watch all of them, as soon as it has ended. */
export class Watch implements Listener {
  readonly #watching: readonly Requirement[];
  readonly #findings = new Map<string, Findings>();
  /** The first fault of the suite itself while it watched. */
  fault: unknown;

  constructor(requirements: readonly Requirement[]) {
    this.#watching = requirements.filter(({ watch }) => watch !== undefined);
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

  takenBack({ number }: Exchange): void {
    for (const { numbers, shown } of this.#findings.values()) {
      numbers.delete(number);
      const at = shown.findIndex(({ exchange }) => exchange.number === number);
      if (at >= 0) shown.splice(at, 1);
    }
  }

  /** What a requirement found in all exchanges: the first is told, the others are counted; undefined where nothing. */
  outcomeOf({ id }: Requirement): Outcome | undefined {
    const { numbers, shown } = this.#findings.get(id) ?? { numbers: new Set(), shown: [] };
    const [first] = shown;
    if (first === undefined) return undefined;
    const more = numbers.size > 1 ? ` (and ${numbers.size - 1} more of this run's answers likewise)` : '';
    return broken(`${lineOf(first.exchange)} ${first.why}${more}`, ...shown.map(({ exchange }) => exchange));
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
