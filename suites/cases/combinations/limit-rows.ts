import type { Levels } from './covering-array.ts';
import { absent } from './text-factors.ts';
import { has, hasPlace, isStreamed, placesOf } from './text-row.ts';

/** Each place of a nonce in a row with whatever else the row has. */
const asked = (levels: Levels): readonly string[] =>
  placesOf(levels).flatMap((place) =>
    Object.entries(levels)
      .filter(([, level]) => level !== absent)
      .map((level) => [place, ...level].join(' ')),
  );

/** How much of what a row asks for no other row does. */
function askedOnlyBy(levels: Levels, rows: readonly Levels[]): number {
  const elsewhere = new Set(rows.filter((row) => row !== levels).flatMap(asked));
  return hasPlace(levels) ? asked(levels).filter((each) => !elsewhere.has(each)).length : 0;
}

/** A second row of a caller that has one, where another could be had: more than a row can lose. */
const sameCaller = 1000;
/** A long prompt, which a model may refuse (8.4). */
const longPrompt = 100;

/**
 * Rows that test the bound, one streamed and one not, each of another caller: those of which the other rows ask most,
 * since no nonce is asked for in them.
 */
export function limitRows(rows: readonly Levels[]): readonly Levels[] {
  const chosen: Levels[] = [];
  const withBound = (stream: boolean): readonly Levels[] =>
    rows.filter((levels) => has({ levels }, 'limit') && isStreamed(levels) === stream);
  // First those of which there are few: the others leave a choice.
  const both = [withBound(false), withBound(true)].sort((one, other) => one.length - other.length);
  for (const bounded of both) {
    const left = rows.filter((levels) => !chosen.includes(levels));
    const rank = (levels: Levels): number =>
      askedOnlyBy(levels, left) +
      (chosen.some(({ caller }) => caller === levels.caller) ? sameCaller : 0) +
      (has({ levels }, 'length') ? longPrompt : 0);
    const [best] = [...bounded].sort((one, other) => rank(one) - rank(other));
    if (best) chosen.push(best);
  }
  return chosen;
}
