import { terminalLine } from '../../reporters/escape.ts';
import { present } from '../../spec/present.ts';
import { count } from '../../spec/text.ts';
import { amountText, depthText } from '../../reporters/wording.ts';
import { loadTarget } from '../../fixtures/target/config.ts';
import type { Prices } from '../../fixtures/target/prices.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { costOf, type PlannedCost } from '../../suites/cost/run-cost.ts';
import { longestReply, mostBilledAttempts } from '../../suites/cost/planned-usage.ts';
import { ownProfiles, profiles } from '../../suites/types/profile.ts';
import { withExtension } from '../../spec/extension.ts';
import type { Plan } from '../../suites/types/plan.ts';
import {
  countOf,
  familyCounts,
  mostSampled,
  mostSmaller,
  planShares,
} from '../../suites/plan/plan-counts.ts';
import { askedDimensions } from '../../suites/plan/plan-dimensions.ts';
import { planRun } from '../../suites/plan/plan.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { depthOf, freshSeed, selectionOf } from '../options/options.ts';
import { interopCost } from '../run/interop.ts';
import { extensionOf } from '../run/own-options.ts';
import { runsOf } from '../run/own-run.ts';
import type { RunRequest } from '../options/run-options.ts';
import { limitNotices, limitsOf, needsOf, runLimitsOf } from '../options/limits.ts';
import { sameModelsText, sameTokensText } from '../run/declaration-warnings.ts';
import { type CommonOptions, print, printError } from '../output/terminal.ts';

export type PlanCommandOptions = RunRequest &
  CommonOptions & { readonly config: string; readonly json?: boolean };

/** Rows of cells as aligned columns: the first to the left, numbers to the right. */
function table(rows: readonly (readonly (string | number)[])[]): string {
  const width = (column: number): number => Math.max(...rows.map((row) => String(row[column]).length));
  const padded = (cell: string | number, column: number): string =>
    column === 0 ? String(cell).padEnd(width(column)) : String(cell).padStart(width(column));
  return rows.map((row) => row.map(padded).join('  ')).join('\n');
}

const countNames = ['requests', 'conditional', 'billed', 'images'] as const;

type Amounts = Readonly<Record<(typeof countNames)[number], number>>;

/** The columns of what is sent, and of what that costs; none of these without prices. */
const heads = (prices: Prices | undefined): readonly string[] =>
  prices ? [...countNames, `cost ${prices.currency}`, 'at most'] : countNames;

const cells = (amounts: Amounts, cost?: PlannedCost): readonly (string | number)[] => [
  ...countNames.map((name) => amounts[name]),
  ...(cost ? [amountText(cost.expected), amountText(cost.most)] : []),
];

/** What each profile comes to, a line each; `planned` is the plan of what is asked. */
function profileTable(target: Target, asked: Parameters<typeof planRun>[1], planned: Plan): string {
  const { prices } = target;
  const rows = (asked.extension ? ownProfiles : profiles).map((profile) => {
    const plan = profile === asked.profile ? planned : planRun(target, { ...asked, profile });
    return [profile, ...cells(countOf(plan.requests), prices && costOf(plan, prices))];
  });
  return table([['profile', ...heads(prices)], ...rows]);
}

const legend = (plan: Plan, prices: Prices | undefined, times: number): readonly string[] => [
  'A request that several suites share is sent once, and counted for the first of them.',
  'Conditional: further requests, sent only where earlier replies are not conclusive.',
  'Billed: the most generations that a conformant gateway charges for, each image counted. Retries of',
  'overloaded requests come on top, as do valid ones that are refused now and then, and what must be refused and is not:',
  '--max-generations bounds a run whatever the gateway does.',
  ...(mostSmaller(plan) === 0
    ? []
    : [
        `Where answers are missing or texts differ, and chance is not ruled out, the same is asked again: ${count(times * mostSampled(plan), 'further generation')} at most.`,
        `Where something fails, shorter requests that show it follow: ${count(times * mostSmaller(plan), 'further generation')} at most.`,
      ]),
  ...(prices
    ? [
        `Cost: what a conformant gateway charges that serves what the interface states, in ${prices.currency}. At most: what one`,
        `can charge that answers every request, conditional ones and those that must be refused too, with ${longestReply}`,
        `tokens each, and breaks off ${mostBilledAttempts - 1} of ${mostBilledAttempts} attempts. --max-cost bounds a run whatever the gateway does.`,
      ]
    : []),
];

/** What the models of each family come to; nothing where no family has several. */
function familyTable(target: Target, plan: Plan): readonly string[] {
  if (target.furtherModels === undefined) return [];
  const rows = familyCounts(plan).flatMap(({ family, first, further }) => [
    [`${family}, first model`, 1, ...cells(first)],
    ...(further.models > 0 ? [[`${family}, further`, further.models, ...cells(further)]] : []),
  ]);
  return [table([['family', 'models', ...countNames], ...rows]), ''];
}

