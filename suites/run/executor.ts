import { errorMessage } from '../../spec/text.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { type EvidenceView, isAnswered } from '../checks/evidence-view.ts';
import type { Attempt, Exchange, Unsent } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import type { UnsentReason } from '../types/reasons/exchange-reasons.ts';
import type { RunHooks } from '../types/run.ts';
import { factsOf } from '../reading/request-facts.ts';
import type { ExchangeOptions } from '../wire/retry/attempt-reading.ts';
import { type Permit, withoutPermit } from '../wire/retry/permit.ts';
import { retryPolicy } from '../wire/retry/policy.ts';
import { type Prepared, WireClosed } from '../wire/send.ts';
import type { Wire } from '../wire/wire.ts';
import type { createBilling } from './billing.ts';
import { chainHeights } from './chain-lengths.ts';
import { unmet } from './send-conditions.ts';
import { createAskedPauses } from './asked-pauses.ts';
import { controlsIn } from './control-requests.ts';
import { createControlSender } from './control-sender.ts';
import type { Interleaving } from './interleaving.ts';
import { NotPreparable, prepare, timingKindOf } from './prepare.ts';
import { replyKind } from './reply-kind.ts';
import { hasWrongCredential } from './wrong-credentials.ts';

export interface ExecutorOptions {
  readonly target: Target;
  readonly view: EvidenceView;
  readonly wire: Wire;
  readonly interleaving: Interleaving;
  /** What the attempts of a request are billed for; absent where no budget depends on it. */
  readonly billing?: ReturnType<typeof createBilling> | undefined;
  /** Keeps an exchange that no request of the plan stands for by itself. */
  readonly record: (exchange: Exchange) => void;
  /** How often each control was sent in an earlier part of the run. */
  readonly timesSent: ReadonlyMap<string, number>;
  /** Called when a request goes out. */
  readonly onBegin: RunHooks['onBegin'];
}

/** Brings planned requests to the target. */
export interface Executor {
  /** Sends a request and gives what came back, or says why it was not sent. Never rejects. */
  readonly send: (request: PlannedRequest) => Promise<Exchange | Unsent>;
  /** Sends an answered request once more, and records it. Never rejects. */
  readonly repeat: (request: PlannedRequest) => Promise<void>;
}

export function createExecutor({
  target,
  view,
  wire,
  interleaving,
  billing,
  record,
  timesSent,
  onBegin,
}: ExecutorOptions): Executor {
  const controls = controlsIn(view.plan);
  const pauses = createAskedPauses(retryPolicy.retryAfterMs);
  const heights = chainHeights(view.plan.requests);

  const billingOf = (request: PlannedRequest, prepared: Prepared): Pick<ExchangeOptions, 'billing'> =>
    billing ? { billing: billing(request, prepared) } : {};

  /** Waits for as long as the last valid request of a caller was told to. */
  async function keepPause(prepared: Prepared): Promise<void> {
    const ms = pauses.left(prepared);
    if (ms > 0) await wire.sleep(ms, { kind: 'pause-asked-for' });
  }

  /** Sends a control once more, by itself. */
  async function exchangeControl(control: PlannedRequest, prepared: Prepared): Promise<Exchange> {
    await keepPause(prepared);
    const options = { ...optionsOf(control), ...billingOf(control, prepared), maxAttempts: 3 };
    const exchange = await wire.exchange(prepared, { ...options, isControl: true });
    pauses.note(prepared, exchange);
    return exchange;
  }

  const controlSender = createControlSender({ target, view, record, timesSent, exchange: exchangeControl });

  /** What else an exchange asks the run for: its controls, and whether its refusal is that of a lock-out. */
  function helpOf(request: PlannedRequest, prepared: Prepared): Partial<ExchangeOptions> {
    const { id } = request;
    const candidates = controls.get(id);
    const control = candidates && controlSender.among(() => candidates);
    const isLockedOut = (last: Attempt): Promise<boolean> =>
      interleaving.isLockedOut(id, last, async () => control?.(performance.now()));
    return {
      callerControl: controlSender.ofCaller(prepared),
      ...(control ? { control } : {}),
      ...(hasWrongCredential(request) ? { isLockedOut } : {}),
    };
  }

  async function sendPlanned(request: PlannedRequest, permit: Permit): Promise<Exchange | Unsent> {
    const { id } = request;
    if (request.standsFor?.some((other) => isAnswered(view, other)))
      return { id, unsent: { kind: 'stand-in-not-needed' } };
    const pointless = request.when.flatMap((condition) => unmet(condition, view) ?? [])[0];
    if (pointless !== undefined) return { id, unsent: pointless };
    if (!(await wire.admits(timingKindOf(request)))) return { id, unsent: { kind: 'no-reply-in-time' } };
    const prepared = prepare(request, target, view);
    if (request.stage === 'after') await withoutPermit(permit, keepPause(prepared));
    onBegin?.(id);
    const exchange = await wire.exchange(prepared, {
      ...optionsOf(request),
      ...billingOf(request, prepared),
      permit,
      ...helpOf(request, prepared),
    });
    if (request.expect === 'answer') pauses.note(prepared, exchange);
    return exchange;
  }

  const reasonOf = (error: unknown): UnsentReason => {
    if (error instanceof NotPreparable || error instanceof WireClosed) return error.reason;
    return { kind: 'internal-error', message: errorMessage(error) };
  };

  const repeat: Executor['repeat'] = async (control) => {
    const permit = await wire.enter();
    try {
      await controlSender.again(control);
    } catch (error) {
      // A run that is stopped records what it has.
      if (!(error instanceof WireClosed)) throw error;
    } finally {
      permit.release();
    }
  };

  const send: Executor['send'] = async (request) => {
    // What waits for the trial of its kind must not hold a permit meanwhile.
    await wire.admits(timingKindOf(request));
    const priority = interleaving.isUrgent(request.id) ? Number.POSITIVE_INFINITY : heights.get(request.id);
    const permit = await wire.enter(priority);
    try {
      return await sendPlanned(request, permit);
    } catch (error) {
      return { id: request.id, unsent: reasonOf(error) };
    } finally {
      permit.release();
      interleaving.end(request.id);
    }
  };
  return { send, repeat };
}

/** How a planned request is sent and read. */
export const optionsOf = (request: PlannedRequest): ExchangeOptions => ({
  facts: factsOf(request),
  read: (record) => replyKind(record, request),
});
