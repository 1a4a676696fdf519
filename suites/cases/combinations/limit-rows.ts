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

/** How much of what each of these rows asks for no other one does. */
function askedOnlyBy(rows: readonly Levels[]): (levels: Levels) => number {
  const counts = new Map<string, number>();
  for (const row of rows)
    for (const each of new Set(asked(row))) counts.set(each, (counts.get(each) ?? 0) + 1);
  return (levels) => (hasPlace(levels) ? asked(levels).filter((each) => counts.get(each) === 1).length : 0);
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
    const alone = askedOnlyBy(left);
    const rank = (levels: Levels): number =>
      alone(levels) +
      (chosen.some(({ caller }) => caller === levels.caller) ? sameCaller : 0) +
      (has({ levels }, 'length') ? longPrompt : 0);
    const ranks = new Map(bounded.map((levels) => [levels, rank(levels)]));
    const [best] = [...bounded].sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
    if (best) chosen.push(best);
  }
  return chosen;
}
