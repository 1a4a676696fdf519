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

/** The greatest chance of a failure that is none: a run has some 25 places in which it may strike. */
const mostChance = 0.0005;

/** Whether a model that misses so often may as well have missed so many attempts in a row, and the gateway lost nothing. */
export const isByChance = ({ answers, missed }: Misses, attempts: number): boolean =>
  // Few answers show a rate badly: one more is counted to each side.
  missed > 0 && ((missed + 1) / (answers + 2)) ** attempts > mostChance;
