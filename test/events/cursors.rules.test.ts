import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorOf, eventIdOf, idInCursor } from '../../src/events/rules-cursor';

const KEY = '000102030405060708090a0b0c0d0e0f';
const id = fc.integer({ min: 1, max: 2 ** 48 - 1 });
const chance = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe('cursors of events', () => {
  it('give back the id they were made of, whatever the chance, and look different by it', () => {
    fc.assert(
      fc.property(id, chance, chance, (one, first, second) => {
        const cursors = [cursorOf(one, KEY, first), cursorOf(one, KEY, second)];
        expect(cursors.map((cursor) => idInCursor(cursor, KEY))).toEqual([one, one]);
        expect(cursors[0] === cursors[1]).toBe(first % 2 ** 40 === second % 2 ** 40);
        for (const cursor of cursors) expect(cursor).toMatch(/^[\w-]{22}$/);
      }),
    );
  });

  it('hides ids: neighbours look nothing alike, and what was made elsewhere is no cursor', () => {
    const ids = Array.from({ length: 1_000 }, (_, i) => eventIdOf(1_795_860_000_000 + i, KEY));
    expect(new Set(ids).size).toBe(1_000);
    expect(eventIdOf(7, KEY)).toBe(eventIdOf(7, KEY));
    // Each place of the text takes nearly every character.
    for (let place = 4; place < 25; place++) expect(new Set(ids.map((one) => one[place])).size).toBeGreaterThan(50);
    const other = 'ffffffffffffffffffffffffffffffff';
    for (const text of [
      '',
      'none',
      'A'.repeat(22),
      cursorOf(7, other, 1),
      eventIdOf(7, KEY).slice(4),
      `${cursorOf(7, KEY, 1)}A`,
      'ä'.repeat(22),
    ])
      expect(idInCursor(text, KEY)).toBeUndefined();
  });
});
