import { decisions } from '../../spec/decisions.ts';
import { oncePerObject } from '../../spec/once.ts';
import { protocols, textProtocols } from '../../spec/vocabulary.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import type { Plan } from '../types/plan.ts';
import { neighbours } from '../types/text-situations.ts';

/** What valid requests are counted by: outcome, endpoint, stream and neighbour; caller and chain; again with each second sample. */
const groupTests = (callers: number): number =>
  (1 + decisions.secondSamples.length) *
  (2 * (1 + 2 * (1 + neighbours.length) * protocols.length) + 1 + callers + protocols.length);

/** Late replies are counted for each endpoint that a rule is about. */
const timedRules = (extension: Plan['extension']): number =>
  (extension?.statements ?? [])
    .flatMap(({ replies = [] }) => replies.filter(({ within }) => within !== undefined))
    .reduce((sum, { protocols: of = protocols }) => sum + of.length, 0);

/** How many exact tests a plan may come to, so that all together keep to the error budget (principle 9). */
export const testsIn = oncePerObject(
  ({ requests, extension }: Pick<Plan, 'requests' | 'extension'>): number => {
    const valid = requests.filter(isAnswerDue);
    const callers = new Set(
      valid.flatMap(({ protocol, callers: all }) => all.map((caller) => JSON.stringify([protocol, caller]))),
    );
    return (
      valid.length +
      valid.filter(({ stream }) => stream).length +
      textProtocols.length +
      groupTests(callers.size) +
      timedRules(extension)
    );
  },
);

/** The natural logarithms of the factorials so far: sums of these keep the smallest chances exact. */
const logFactorials = [0];

function logFactorial(n: number): number {
  for (let next = logFactorials.length; next <= n; next += 1)
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  return logFactorials[n] ?? 0;
}

const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k);

/** Whole numbers from the first to the last; none where the last is smaller. */
const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);

const sum = (chances: readonly number[]): number =>
  Math.min(
    1,
    chances.reduce((total, each) => total + each, 0),
  );

/** How often something was seen, of how many times that it could have been. */
export interface Tally {
  readonly seen: number;
  readonly of: number;
}

/** The chance of seeing something so often, or more often, where each time has this chance: the exact binomial test. */
export const chanceOf = ({ seen, of }: Tally, each: number): number =>
  each <= 0
    ? Number(seen === 0)
    : sum(
        range(seen, of).map((k) =>
          Math.exp(logChoose(of, k) + k * Math.log(each) + (of - k) * Math.log1p(-each)),
        ),
      );

/** Probes and controls that are alike but for one thing. */
export interface Stratum {
  readonly probes: Tally;
  readonly controls: Tally;
}

/** The chance of each number seen among the probes of a stratum, from none on, where probes and controls have it alike. */
function chancesIn({ probes, controls }: Stratum): readonly number[] {
  const seen = probes.seen + controls.seen;
  const all = logChoose(probes.of + controls.of, seen);
  return range(0, Math.min(seen, probes.of)).map((k) =>
    seen - k > controls.of ? 0 : Math.exp(logChoose(probes.of, k) + logChoose(controls.of, seen - k) - all),
  );
}

function convolved(one: readonly number[], other: readonly number[]): readonly number[] {
  const sums = new Array<number>(one.length + other.length - 1).fill(0);
  for (const [k, chance] of one.entries())
    for (const [l, further] of other.entries()) sums[k + l] = (sums[k + l] ?? 0) + chance * further;
  return sums;
}

/** The chance to see it so often among probes, or more, if controls have it alike: Fisher's test, one-sided, by strata. */
export function chanceOfDifferences(strata: readonly Stratum[]): number {
  const seen = strata.reduce((total, { probes }) => total + probes.seen, 0);
  return sum(strata.map(chancesIn).reduce(convolved, [1]).slice(seen));
}

export const chanceOfDifference = (probes: Tally, controls: Tally): number =>
  chanceOfDifferences([{ probes, controls }]);

/** The greatest chance at which one of so many tests (at least 1) fails anything. `share`: of the error budget, that such tests have. */
export const levelOf = (
  tests: number,
  share = 1 - decisions.shareOfTexts - decisions.shareOfContext,
): number => (share * decisions.errorBudget) / Math.max(1, tests);

/** How often in a row something must come that otherwise comes with a chance, so that chance does not explain it. */
export const timesNeeded = (each: number, level: number): number =>
  each <= 0 ? 1 : each >= 1 ? Number.POSITIVE_INFINITY : Math.ceil(Math.log(level) / Math.log(each));
