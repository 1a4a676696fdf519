import { errorMessage } from '../../spec/text.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import type { Exchange, Unsent } from '../types/exchange.ts';
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
import { notNeeded } from './send-conditions.ts';
import { createAskedPauses } from './asked-pauses.ts';
import { controlsIn } from './control-requests.ts';
import { createControlSender } from './control-sender.ts';
import { NotPreparable, prepare, timingKindOf } from './prepare.ts';
import { replyKind } from './reply-kind.ts';

export interface ExecutorOptions {
  readonly target: Target;
  readonly view: EvidenceView;
  readonly wire: Wire;
  /** What the attempts of a request are billed for; absent where no budget depends on it. */
  readonly billing?: ReturnType<typeof createBilling> | undefined;
  /** Keeps an exchange that no request of the plan stands for by itself. */
  readonly record: (exchange: Exchange) => void;
  /** Whether an exchange with this id is recorded, in an earlier part of the run too. */
  readonly isRecorded: (id: string) => boolean;
  /** Called when a request goes out. */
  readonly onBegin: RunHooks['onBegin'];
}

/** Brings planned requests to the target. */
export interface Executor {
  /** Sends a request and gives what came back, or says why it was not sent. Never rejects. */
  readonly send: (request: PlannedRequest, priority?: number) => Promise<Exchange | Unsent>;
  /**
   * Sends a control of a request until one is answered or the time for that is over; false where none is. Never rejects.
   * @param waitingSince when the wait for the end of lock-outs began, in milliseconds of `performance.now()`
   */
  readonly isControlAnswered: (request: PlannedRequest, waitingSince: number) => Promise<boolean>;
  /** Sends an answered request once more, and records it. Never rejects. */
  readonly repeat: (request: PlannedRequest) => Promise<void>;
}

type Shared = ReturnType<typeof shareOf>;

function shareOf(options: ExecutorOptions) {
  const { target, view, record, isRecorded } = options;
  const pauses = createAskedPauses(retryPolicy.retryAfterMs);
  const exchange = (control: PlannedRequest, prepared: Prepared): Promise<Exchange> =>
    exchangeControl({ ...options, pauses }, control, prepared);
  const controlSender = createControlSender({ target, view, record, isRecorded, exchange });
  return { ...options, pauses, controlSender, controls: controlsIn(view.plan) };
}

const billingOf = (
  { billing }: Pick<Shared, 'billing'>,
  request: PlannedRequest,
  prepared: Prepared,
): Pick<ExchangeOptions, 'billing'> => (billing ? { billing: billing(request, prepared) } : {});

/** Waits for as long as the last valid request of a caller was told to. */
async function keepPause(
  { pauses, wire }: Pick<Shared, 'pauses' | 'wire'>,
  prepared: Prepared,
): Promise<void> {
  const ms = pauses.left(prepared);
  if (ms > 0) await wire.sleep(ms, { kind: 'pause-asked-for' });
}

/** Sends a control once more, by itself. */
async function exchangeControl(
  shared: Pick<Shared, 'pauses' | 'wire' | 'billing'>,
  control: PlannedRequest,
  prepared: Prepared,
): Promise<Exchange> {
  await keepPause(shared, prepared);
  const options = { ...optionsOf(control), ...billingOf(shared, control, prepared), maxAttempts: 3 };
  const exchange = await shared.wire.exchange(prepared, { ...options, isControl: true });
  shared.pauses.note(prepared, exchange);
  return exchange;
}

/** The controls that an exchange may ask the run for. */
function controlsOf({ controls, controlSender }: Shared, { id }: PlannedRequest, prepared: Prepared) {
  const candidates = controls.get(id);
  return {
    callerControl: controlSender.ofCaller(prepared),
    ...(candidates ? { control: controlSender.among(() => candidates) } : {}),
  };
}

async function sendPlanned(
  shared: Shared,
  request: PlannedRequest,
  permit: Permit,
): Promise<Exchange | Unsent> {
  const { view, wire, target, onBegin, pauses } = shared;
  const { id } = request;
  const unsent = notNeeded(request, view);
  if (unsent !== undefined) return { id, unsent };
  if (!(await wire.admits(timingKindOf(request)))) return { id, unsent: { kind: 'no-reply-in-time' } };
  const prepared = prepare(request, target, view);
  if (request.stage === 'after') await withoutPermit(permit, keepPause(shared, prepared));
  onBegin?.(id);
  const exchange = await wire.exchange(prepared, {
    ...optionsOf(request),
    ...billingOf(shared, request, prepared),
    ...controlsOf(shared, request, prepared),
    permit,
  });
  if (request.expect === 'answer') pauses.note(prepared, exchange);
  return exchange;
}

const reasonOf = (error: unknown): UnsentReason => {
  if (error instanceof NotPreparable || error instanceof WireClosed) return error.reason;
  return { kind: 'internal-error', message: errorMessage(error) };
};

async function send(shared: Shared, request: PlannedRequest, priority?: number): Promise<Exchange | Unsent> {
  const { wire } = shared;
  // What waits for the trial of its kind must not hold a permit meanwhile.
  await wire.admits(timingKindOf(request));
  const permit = await wire.enter(priority);
  try {
    return await sendPlanned(shared, request, permit);
  } catch (error) {
    return { id: request.id, unsent: reasonOf(error) };
  } finally {
    permit.release();
  }
}

/** A run that is stopped records what it has. */
async function unlessClosed<Result>(done: Promise<Result>): Promise<Result | undefined> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof WireClosed) return undefined;
    throw error;
  }
}

/** When a control is sent again until one is answered, in milliseconds: a lock-out may hold on. */
const controlTimes = [1000, 4000, 10_000];

async function isControlAnswered(
  shared: Shared,
  request: PlannedRequest,
  waitingSince: number,
): Promise<boolean> {
  const { target, view, wire } = shared;
  const { control, callerControl } = controlsOf(shared, request, prepare(request, target, view));
  const isAnsweredNow = async (): Promise<boolean> =>
    (await (control ?? callerControl)(performance.now()))?.answered === true;
  if (await isAnsweredNow()) return true;
  for (const at of controlTimes) {
    const ms = waitingSince + at - performance.now();
    if (ms <= 0) continue;
    await wire.sleep(ms, { kind: 'lock-out' });
    if (await isAnsweredNow()) return true;
  }
  return false;
}

async function repeat({ wire, controlSender }: Shared, control: PlannedRequest): Promise<void> {
  const permit = await wire.enter();
  try {
    await unlessClosed(controlSender.again(control));
  } finally {
    permit.release();
  }
}

export function createExecutor(options: ExecutorOptions): Executor {
  const shared = shareOf(options);
  return {
    send: (request, priority) => send(shared, request, priority),
    isControlAnswered: async (request, waitingSince) =>
      (await unlessClosed(isControlAnswered(shared, request, waitingSince))) ?? false,
    repeat: (request) => repeat(shared, request),
  };
}

/** How a planned request is sent and read. */
export const optionsOf = (request: PlannedRequest): ExchangeOptions => ({
  facts: factsOf(request),
  read: (record) => replyKind(record, request),
});
