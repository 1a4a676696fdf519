import { errorMessage } from '../../spec/text.ts';
import { mayBeSilent } from '../checks/evidence-view.ts';
import type { Exchange, Unsent } from '../types/exchange.ts';
import { type PlannedRequest, takenOver } from '../types/plan.ts';
import type { UnsentReason } from '../types/reasons/exchange-reasons.ts';
import type { RunHooks } from '../types/run.ts';
import { factsOf, askedIn } from '../reading/request-facts.ts';
import type { ExchangeOptions, ReplyKind } from '../wire/retry/attempt-reading.ts';
import { type Permit, withoutPermit } from '../wire/retry/semaphore.ts';
import { retryPolicy } from '../wire/retry/policy.ts';
import { type Prepared, WireClosed, type AttemptRecord } from '../wire/send.ts';
import type { Wire } from '../wire/wire.ts';
import type { createBilling } from './billing.ts';
import { notNeeded } from './send-conditions.ts';
import {
  createAskedPauses,
  createControlSender,
  type ControlSenderOptions,
  controlsIn,
} from './control-sender.ts';
import { NotPreparable, prepare, timingKindOf } from './prepare.ts';
import { drawsImages } from '../../spec/vocabulary.ts';
import { readReply } from '../reading/reply.ts';
import type { ReplyReading } from '../reading/reply-reading.ts';
import { failureEvent, isSilent } from '../reading/text.ts';

type Refusal = Extract<ReplyReading, { readonly kind: 'refusal' }>;

/** Whether a request asks a model for text, and leaves it room for some. */
const isTextDue = (request: PlannedRequest): boolean =>
  request.expect === 'answer' &&
  request.protocol !== 'images' &&
  !request.callers.some(({ family }) => drawsImages(family)) &&
  !mayBeSilent(request);

/** A page where JSON is due may be that of a proxy in front; what an id stands for may be stored a moment later. */
const mayPass = ({ form }: Refusal, { response }: AttemptRecord, request: PlannedRequest): boolean =>
  request.expect === 'answer' &&
  ((form === 'html' && response !== null && response.status < 300) || takenOver(request).length > 0);

/** What a reply to a planned request amounts to, as far as sending it again depends on it. */
function replyKind(record: AttemptRecord, request: PlannedRequest): ReplyKind {
  const reading = readReply(record, request.protocol, askedIn(request));
  if (reading.kind === 'refusal')
    return reading.form === 'error-stream' || mayPass(reading, record, request) ? 'failed' : 'refused';
  // It has failed at one sighting; what else the request shows is worth another attempt.
  if (reading.kind === 'transient') return reading.transient.cause === 'cut-document' ? 'failed' : 'unclear';
  if (reading.kind === 'stream' && failureEvent(reading.stream) !== undefined) return 'failed';
  return isTextDue(request) && isSilent(reading, request.protocol) ? 'no-text' : 'answered';
}

export interface ExecutorOptions extends Omit<ControlSenderOptions, 'exchange'> {
  readonly wire: Wire;
  /** What the attempts of a request are billed for; absent where no budget depends on it. */
  readonly billing?: ReturnType<typeof createBilling> | undefined;
  /** Called when a request goes out. */
  readonly onBegin: RunHooks['onBegin'];
}

/** Brings planned requests to the target. */
export type Executor = ReturnType<typeof createExecutor>;

type Shared = ReturnType<typeof shareOf>;

function shareOf(options: ExecutorOptions) {
  const { target, view, record, isRecorded } = options;
  const pauses = createAskedPauses(retryPolicy.retryAfterMs);
  const exchange = (control: PlannedRequest, prepared: Prepared): Promise<Exchange> =>
    exchangeControl({ ...options, pauses }, control, prepared);
  const controlSender = createControlSender({ target, view, record, isRecorded, exchange });
  return { ...options, pauses, controlSender, controls: controlsIn(view.plan) };
}

export const billingOf = (
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

async function exchangeControl(
  shared: Pick<Shared, 'pauses' | 'wire' | 'billing'>,
  control: PlannedRequest,
  prepared: Prepared,
): Promise<Exchange> {
  await keepPause(shared, prepared);
  const options = { ...optionsOf(control), ...billingOf(shared, control, prepared), maxAttempts: 3 };
  const exchange = await shared.wire.exchange(prepared, { ...options, isControl: true });
  if (control.expect === 'answer') shared.pauses.note(prepared, exchange);
  return exchange;
}

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
  { wire }: Pick<Shared, 'wire'>,
  control: NonNullable<ExchangeOptions['control']>,
  waitingSince: number,
): Promise<boolean> {
  const isAnsweredNow = async (): Promise<boolean> => (await control(performance.now()))?.answered === true;
  if (await isAnsweredNow()) return true;
  for (const at of controlTimes) {
    const ms = waitingSince + at - performance.now();
    if (ms <= 0) continue;
    await wire.sleep(ms, { kind: 'lock-out' });
    if (await isAnsweredNow()) return true;
  }
  return false;
}

async function repeat({ wire, controlSender }: Shared, control: PlannedRequest): Promise<boolean> {
  const permit = await wire.enter();
  try {
    return (await unlessClosed(controlSender.again(control))) ?? false;
  } finally {
    permit.release();
  }
}

export function createExecutor(options: ExecutorOptions) {
  const shared = shareOf(options);
  const { target, view } = shared;
  return {
    /** Sends a request and gives what came back, or says why it was not sent. Never rejects. */
    send: (request: PlannedRequest, priority?: number): Promise<Exchange | Unsent> =>
      send(shared, request, priority),
    /** Sends a control until one is answered or its time is over; false where none is. Never rejects. By `performance.now()`. */
    isControlAnswered: async (request: PlannedRequest, waitingSince: number): Promise<boolean> => {
      const { control, callerControl } = controlsOf(shared, request, prepare(request, target, view));
      return (await unlessClosed(isControlAnswered(shared, control ?? callerControl, waitingSince))) ?? false;
    },
    /** The same of an answered request itself. */
    isAnsweredAgain: async ({ id }: PlannedRequest, waitingSince: number): Promise<boolean> => {
      const control = shared.controlSender.among(() => [id]);
      return (await unlessClosed(isControlAnswered(shared, control, waitingSince))) ?? false;
    },
    /** Sends a request once more, records it, and tells whether it was answered. Never rejects. */
    repeat: (request: PlannedRequest): Promise<boolean> => repeat(shared, request),
  };
}

export const optionsOf = (request: PlannedRequest): ExchangeOptions => ({
  facts: factsOf(request),
  read: (record) => replyKind(record, request),
});
