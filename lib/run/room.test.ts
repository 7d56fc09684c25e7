import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Claim, Room } from './room.ts';

/** A work that makes tags as soon as there is room for them. */
class Making {
  existing = 0;
  askers: number;
  readonly claim: Claim;

  constructor(room: Room, most: number, askers = 0) {
    this.askers = askers;
    this.claim = new Claim(room, most, this);
  }

  async make(): Promise<void> {
    const settled = await this.claim.take();
    this.existing++;
    settled();
  }

  remove(): void {
    this.existing--;
    this.claim.lower();
  }

  end(): void {
    this.existing = 0;
    this.claim.leave();
  }
}

describe('room', () => {
  test('is given tag by tag, so that what one work does not use is free for others', async () => {
    const room = new Room(4);
    const [one, other] = [new Making(room, 3), new Making(room, 3)];
    await one.make();
    await other.make();
    expect([one.claim.held, other.claim.held]).toEqual([1, 1]);
  });

  test('is given only if all can still get their most, one by one', async () => {
    const room = new Room(4);
    const [one, other] = [new Making(room, 3), new Making(room, 3)];
    await Promise.all([one.make(), one.make(), other.make()]);
    const waiting = other.make();
    await turn();
    // The last free tag is kept for the one that lacks only this.
    expect(other.existing).toBe(1);
    await one.make();
    one.end();
    await waiting;
    expect(other.existing).toBe(2);
  });

  test('is not kept by a work that has ended, if a create of it comes late', async () => {
    const room = new Room(2);
    const [one, other] = [new Making(room, 2), new Making(room, 2)];
    await one.make();
    one.existing = 0;
    one.claim.end();
    await expect(one.make()).rejects.toThrow('has ended');
    await Promise.all([other.make(), other.make()]);
    expect(other.existing).toBe(2);
  });

  test('is given back with a tag, and with all of them', async () => {
    const room = new Room(1);
    const [one, other, third] = [new Making(room, 1), new Making(room, 1), new Making(room, 1)];
    await one.make();
    const [second, last] = [other.make(), third.make()];
    one.remove();
    await second;
    other.end();
    await last;
    expect(third.claim.held).toBe(1);
  });

  test('goes first to the work for which most others wait', async () => {
    const room = new Room(1);
    const first = new Making(room, 1);
    await first.make();
    const begun: number[] = [];
    const waiting = [0, 2, 1].map(async (askers) => {
      const making = new Making(room, 1, askers);
      await making.make();
      begun.push(askers);
      making.end();
    });
    first.end();
    await Promise.all(waiting);
    expect(begun).toEqual([2, 1, 0]);
  });

  test('for more than there is means all of it, also where it has become less', async () => {
    const room = new Room(8);
    const [one, other] = [new Making(room, 20), new Making(room, 20)];
    await one.claim.takeAll();
    const whole = other.claim.takeAll();
    room.shrink(3);
    await turn();
    expect([one.claim.held, other.claim.held]).toEqual([8, 0]);
    one.end();
    await whole;
    expect(other.claim.held).toBe(3);
  });

  test('that becomes less still holds what was promised', async () => {
    const room = new Room(8);
    const making = new Making(room, 6);
    await making.make();
    room.shrink(2);
    await Promise.all(Array.from({ length: 5 }, () => making.make()));
    expect(making.existing).toBe(6);
  });

  test('goes to one of those that have some, if deleted tags come back and all wait', async () => {
    const room = new Room(4);
    const [one, other] = [new Making(room, 3), new Making(room, 3)];
    await Promise.all([one.make(), one.make(), other.make()]);
    one.remove();
    await other.make();
    // The deleted tag is there again.
    one.existing++;
    const making = [one.make(), other.make()];
    await Promise.race(making);
    expect([one.existing, other.existing]).toEqual([3, 2]);
    one.end();
    await Promise.all(making);
    expect(other.existing).toBe(3);
  });

  test('never keeps works waiting for each other, and never holds more tags than it has room for', async () => {
    const step = fc.constantFrom('make', 'make', 'remove', 'all');
    const work = fc.record({
      most: fc.integer({ min: 1, max: 12 }),
      steps: fc.array(step, { maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(work, { maxLength: 8 }),
        fc.integer({ min: 1, max: 10 }),
        async (works, total) => {
          const room = new Room(total);
          const makings = works.map(({ most }) => new Making(room, most));
          const doing = works.map(async ({ most, steps }, at) => {
            const making = makings[at] as Making;
            for (const one of steps) {
              if (one === 'remove' && making.existing > 0) making.remove();
              if (one === 'make' && making.existing < Math.min(most, total)) await making.make();
              if (one === 'all') await making.claim.takeAll();
              expect(makings.reduce((sum, { existing }) => sum + existing, 0)).toBeLessThanOrEqual(total);
              await turn();
            }
            making.end();
          });
          await Promise.all(doing);
        },
      ),
    );
  });
});
