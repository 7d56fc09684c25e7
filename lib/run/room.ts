import { Undecided } from '../outcome.ts';

/**
 * Room for tags. Each claim states the most tags that it may have at once, and takes room for one after another. It gets
 * room only if all claims could still get their most afterwards, one by one, so that they never wait for each other in a
 * circle (the banker's algorithm).
 */
export class Room {
  #total: number;
  /** Claims that have taken room and may take more. */
  readonly #entered = new Set<Claim>();
  /** Claims that wait for room, in the order of their arrival. */
  readonly #queue: Waiting[] = [];

  constructor(total: number) {
    this.#total = total;
  }

  get total(): number {
    return this.#total;
  }

  /** Lowers the total. Claims that have taken room still get all that they were promised. */
  shrink(total: number): void {
    if (total >= this.#total) return;
    for (const claim of this.#entered) claim.holdAll(claim.most);
    this.#total = total;
  }

  /**
   * Waits for room.
   *
   * @param most for how many more tags. A claim never gets more than it still lacks.
   * @param take called at the moment when the claim gets it.
   */
  async enter(claim: Claim, most: number, take: () => void): Promise<void> {
    await new Promise<void>((resolve) => {
      const go = (): void => {
        take();
        resolve();
      };
      this.#queue.push({ claim, most, go });
      this.serve();
    });
  }

  leave(claim: Claim): void {
    this.#entered.delete(claim);
    this.serve();
  }

  /** Gives room that may have become free to claims that wait for it. */
  serve(): void {
    let next = this.#next();
    while (next !== undefined) {
      this.#queue.splice(this.#queue.indexOf(next), 1);
      this.#entered.add(next.claim);
      next.go();
      next = this.#next();
    }
  }

  /**
   * The first that can get room. Claims for whose work most others wait go first, then those that have some room, because
   * others may wait for what they hold.
   */
  #next(): Waiting | undefined {
    if (this.#queue.length === 0) return undefined;
    const entered = new Map([...this.#entered].map((claim) => [claim, roomOf(claim)]));
    const hasSome = ({ claim }: Waiting): boolean => entered.has(claim);
    const free = this.#free([...entered.values()]);
    const inOrder = this.#queue.toSorted(
      (one, other) =>
        other.claim.work.askers - one.claim.work.askers || Number(hasSome(other)) - Number(hasSome(one)),
    );
    const safe = inOrder.find(({ claim, most }) => {
      const { held, lacks } = entered.get(claim) ?? roomOf(claim);
      const more = Math.min(most, lacks);
      // A claim that has all that it may have never waits, because others may wait for it.
      if (more === 0) return true;
      if (more > free) return false;
      const others = [...entered].flatMap(([other, room]) => (other === claim ? [] : room));
      return this.#isSafe([...others, { held: held + more, lacks: lacks - more }]);
    });
    // Tags that reappear after their deletes take up room that no claim took. Then all claims may wait, and none is safe.
    const isStuck = [...entered.keys()].every((claim) => this.#queue.some((one) => one.claim === claim));
    return safe ?? (isStuck ? inOrder.find(hasSome) : undefined);
  }

  #free(claims: readonly RoomOf[]): number {
    return claims.reduce((left, { held }) => left - held, this.#total);
  }

  /** Whether claims could get all that they lack, one by one. */
  #isSafe(claims: readonly RoomOf[]): boolean {
    let free = this.#free(claims);
    for (const { held, lacks } of claims.toSorted((one, other) => one.lacks - other.lacks)) {
      if (lacks > free) return false;
      free += held;
    }
    return true;
  }
}

/** What a claim has, and what it may still take. */
interface RoomOf {
  readonly held: number;
  readonly lacks: number;
}

const roomOf = ({ held, most }: Claim): RoomOf => ({ held, lacks: Math.max(0, most - held) });

interface Waiting {
  readonly claim: Claim;
  readonly most: number;
  readonly go: () => void;
}

/** What a claim has to know of the work that it is for. */
interface Claiming {
  /** How many of its tags may exist. */
  readonly existing: number;
  /** How many other works wait for it. */
  readonly askers: number;
}

/** The room that one work may take. */
export class Claim {
  readonly work: Claiming;
  readonly #room: Room;
  readonly #most: number;
  /** Creates under way, each of which may make a tag. */
  #creating = 0;
  /** The room that the work holds whether it has as many tags or not. */
  #heldAll: number | undefined;
  #hasEnded = false;

  /** @param most the most tags at once; a number above the total of the room means all. */
  constructor(room: Room, most: number, work: Claiming) {
    this.#room = room;
    this.#most = most;
    this.work = work;
  }

  get most(): number {
    return Math.min(this.#most, this.#room.total);
  }

  get held(): number {
    return this.#heldAll ?? this.work.existing + this.#creating;
  }

  /**
   * Waits for room for one more tag. Call the result when its create has ended.
   *
   * @throws Undecided if the work has ended: nobody would give the room back.
   */
  async take(): Promise<() => void> {
    await this.#room.enter(this, 1, () => this.#creating++);
    if (this.#hasEnded) {
      this.#creating--;
      this.leave();
      throw new Undecided('failure', 'the check that asked for it has ended');
    }
    return () => {
      this.#creating--;
      this.#room.serve();
    };
  }

  /** Waits for room for all tags that the work may have. Resolves at once if it has all. */
  async takeAll(): Promise<void> {
    await this.#room.enter(this, Infinity, () => this.holdAll(Math.max(this.most, this.held)));
  }

  /** Holds room for this many tags until `leave`. */
  holdAll(count: number): void {
    this.#heldAll = count;
  }

  /** Tells that the work may have fewer tags than before. */
  lower(): void {
    this.#room.serve();
  }

  /** Gives all room back. */
  leave(): void {
    this.#heldAll = undefined;
    this.#room.leave(this);
  }

  /** Gives all room back, and takes none again: a request of the work may come when another one has ended it. */
  end(): void {
    this.#hasEnded = true;
    this.leave();
  }
}
