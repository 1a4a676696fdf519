import { given } from '../spec/present.ts';
import { type Console, defaultConsole } from '../fixtures/gateway/console.ts';
import { targetFor } from '../fixtures/gateway/describe.ts';
import { createGateway } from '../fixtures/gateway/gateway.ts';
import type { Hooks } from '../fixtures/gateway/hooks.ts';
import type { Extension } from '../spec/extension.ts';
import type { Target } from '../fixtures/target/target.ts';
import { judgeRun } from '../suites/judge/judge-run.ts';
import type { RunLimits } from '../suites/types/limits.ts';
import type { Plan, PlannedRequest } from '../suites/types/plan.ts';
import { defaultProfile, type Depth, type Profile } from '../suites/types/profile.ts';
import type { Report } from '../suites/types/report.ts';
import type { Selection } from '../suites/types/run.ts';
import { everything, planRun } from '../suites/plan/plan.ts';
import { executePlan } from '../suites/run/execute-plan.ts';
import { dependencies, neededBy } from '../suites/plan/dependencies.ts';

/** A gateway that breaks one thing, or uses one freedom. */
export interface Subject {
  readonly id: string;
  readonly title: string;
  readonly hooks: Hooks;
  readonly console?: Console;
}

export interface DetectOptions {
  readonly seed?: number;
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  readonly profile?: Profile;
  /** What the run may use up, and how fast; not limited by default. */
  readonly limits?: RunLimits;
  /** Ends the run before its time; what it has by then is judged. */
  readonly signal?: AbortSignal;
  /** Random combinations beyond the covering arrays; none by default. */
  readonly explore?: number;
  /** Whether all is sent, also where something is declared wrong. */
  readonly keepGoing?: boolean;
  /** What is judged alone; everything by default. */
  readonly selected?: Partial<Selection>;
  /** Whose statements are asked in place of those of the interface. */
  readonly extension?: Extension;
  /** What the declaration offers; everything by default. */
  readonly declared?: (target: Target) => Target;
}

const plans = new Map<string, Plan>();

/** The plan of a target's declaration; most subjects have the same, and a plan is never changed. */
function planOf(target: Target, seed: number, selection: Selection, depth: Depth): Plan {
  const { models, furtherModels, tokens, versionHeader } = target;
  const { suites, requirements, ...others } = selection;
  const key = JSON.stringify([seed, others, depth, models, furtherModels, tokens, versionHeader]);
  const ofAll = { ...selection, suites: [], requirements: [] };
  const plan = plans.get(key) ?? planRun(target, { seed, selection: ofAll, ...depth });
  plans.set(key, plan);
  return suites.length + requirements.length === 0 ? plan : narrowed(plan, selection);
}

/** Runs the whole suite against a gateway in this process, as `run` does. */
export async function detect(subject: Subject, options: DetectOptions = {}): Promise<Report> {
  const { seed = 1, concurrency = 8, timeoutMs = 10_000, profile = defaultProfile, signal } = options;
  const { declared = (target: Target) => target, selected = {}, explore = 0 } = options;
  const { limits = {}, keepGoing = false } = options;
  const selection: Selection = { ...everything, ...selected };
  const console = subject.console ?? defaultConsole();
  const gateway = await createGateway({ console, hooks: subject.hooks }).listen();
  try {
    const target = declared(targetFor(console, gateway.url));
    const depth = given({ profile, skipCostly: false, explore, extension: options.extension });
    const plan = planOf(target, seed, selection, depth);
    // No verdict rests on smaller requests.
    const settings = { seed, selection, concurrency, timeoutMs, limits, keepGoing, showsSmallest: false };
    const ran = await executePlan(target, plan, { ...settings, ...given({ signal }) });
    return judgeRun(target, plan, ran.evidence, { runId: subject.id, selection, ...ran });
  } finally {
    await gateway.close();
  }
}

/** Ids of the requirements that a report finds broken. */
export const blamed = (report: Report): readonly string[] =>
  report.requirements.filter((row) => row.verdict === 'fail').map((row) => row.id);

/** Does the work of all items, so many at a time, and gives the results in their order; `onDone` is called after each. */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
  onDone: () => void = () => {},
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      results[next[0]] = await work(next[1]);
      onDone();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** What suites and requirements leave of a whole plan, each request at its stage: to plan anew for each fault takes longer than a run. */
export function narrowed(whole: Plan, { suites, requirements }: Selection): Plan {
  const isSelected = <T>(axis: readonly T[], values: readonly T[]): boolean =>
    axis.length === 0 || values.some((value) => axis.includes(value));
  const cases = whole.cases.filter(
    (entry) => isSelected(suites, [entry.suite]) && isSelected(requirements, entry.requirements),
  );
  const needed = new Set(neededBy(cases, new Map(whole.requests.map((request) => [request.id, request]))));
  const sent = new Set([...needed].map(({ id }) => id));
  const isAsked = (request: PlannedRequest): boolean =>
    needed.has(request) ||
    (request.stage === 'declared' && dependencies(request).every((id) => sent.has(id)));
  return { ...whole, cases, requests: cases.length > 0 ? whole.requests.filter(isAsked) : [] };
}
