import { given } from '../../spec/present.ts';
import { withExtension } from '../../spec/extension.ts';
import { once, oncePer } from '../../spec/once.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { createEvidenceView } from '../checks/evidence-view.ts';
import { type Evidence, type Exchange, isExchange, type Unsent } from '../types/exchange.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import type { EarlierPart, RunHooks, RunOptions } from '../types/run.ts';
import { mostSmaller } from '../plan/plan-counts.ts';
import { preflightOf } from '../plan/declared-requests.ts';
import { dependencies } from '../plan/dependencies.ts';
import { streamPairs } from '../plan/lanes.ts';
import { createRedactor } from '../wire/redaction/redact.ts';
import type { RetryPolicy } from '../wire/retry/policy.ts';
import type { LimitsUse } from '../wire/limits/budget.ts';
import { createWire } from '../wire/wire.ts';
import { createBilling } from './billing.ts';
import { askAgain, askSpentAgain } from './ask-again.ts';
import { askSmaller, type SendPart, takeApart } from './ask-smaller.ts';
import { judgedRunOf } from '../judge/judge-run.ts';
import { nearTokens } from './near-miss-token.ts';
import { earlierExchanges, wrongUnderWay } from './merged-evidence.ts';
import { createExecutor } from './executor.ts';
import { mistakeFound, mistakenTokens } from './preflight.ts';
import { placesBesideTimed, waitsIn } from './order.ts';
import { createSteadiness } from './timing-noise.ts';
import { askSecondSamples } from './second-sample.ts';

export type PlanExecution = Awaited<ReturnType<typeof executed>>;

export interface EarlierRuns {
  readonly limitsUse?: LimitsUse;
  /** Milliseconds of `longestMs` that they took. */
  readonly spentMs?: number;
}

/** Of a run that begins. */
const nothingEarlier: EarlierPart = { evidence: new Map() };

/** The redactor of a target's tokens, and of what is made of them. */
export const redactorOf = (target: Target) =>
  createRedactor([
    ...Object.entries(target.tokens).map(([label, token]) => ({ value: token.value, label })),
    ...nearTokens(target),
  ]);

/** `policy`: how requests are sent again, where that is not as usual. */
type Options = RunOptions & EarlierRuns & { readonly policy?: Partial<RetryPolicy> };

type Run = ReturnType<typeof openRun>;

function openRun(target: Target, plan: Plan, options: Options, hooks: RunHooks) {
  const { earlier = nothingEarlier, concurrency, timeoutMs, limits = {}, policy = {} } = options;
  const evidence = new Map<string, Exchange | Unsent>(earlier.evidence);
  const view = createEvidenceView(plan, evidence);
  const { signal, limitsUse } = options;
  const wire = createWire({
    concurrency,
    timeoutMs,
    limits,
    policy,
    redactor: redactorOf(target),
    history: view.replies,
    ...given({ signal, limitsUse, onWait: hooks.onWait }),
  });
  if (options.stopped) void wire.close(options.stopped);
  const isBilled = limits.maxGenerations !== undefined || limits.maxCost !== undefined;
  const billing = isBilled ? createBilling(target, view) : undefined;
  wire.learn(earlierExchanges(target, view, earlier, billing), wrongUnderWay(plan, earlier));
  const steadiness = createSteadiness(view);
  void steadiness.isShown.then(hooks.onSteady);
  const record = (entry: Exchange | Unsent): void => {
    evidence.set(entry.id, entry);
    hooks.onEvidence?.(entry);
    steadiness.note(entry);
  };
  const { onBegin } = hooks;
  const executor = createExecutor({
    ...{ target, view, wire, billing, record, onBegin },
    isRecorded: (id) => evidence.has(id),
  });
  const { keepGoing = false, showsSmallest = true } = options;
  const settings = { earlier, keepGoing, showsSmallest };
  return { target, plan, evidence, view, wire, steadiness, record, executor, ...settings };
}

