import type { Place } from '../builder/attempts.ts';
import { describe, expect, it } from 'vitest';
import type { TextProtocol } from '../../../spec/vocabulary.ts';
import { clientsOf } from './row-styles.ts';
import { shapesOf } from './conversations.ts';
import { everyArray } from './rows.fixture.ts';
import { absent, chained, fractionLevels, textFactors } from './text-factors.ts';
import { has, isAt, type TextRow } from './text-rows.ts';
import { textRows } from './text-rows.ts';

type Pair = readonly [one: string, level: string, other: string, otherLevel: string];

/** Every pair of levels of two factors. */
function pairsOf(factors: Readonly<Record<string, readonly string[]>>): readonly Pair[] {
  const entries = Object.entries(factors);
  return entries.flatMap(([one, levels], at) =>
    entries
      .slice(at + 1)
      .flatMap(([other, others]) =>
        levels.flatMap((level) => others.map((each): Pair => [one, level, other, each])),
      ),
  );
}

const fractionsOf = (protocol: TextProtocol): readonly string[] =>
  fractionLevels(protocol).map(({ level }) => level);

/** A value that no row of the array has stands where one has none of its factor. */
const levelsOf = (protocol: TextProtocol) => {
  const added = fractionsOf(protocol);
  return (row: TextRow, factor: string): string => {
    if (factor === 'caller' && has(row, 'previous')) return chained;
    if (added.includes(row.levels[factor] ?? '')) return absent;
    return row.levels[factor] ?? (factor === 'caller' ? '0' : absent);
  };
};

const isStreamed = (row: TextRow): boolean => has(row, 'stream');

describe('the rows of a text protocol', () => {
  it.each(everyArray)('of $name show every pair of levels', ({ protocol, callers, rows }) => {
    const levelIn = levelsOf(protocol);
    const pairs = pairsOf(textFactors(protocol, callers));
    const missing = pairs.filter(
      ([one, level, other, otherLevel]) =>
        !rows.some((row) => levelIn(row, one) === level && levelIn(row, other) === otherLevel),
    );
    expect(missing).toEqual([]);
    expect(pairs.length).toBeGreaterThan(50);
  });

  // Of chat the bound takes up rows that no other could stand in for.
  // Of chat with one caller the bound takes up a row that no other could stand in for.
  it.each(everyArray.filter(({ protocol, callers }) => protocol !== 'chat' || callers > 1))(
    'of $name ask for a nonce in each place beside whatever else a request has',
    ({ protocol, callers, rows }) => {
      const levelIn = levelsOf(protocol);
      const factors = textFactors(protocol, callers);
      const places = { instructions: 'system', system: 'system', history: 'user', list: 'element' } as const;
      const missing = Object.entries(places).flatMap(([factor, place]) =>
        Object.entries(factor in factors ? factors : {}).flatMap(([other, levels]) =>
          levels
            .filter((level) => level !== absent)
            .filter((level) => !rows.some((row) => isAt(row, place) && levelIn(row, other) === level))
            .map((level) => `${place} beside ${other} ${level}`),
        ),
      );
      expect(missing).toEqual([]);
    },
  );

  it('have each value between bounds and each default that no other request has once', () => {
    expect(fractionsOf('chat')).toEqual(['temperature = 1', 'top_p = 0.35']);
    for (const { protocol, rows, name } of everyArray) {
      const added = fractionsOf(protocol);
      const levels = rows
        .flatMap((row) => Object.values(row.levels))
        .filter((level) => added.includes(level));
      expect([...levels].sort(), name).toEqual(added);
    }
  });

  it('have each client and each shape of a conversation in one of them', () => {
    for (const { protocol, rows, name } of everyArray) {
      const clients = rows.map(({ styles }) => styles?.client?.description);
      const all = clientsOf(protocol).map(({ description }) => description);
      expect(new Set(clients).size, name).toBe(Math.min(all.length, rows.length));
      expect(all, name).toEqual(expect.arrayContaining(clients));
    }
    for (const { protocol, rows, name } of everyArray) {
      const shapes = rows.flatMap(({ styles }) => styles?.shape ?? []);
      expect(new Set(shapes), name).toEqual(new Set(shapesOf[protocol]));
      expect(shapes.length, name).toBe(shapesOf[protocol].length);
    }
  });

  it('are few, and the same for the same seed', () => {
    for (const { protocol, callers, seed, rows, name } of everyArray) {
      expect(rows.length, name).toBeLessThanOrEqual(14);
      if (seed < 3) expect(textRows(protocol, callers, seed)).toEqual(rows);
    }
  });

  it('are others for another seed', () => {
    const [first, second] = everyArray.filter(
      ({ protocol, callers }) => protocol === 'chat' && callers === 2,
    );
    expect(second?.rows).not.toEqual(first?.rows);
  });

  it('are numbered from 1, and each has its nonce somewhere', () => {
    for (const { rows, name } of everyArray) {
      expect(
        rows.map(({ number }) => number),
        name,
      ).toEqual(rows.map((_, at) => at + 1));
      expect(rows.filter(({ places }) => places.length === 0)).toEqual([]);
    }
  });
});

const showing = (rows: readonly TextRow[], place: Place): readonly TextRow[] =>
  rows.filter((row) => isAt(row, place));

describe('the places of a nonce', () => {
  const withHistory = everyArray.filter(({ protocol }) => protocol !== 'responses');
  it.each(withHistory)('of $name are all there, streamed and not', ({ rows }) => {
    for (const place of ['system', 'user', 'assistant', 'limit'] as const) {
      expect(new Set(showing(rows, place).map(isStreamed)), place).toEqual(new Set([true, false]));
    }
  });

  const chained = everyArray.filter(({ protocol }) => protocol === 'responses');
  it.each(chained)('of $name are the instructions, a list, and a chain', ({ rows }) => {
    const starting = showing(rows, 'system').filter((row) => !has(row, 'previous'));
    expect(starting.some((row) => !isStreamed(row))).toBe(true);
    expect(showing(rows, 'system').some(isStreamed)).toBe(true);
    expect(showing(rows, 'element').some((row) => !isStreamed(row))).toBe(true);
    const [[root, ...roots], [last, ...others]] = [showing(rows, 'root'), showing(rows, 'chain')];
    expect([...roots, ...others]).toEqual([]);
    expect(root && (isStreamed(root) || has(root, 'previous'))).toBe(false);
    expect(last && isStreamed(last) && has(last, 'previous') && has(last, 'instructions')).toBe(true);
    const between = rows.filter((row) => has(row, 'previous') && !isStreamed(row));
    expect(between.length).toBeGreaterThanOrEqual(2);
    expect([rows[0], rows.at(-1)]).toEqual([root, last]);
  });

  it('is nowhere that a row does not have', () => {
    const needs: Readonly<Partial<Record<Place, readonly string[]>>> = {
      system: ['system', 'instructions'],
      user: ['history'],
      assistant: ['history'],
      element: ['list'],
      chain: ['previous'],
      limit: ['limit'],
    };
    for (const { rows, name } of everyArray) {
      const unfounded = rows.filter((row) =>
        row.places.some((place) => needs[place]?.every((factor) => !has(row, factor))),
      );
      expect(unfounded, name).toEqual([]);
    }
  });
});
