import type { Target } from '../../fixtures/target/target.ts';
import { createEvidenceView, type EvidenceView } from '../checks/evidence-view.ts';
import { readsIn } from '../checks/registry.ts';
import { judgeCase } from '../judge/case.ts';
import { type Evidence, type Exchange, isExchange, type Unsent } from '../model/exchange.ts';
import type { Plan, PlannedRequest } from '../model/plan.ts';
import type { StopReason } from '../model/reasons/exchange-reasons.ts';
import type { RunHooks, RunOptions } from '../model/run.ts';
import { scopeOf } from '../model/scope.ts';
import { dependencies } from '../plan/dependencies.ts';
import { planFor } from '../plan/plan.ts';
import { createRedactor } from '../wire/redaction/redact.ts';
import { createWire } from '../wire/wire.ts';
import { nearTokens } from './near-miss-token.ts';
import { createExecutor } from './executor.ts';
import { stageBarriers } from './order.ts';

/** The plan of a run against a target: its cases and every request that may be sent, each once. */
export const planRun = (
  target: Pick<Target, 'models' | 'tokens'>,
  options: Pick<RunOptions, 'seed' | 'selection'>,
): Plan => planFor(scopeOf(target), options.seed, options.selection);

export interface PlanExecution {
  readonly evidence: Evidence;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Stopped before the plan was done. */
  readonly partial: boolean;
  /** Why it was stopped, where it was. */
  readonly stopped?: StopReason;
}

/** The redactor of a target's tokens, and of what is made of them. */
export const redactorOf = (target: Target) =>
  createRedactor([
    ...Object.entries(target.tokens).map(([label, token]) => ({ value: token.value, label })),
    ...nearTokens(target),
  ]);

/**
 * Sends what is planned and records it. Each request goes out as soon as what it waits for is recorded;
 * each case is judged as soon as all that it reads is. Never throws for what the target does.
 */
export async function executePlan(
  target: Target,
  plan: Plan,
  options: RunOptions,
  hooks: RunHooks = {},
): Promise<PlanExecution> {
  const evidence = new Map<string, Exchange | Unsent>();
  const view = createEvidenceView(plan, evidence);
  const startedAt = new Date().toISOString();
  const { concurrency, timeoutMs, longestMs, signal } = options;
  const redactor = redactorOf(target);
  const { onWait } = hooks;
  const watched = { ...(signal ? { signal } : {}), ...(onWait ? { onWait } : {}) };
  const wire = createWire({ concurrency, timeoutMs, redactor, history: view.replies, ...watched });
  const record = (entry: Exchange | Unsent): void => {
    evidence.set(entry.id, entry);
    hooks.onEvidence?.(entry);
  };
  const send = createExecutor({ target, view, wire, record });
  const judge = hooks.onCase ? caseJudge(plan, view, hooks.onCase) : () => {};
  const earlier = stageBarriers(plan);
  const done = new Map<string, Promise<void>>();
  const all = (ids: readonly string[]): Promise<unknown> => Promise.all(ids.map((id) => done.get(id)));
  const gates = new Map<readonly string[], Promise<unknown>>();

  /** Opens when all of a list is recorded; hundreds of requests wait for the same. */
  function gate(ids: readonly string[]): Promise<unknown> {
    const known = gates.get(ids) ?? all(ids);
    gates.set(ids, known);
    return known;
  }

  async function carryOut(request: PlannedRequest): Promise<void> {
    await Promise.all([all(dependencies(request)), gate(earlier(request))]);
    const entry = await send(request);
    record(entry);
    judge(entry.id);
  }

  const clock =
    longestMs === undefined
      ? undefined
      : setTimeout(() => void wire.close({ kind: 'duration-spent', seconds: longestMs / 1000 }), longestMs);
  for (const request of plan.requests) done.set(request.id, carryOut(request));
  try {
    await Promise.all(done.values());
    const stopped = wire.closed();
    const finishedAt = new Date().toISOString();
    const dropped = [...evidence.values()].some(
      (entry) => !isExchange(entry) && entry.unsent.kind === stopped?.kind,
    );
    const why = dropped && stopped !== undefined ? { stopped } : {};
    return { evidence, startedAt, finishedAt, partial: dropped, ...why };
  } finally {
    clearTimeout(clock);
    await wire.close();
  }
}

/** Judges each case once all that it reads is recorded; those that read nothing at the first call. */
function caseJudge(
  plan: Plan,
  view: EvidenceView,
  onCase: NonNullable<RunHooks['onCase']>,
): (id: string) => void {
  const waiting = plan.cases.map((entry) => ({ entry, left: new Set(readsIn(entry.check, plan)) }));
  const known = new Set(plan.requests.map(({ id }) => id));
  for (const { left } of waiting) for (const id of left) if (!known.has(id)) left.delete(id);
  let open = waiting;
  const settle = (): void => {
    const ready = open.filter(({ left }) => left.size === 0);
    open = open.filter(({ left }) => left.size > 0);
    for (const { entry } of ready) onCase(judgeCase(entry, view).outcome);
  };
  settle();
  return (id) => {
    for (const { left } of open) left.delete(id);
    settle();
  };
}