/** What several runs come to, where each leaves all open; nothing where one is asked for. */
function repeatTable(plan: Plan, prices: Prices | undefined, times: number): readonly string[] {
  if (times === 1) return [];
  const once = countOf(plan.requests);
  const cost = prices && costOf(plan, prices);
  const row = (name: string, factor: number) => [
    name,
    ...countNames.map((each) => once[each] * factor),
    ...(cost ? [cost.expected, cost.most].map((amount) => amountText(amount * factor)) : []),
  ];
  const rows = [row('one run', 1), row(`${times} runs, at most`, times)];
  return [table([['in all', ...heads(prices)], ...rows]), ''];
}

const countsOf = (plan: Plan, prices: Prices | undefined) =>
  planShares(plan).map(({ requests, ...share }) => ({
    ...share,
    ...countOf(requests),
    ...(prices ? { cost: costOf(plan, prices, requests) } : {}),
  }));

type ShownPlan = ReturnType<typeof shownPlan>;

function planValue({ target, plan, times, asked, limits, counts, interop }: ShownPlan): object {
  const { name, baseUrl, prices } = target;
  const { ms, ...needed } = needsOf(plan, target, limits);
  return {
    target: { name, baseUrl },
    selection: asked.selection,
    counts,
    asked: askedDimensions(plan),
    ...(target.furtherModels ? { families: familyCounts(plan) } : {}),
    ...(prices && { currency: prices.currency }),
    needs: { ...needed, sampled: mostSampled(plan), smaller: mostSmaller(plan), seconds: ms / 1000 },
    ...(times > 1 ? { repeat: times } : {}),
    ...(interop ? { interop } : {}),
    ...plan,
  };
}

/** The plan of the interface, and in it as `own` that of what an extension states, as `ownPaths` those of its paths. */
function plansJson(plans: readonly ShownPlan[]): string {
  const own = plans.find(({ asked: { extension } }) => extension && extension.at === undefined);
  const paths = plans.filter(({ asked }) => asked.extension?.at !== undefined);
  const first = plans.find(({ asked }) => asked.extension === undefined);
  const values = {
    ...(first && planValue(first)),
    ...(own && { own: planValue(own) }),
    ...(paths.length > 0 ? { ownPaths: paths.map(planValue) } : {}),
  };
  return JSON.stringify(values, null, 2);
}

/** What a person wants to know: what each suite comes to, and what ends the run early. */
function planText(
  { target, plan, times, asked, limits, counts, interop = [] }: ShownPlan,
  options: PlanCommandOptions,
): string {
  const { prices } = target;
  const notices = limitNotices(plan, target, limits, options.maxDuration);
  return [
    terminalLine(`${target.name} at ${target.baseUrl}, ${depthText(asked)}`),
    '',
    table([
      ['suite', 'cases', ...heads(prices)],
      ...counts.map((row) => [row.suite, row.cases, ...cells(row, row.cost)]),
    ]),
    '',
    ...repeatTable(plan, prices, times),
    ...familyTable(target, plan),
    ...(options.profile === undefined ? [profileTable(target, asked, plan), ''] : []),
    table([['asked', 'different'], ...askedDimensions(plan).map(({ name, count }) => [name, count])]),
    '',
    ...legend(plan, prices, times),
    ...notices.map((notice) => `Limits: ${notice}.`),
    'Nothing was sent.',
    ...interop.map((line, at) => terminalLine(at === 0 ? line : `  ${line}`)),
  ].join('\n');
}

function shownPlan(target: Target, asked: Parameters<typeof planRun>[1], options: PlanCommandOptions) {
  const plan = planRun(target, asked);
  const limits = runLimitsOf(limitsOf(options, target, options.config));
  const counts = countsOf(plan, target.prices);
  const interop = options.interop && asked.extension === undefined ? interopCost(target) : undefined;
  return { target, plan, times: options.repeat ?? 1, asked, limits, counts, interop };
}

/** `plan`: what a run would send, without sending it. */
export function planCommand(options: PlanCommandOptions): ExitCode {
  const depth = depthOf(options);
  const target = loadTarget(options.config, process.env, options.extend);
  const own = extensionOf(options, options.config);
  const selection = withExtension(own, () => selectionOf(options));
  const asked = { seed: options.seed ?? freshSeed(), selection, ...depth, ...(own ? { own } : {}) };
  const plans = runsOf(target, asked).map((each) => shownPlan(target, each, options));
  const [first] = plans;
  const sameModels = first && sameModelsText(options.config, target, first.plan);
  for (const warning of present([sameTokensText(options.config, target), sameModels])) printError(warning);
  print(options.json ? plansJson(plans) : plans.map((shown) => planText(shown, options)).join('\n\n'));
  return exitCodes.conformant;
}
