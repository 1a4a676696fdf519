import { describe, expect, it } from 'vitest';
import { featuresOf } from './row-styles.ts';
import { everyArray } from './rows.fixture.ts';
import { spreadLevels } from './spread-levels.ts';
import { has, isAt, isStreamed, type TextRow } from './text-rows.ts';

/** The levels that stand in rows for nothing, by factor. */
const free: Readonly<Record<string, (row: TextRow) => unknown>> = {
  'takes any type': ({ styles }) => styles?.takesAny === true,
  'has signs': ({ styles }) => styles?.hasSigns === true,
  'declines a stream': (row) => (isStreamed(row.levels) ? undefined : row.declined),
};

/** A row that others rest on, and one in a chain, has less to choose from. */
const isBound = (row: TextRow): boolean =>
  isAt(row, 'root') || has(row, 'previous') || (isAt(row, 'limit') && !isStreamed(row.levels));

/** What stands in so many rows that both levels could stand beside it, and beside which one of them does not. */
function missingOf(rows: readonly TextRow[], level: (row: TextRow) => unknown): readonly string[] {
  const all = rows.filter((row) => level(row) !== undefined);
  const features = [...new Set(all.flatMap(featuresOf))];
  return features.filter((feature) => {
    const beside = all.filter((row) => featuresOf(row).includes(feature));
    return beside.filter((row) => !isBound(row)).length > 2 && new Set(beside.map(level)).size < 2;
  });
}

describe('levels that stand in rows for nothing', () => {
  it('stand beside everything that three rows have, both of them', () => {
    for (const { name, rows } of everyArray)
      for (const [factor, level] of Object.entries(free))
        expect(missingOf(rows, level), `${factor}, ${name}`).toEqual([]);
  });

  it('are given to every row that may have one of them', () => {
    const rows = [['a'], ['a', 'b'], ['b']];
    const mayHave = ([first]: readonly string[], level: number): boolean => first !== 'b' || level === 1;
    const given = spreadLevels(rows, { levels: [1, 2], mayHave }, (row) => row);
    expect(rows.map((row) => given.get(row))).toEqual([1, 2, 1]);
    expect(spreadLevels(rows, { levels: [1], mayHave: () => false }, (row) => row).size).toBe(0);
  });
});
