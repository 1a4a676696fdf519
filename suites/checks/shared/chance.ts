import { chanceOf } from '../../facts/exact-test.ts';

/** How often a model was asked for what it demonstrably says, and how often it did not say it. */
export interface Misses {
  readonly answers: number;
  readonly missed: number;
}

/**
 * Of questions that a model was asked several times: whether each answer said what was asked for. What it never says
 * tells nothing of how often it misses.
 */
export function missesIn(questions: readonly (readonly boolean[])[]): Misses {
  const said = questions.filter((answers) => answers.includes(true)).flat();
  return { answers: said.length, missed: said.filter((isSaid) => !isSaid).length };
}

/** So often is an estimate mended: it has come to rest long before. */
const steps = 50;

/**
 * How often a model misses, where each question was asked until it was said, in so many attempts at most. Few answers show
 * it badly: one more is counted to each side. Questions that are never said are not among them: so many as the estimate
 * itself lets expect are counted, too.
 */
function rateOf({ answers, missed }: Misses, attempts: number): number {
  if (missed === 0) return 0;
  let rate = (missed + 1) / (answers + 2);
  for (let step = 0; step < steps; step += 1) {
    const neverSaid = ((answers - missed) * rate ** attempts) / (1 - rate ** attempts);
    rate = (missed + 1 + neverSaid * attempts) / (answers + 2 + neverSaid * attempts);
  }
  return rate;
}

/** Nonces that stand in one place of several requests, each asked for in so many attempts. */
export interface Placed {
  /** The fewest attempts at one that none recalled. */
  readonly attempts: number;
  readonly lost: number;
  readonly of: number;
}

/**
 * The chance that so many are lost, or more, where the model misses each attempt as often as it does elsewhere: at the same
 * place, or anywhere.
 */
export const chanceOfLoss = ({ attempts, lost, of }: Placed, elsewhere: readonly Misses[]): number =>
  chanceOf({ seen: lost, of }, Math.max(...elsewhere.map((misses) => rateOf(misses, attempts))) ** attempts);
