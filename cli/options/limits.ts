import { configPlaces } from '../../fixtures/target/config.ts';
import { present } from '../../spec/present.ts';
import type { Config, Target } from '../../fixtures/target/target.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { limitNames, type Limits, loadLimits, type Prices } from '../../fixtures/target/prices.ts';
import { duration, money } from '../../reporters/wording.ts';
import { count } from '../../spec/text.ts';
import { costOf } from '../../suites/cost/run-cost.ts';
import { mostGenerations, mostUsage } from '../../suites/cost/planned-usage.ts';
import { priced, rounded } from '../../suites/cost/usage.ts';
import type { RunLimits } from '../../suites/types/limits.ts';
import { isConditional, type Plan } from '../../suites/types/plan.ts';
import { countOf } from '../../suites/plan/plan-counts.ts';
import { mostSeconds } from './run-options.ts';

const minuteMs = 60_000;

/** The limits of the options, else of the config. Throws UsageError where a cost is limited and nothing has a price. */
export function limitsOf(options: Limits, { prices }: Target, config?: string | Config): Limits {
  const ofConfig: Limits = config === undefined ? {} : loadLimits(config);
  const file = typeof config === 'string' ? config : undefined;
  if (prices === undefined && options.maxCost !== undefined)
    throw new UsageError(
      config === undefined
        ? '--max-cost needs prices, and the reference gateway has none'
        : `--max-cost needs prices, and ${file ?? 'the config'} has none: add a section prices`,
    );
  if (prices === undefined && ofConfig.maxCost !== undefined) {
    const place = file === undefined ? 'config' : (configPlaces(file)('limits.maxCost') ?? file);
    throw new UsageError(
      `${place}: limits.maxCost: needs prices; add a section prices, or leave the line out`,
    );
  }
  return Object.fromEntries(
    limitNames.flatMap((name) => {
      const value = options[name] ?? ofConfig[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The limits as a run keeps them. */
export const runLimitsOf = ({ requestsPerMinute, ...budgets }: Limits): RunLimits => ({
  ...budgets,
  ...(requestsPerMinute === undefined ? {} : { rate: { requests: requestsPerMinute, windowMs: minuteMs } }),
});

/** What a plan needs to be sent whole, to a conformant target. */
export function needsOf(plan: Plan, { prices }: Pick<Target, 'prices'>, { rate }: RunLimits) {
  const { requests, billed } = countOf(plan.requests);
  const byId = new Map(plan.requests.map((request) => [request.id, request]));
  const most = (amounts: readonly number[]): number =>
    amounts.reduce((one, other) => Math.max(one, other), 0);
  const unbilled = plan.requests.filter((request) => request.billed === 0 && !isConditional(request));
  const costs = (of: Prices): number[] =>
    plan.requests.map((request) =>
      priced(
        mostUsage(request, (id) => byId.get(id)),
        of,
        request.callers[0]?.family,
      ),
    );
  return {
    requests,
    /** At most; what must be refused is sent only while `spare` more are left, for it may be answered. */
    generations: billed,
    spare: most(unbilled.map((request) => mostGenerations(request, request.callers[0]?.family))),
    // The dearest reply that one request may get must be left for the last one.
    ...(prices ? { cost: costOf(plan, prices).expected, dearest: rounded(most(costs(prices))) } : {}),
    /** Milliseconds that the rate takes at least. */
    ms: rate ? Math.floor(Math.max(0, requests - 1) / rate.requests) * rate.windowMs : 0,
  };
}
type PlanNeeds = ReturnType<typeof needsOf>;

const rest = 'what is left then is inconclusive';

function rateNotices({ requests, ms }: PlanNeeds, { rate }: RunLimits, longestMs: number): readonly string[] {
  if (rate === undefined) return [];
  const takes = `${count(requests, 'request')} at --requests-per-minute ${rate.requests} take at least ${duration(ms)}`;
  if (ms <= longestMs) return [takes];
  // Refusals that are asked again, and replies that are waited for, come on top.
  const enough = Math.ceil((ms * 1.25) / 1000);
  const wayOut =
    enough <= mostSeconds.maxDuration
      ? `give it --max-duration ${enough}`
      : 'take a higher rate, or select less';
  return [takes, `--max-duration ${longestMs / 1000} ends the run before that, and ${rest}: ${wayOut}`];
}

function budgetNotices(needs: PlanNeeds, limits: RunLimits, currency: string): readonly string[] {
  const { maxRequests = Infinity, maxGenerations = Infinity, maxCost = Infinity } = limits;
  const { requests, generations, spare, cost = 0, dearest = 0 } = needs;
  const left = requests - maxRequests;
  return present([
    left > 0 &&
      `the plan needs ${count(requests, 'request')}; --max-requests ${maxRequests} leaves ${left} of them unsent, and ${rest}`,
    maxGenerations < generations + spare &&
      `the plan needs up to ${count(generations, 'generation')}, and ${spare} more in reserve while requests that must be refused are sent; --max-generations ${maxGenerations} may end the run before, and ${rest}`,
    maxCost < cost + dearest &&
      `the plan needs ${money(cost + dearest, currency)}: ${money(cost, currency)} expected, and ${money(dearest, currency)} in reserve for the dearest reply that one request may get; --max-cost ${maxCost} may end the run before, and ${rest}`,
  ]);
}

/** What is to be known of limits before a plan is sent: how long it takes, and what ends it early. */
export function limitNotices(
  plan: Plan,
  target: Pick<Target, 'prices'>,
  limits: RunLimits,
  longestMs = Infinity,
): readonly string[] {
  const needs = needsOf(plan, target, limits);
  const currency = target.prices?.currency ?? '';
  return [...rateNotices(needs, limits, longestMs), ...budgetNotices(needs, limits, currency)];
}
