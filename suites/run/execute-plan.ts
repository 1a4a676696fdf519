import { once } from '../../spec/once.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { createEvidenceView } from '../checks/evidence-view.ts';
import { type Evidence, type Exchange, isExchange, type Unsent } from '../types/exchange.ts';
import { type Plan, type PlannedRequest, stages } from '../types/plan.ts';
import type { StopReason } from '../types/reasons/exchange-reasons.ts';
import type { EarlierPart, RunHooks, RunOptions } from '../types/run.ts';
import { preflightOf } from '../plan/declared-requests.ts';
import { dependencies } from '../plan/dependencies.ts';
import { createRedactor } from '../wire/redaction/redact.ts';
import type { RetryPolicy } from '../wire/retry/policy.ts';
import type { LimitsUse } from '../wire/limits/limits-use.ts';
import { createWire } from '../wire/wire.ts';
import { createBilling } from './billing.ts';
import { nearTokens } from './near-miss-token.ts';
import { earlierExchanges, timesSent, wrongUnderWay } from './resumed-evidence.ts';
import { createExecutor } from './executor.ts';
import { createInterleaving } from './interleaving.ts';
import { mistakeFound } from './preflight.ts';
import { stageBarriers } from './order.ts';
import { createSteadiness } from './timing-noise.ts';
import { askSecondSamples } from './second-sample.ts';
import { type SendPart, takeApart } from './take-apart.ts';
import { hasWrongCredential } from './wrong-credentials.ts';

export interface PlanExecution {
  readonly evidence: Evidence;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Whether the run was stopped before all requests of its plan were sent. */
  readonly partial: boolean;
  /** Why it was stopped, where it was. */
  readonly stopped: StopReason | undefined;
}

/** How requests are sent again, where that is not as usual. */
export interface SentAgain {
  readonly policy?: Partial<RetryPolicy>;
}

/** What runs that follow one another share. */
export interface EarlierRuns {
  /** What they used up of the limits. */
  readonly limitsUse?: LimitsUse;
  /** Milliseconds of `longestMs` that they took. */
  readonly spentMs?: number;
}

/** Of a run that begins. */
const nothingEarlier: EarlierPart = { evidence: new Map() };

/** Whether a request is of the stages in which nothing may upset the target. */
const isValid = ({ stage }: PlannedRequest): boolean => stages.indexOf(stage) <= stages.indexOf('further');

/** The redactor of a target's tokens, and of what is made of them. */
export const redactorOf = (target: Target) =>
  createRedactor([
    ...Object.entries(target.tokens).map(([label, token]) => ({ value: token.value, label })),
    ...nearTokens(target),
  ]);

/**
 * Sends what is planned and records it. Each request goes out as soon as what it waits for is recorded.
 * Never throws for what the target does.
 */
export async function executePlan(
  target: Target,
  plan: Plan,
  options: RunOptions & EarlierRuns & SentAgain,
  hooks: RunHooks = {},
): Promise<PlanExecution> {
  const { earlier = nothingEarlier } = options;
  const evidence = new Map<string, Exchange | Unsent>(earlier.evidence);
  const view = createEvidenceView(plan, evidence);
  const startedAt = new Date().toISOString();
  const { concurrency, timeoutMs, longestMs, spentMs = 0, signal, limits = {}, limitsUse } = options;
  const { keepGoing = false, policy = {} } = options;
  const redactor = redactorOf(target);
  const { onWait } = hooks;
  const given = {
    ...(signal ? { signal } : {}),
    ...(onWait ? { onWait } : {}),
    ...(limitsUse ? { limitsUse } : {}),
  };
  const wire = createWire({
    concurrency,
    timeoutMs,
    redactor,
    limits,
    history: view.replies,
    policy,
    ...given,
  });
  const isBilled = limits.maxGenerations !== undefined || limits.maxCost !== undefined;
  const billing = isBilled ? createBilling(target, view) : undefined;
  if (options.stopped) void wire.close(options.stopped);
  wire.learn(earlierExchanges(target, view, earlier), wrongUnderWay(plan, earlier));
  const steadiness = createSteadiness(view);
  const record = (entry: Exchange | Unsent): void => {
    evidence.set(entry.id, entry);
    hooks.onEvidence?.(entry);
    steadiness.note(entry);
  };
  const barrier = stageBarriers(plan);
  const done = new Map<string, Promise<void>>();
  const all = (ids: readonly string[]): Promise<unknown> => Promise.all(ids.map((id) => done.get(id)));
  const interleaving = createInterleaving(view, gate);
  const { send, repeat } = createExecutor({
    target,
    view,
    wire,
    billing,
    record,
    interleaving,
    timesSent: timesSent(earlier),
    onBegin: hooks.onBegin,
  });
  const gates = new Map<readonly string[], Promise<unknown>>();

  /** Opens when all of a list is recorded; hundreds of requests wait for the same. */
  function gate(ids: readonly string[]): Promise<unknown> {
    const known = gates.get(ids) ?? all(ids);
    gates.set(ids, known);
    return known;
  }

  const sendPart: SendPart = async (request, part) => {
    const entry = await send(request);
    record(isExchange(entry) ? { ...entry, part } : entry);
  };

  /** Ends when every refused combination is taken apart, which begins when all that is valid was sent. */
  let apart: Promise<void> | undefined;
  function combinationsTakenApart(): Promise<void> {
    apart ??= all(plan.requests.filter(isValid).map(({ id }) => id)).then(() => takeApart(view, sendPart));
    return apart;
  }

  /** What is timed, and what waits for that, is sent while others are under way where replies show that they do not disturb it. */
  function stageDue(request: PlannedRequest): Promise<unknown> {
    const stageOver = gate(barrier(request));
    const isValidLater = request.stage === 'timed' || request.stage === 'further';
    return isValidLater ? Promise.race([stageOver, steadiness.isShown]) : stageOver;
  }

  const first = preflightOf(plan.requests);
  const preflight = once(async () => {
    await all([...first]);
    const found = keepGoing ? undefined : await mistakeFound(view, target);
    if (found !== undefined) await wire.close(found);
  });

  /** What a run begins with waits for nothing else, and all else waits for what it shows of the declaration. */
  const due = (request: PlannedRequest): Promise<unknown> =>
    first.has(request.id)
      ? all(dependencies(request))
      : Promise.all([preflight(), all(dependencies(request)), stageDue(request), interleaving.due(request)]);

  async function carryOut(request: PlannedRequest): Promise<void> {
    if (earlier.evidence.has(request.id)) return interleaving.end(request.id);
    // A turn later all of the plan can be waited for.
    await Promise.resolve();
    await due(request);
    if (!isValid(request) && !hasWrongCredential(request)) await combinationsTakenApart();
    record(await send(request));
  }

  const clock =
    longestMs === undefined
      ? undefined
      : setTimeout(
          () => void wire.close({ kind: 'duration-spent', seconds: longestMs / 1000 }),
          longestMs - spentMs,
        );
  for (const request of plan.requests) done.set(request.id, carryOut(request));
  try {
    await Promise.all(done.values());
    await combinationsTakenApart();
    await askSecondSamples(view, repeat);
    const finishedAt = earlier.finishedAt ?? new Date().toISOString();
    const closed = wire.closed();
    const wasDropped = (entry: Exchange | Unsent): boolean =>
      !isExchange(entry) && entry.unsent.kind === closed?.kind;
    const stopped = [...evidence.values()].some(wasDropped) ? closed : undefined;
    return { evidence, startedAt, finishedAt, partial: stopped !== undefined, stopped };
  } finally {
    clearTimeout(clock);
    await wire.close();
  }
}