/** Sends every request as soon as what it waits for is recorded, those first that stand first in the plan. */
async function sendAll(run: Run): Promise<void> {
  const { target, plan, view, wire, executor, earlier, record, steadiness } = run;
  const done = new Map<string, Promise<void>>();
  const all = (ids: Iterable<string>): Promise<unknown> => Promise.all([...ids].map((id) => done.get(id)));
  /** Hundreds of requests wait for the same list. */
  const gate = oncePer(all);
  const gates = (lists: readonly (readonly string[])[]): Promise<unknown> => Promise.all(lists.map(gate));
  const first = preflightOf(plan.requests);
  const preflight = once(async () => {
    await all(first);
    if (run.keepGoing) {
      for (const name of mistakenTokens(view, target)) wire.giveUp(name);
      return;
    }
    const found = await mistakeFound(view, target);
    if (found !== undefined) await wire.close(found);
  });
  const waits = waitsIn(plan);
  const besideTimed = once(() => placesBesideTimed(plan));
  const inPlan = new Map(plan.requests.map(({ id }, place) => [id, place]));
  const pairs = streamPairs(plan.requests);
  let isSteady = false;
  void steadiness.isShown.then(() => {
    isSteady = true;
  });
  const settled = once(async () => {
    await all(plan.requests.filter(({ stage }) => stage !== 'after').map(({ id }) => id));
    await settle(run);
  });

  /** What a run begins with waits for nothing but what it names, and all else but discovery for what it shows of the declaration. */
  async function due(request: PlannedRequest): Promise<void> {
    await all(dependencies(request));
    const { always, unlessSteady } = waits(request);
    const isFirst = first.has(request.id) || request.stage === 'discovery';
    await Promise.all([isFirst ? undefined : preflight(), gates(always)]);
    await Promise.race([gates(unlessSteady), steadiness.isShown]);
    if (request.stage === 'after') await settled();
  }

  /** Where a request stands among those that may go. */
  const placeOf = ({ id }: PlannedRequest): number =>
    (isSteady ? besideTimed() : inPlan).get(pairs.get(id) ?? id) ?? 0;

  async function carryOut(request: PlannedRequest): Promise<void> {
    if (earlier.evidence.has(request.id)) return;
    // A turn later all of the plan can be waited for.
    await Promise.resolve();
    await due(request);
    record(await executor.send(request, -placeOf(request)));
  }

  for (const request of plan.requests) done.set(request.id, carryOut(request));
  await Promise.all(done.values());
  await settled();
}

/** Takes refused combinations apart, and asks again what may have been refused by a lock-out. */
async function settle({ evidence, view, executor, record, earlier }: Run): Promise<void> {
  // A run that is over sends nothing.
  if (earlier.finishedAt !== undefined) return;
  const sendPart: SendPart = async (request, part) => {
    const entry = await executor.send(request);
    record(isExchange(entry) ? { ...entry, part } : entry);
  };
  await takeApart(view, sendPart, executor);
  await askAgain(view, evidence, executor, record);
  await askSpentAgain(view, evidence, executor);
}

/** Asks second samples; and what was refused in words that valid requests got past in these alone. */
async function askFurther({ evidence, view, executor, record }: Run): Promise<void> {
  let isAsked = false;
  await askSecondSamples(view, (request) => {
    isAsked = true;
    return executor.repeat(request);
  });
  if (isAsked) await askAgain(view, evidence, executor, record, ['lock-out', 'confirm-refusal']);
}

/** Behind all that is judged: smaller requests for what fails. */
async function showSmaller({
  target,
  plan,
  evidence,
  view,
  wire,
  executor,
  record,
  showsSmallest,
}: Run): Promise<void> {
  if (!showsSmallest || mostSmaller(plan) === 0 || wire.closed() !== undefined) return;
  const { failures } = judgedRunOf(target, plan, evidence);
  await askSmaller(failures, view, executor, record);
}

/** Sends what is planned and records it. Never throws for what the target does. */
export const executePlan = (
  target: Target,
  plan: Plan,
  options: Options,
  hooks: RunHooks = {},
): Promise<PlanExecution> => withExtension(plan.extension, () => executed(target, plan, options, hooks));

async function executed(target: Target, plan: Plan, options: Options, hooks: RunHooks) {
  const startedAt = new Date().toISOString();
  const run = openRun(target, plan, options, hooks);
  const { wire, earlier } = run;
  const evidence: Evidence = run.evidence;
  const { longestMs, spentMs = 0 } = options;
  const timeIsUp = (ms: number): void => void wire.close({ kind: 'duration-spent', seconds: ms / 1000 });
  const clock = longestMs === undefined ? undefined : setTimeout(timeIsUp, longestMs - spentMs, longestMs);
  try {
    await sendAll(run);
    if (earlier.finishedAt === undefined) {
      await askFurther(run);
      await showSmaller(run);
    }
    const finishedAt = earlier.finishedAt ?? new Date().toISOString();
    const closed = wire.closed();
    const wasDropped = (entry: Exchange | Unsent): boolean =>
      !isExchange(entry) && entry.unsent.kind === closed?.kind;
    const stopped = [...evidence.values()].some(wasDropped) ? closed : undefined;
    /** `partial`: it was stopped before all requests of its plan were sent. */
    return { evidence, startedAt, finishedAt, partial: stopped !== undefined, stopped };
  } finally {
    clearTimeout(clock);
    await wire.close();
  }
}
