import { describe, expect, it } from 'vitest';
import { madeArrays } from './made-arrays.ts';

/** How many pairs of levels of two factors stand in no row. */
function missing(counts: readonly number[], rows: readonly (readonly number[])[]): number {
  let absent = 0;
  for (const [one, many] of counts.entries())
    for (const [other, more] of counts.entries()) {
      if (other <= one) continue;
      const seen = new Set(rows.map((row) => `${row[one]} ${row[other]}`));
      absent += many * more - seen.size;
    }
  return absent;
}

describe('a covering array', () => {
  it.each([
    ['few levels', [3, 2, 4, 2]],
    ['one factor of very many', [60, 2, 5, 2]],
    ['two factors of many', [20, 25, 3]],
  ])('has each pair of levels in a row: of %s', (_, counts) => {
    for (const rows of madeArrays(counts.join(' '))) {
      expect(missing(counts, rows)).toBe(0);
      expect(rows.every((row) => row.every((place, at) => place < (counts[at] ?? 0)))).toBe(true);
    }
  });
});
