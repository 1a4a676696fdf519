import type { ReplyHistory } from '../../reading/reply-history.ts';
import type { Budget, Pacer, Slot } from '../limits/budget.ts';
import type { AttemptRecord, Prepared, Sender } from '../send.ts';
import { type ExchangeOptions, type AttemptReading, readAttempt } from './attempt-reading.ts';
import type { LoginWatch } from './login-watch.ts';
import type { RetryPolicy } from './policy.ts';
import type { RetryAfterClock } from './target-health.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';
import type { TimeoutWatch } from './timeout-watch.ts';

interface PacedAttempt {
  readonly record: AttemptRecord;
  readonly reading: AttemptReading;
  /** Milliseconds waited for the pause that the target asked for. */
  readonly pausedMs: number;
  /** When it was sent, in milliseconds of `performance.now()`. */
  readonly begunAt: number;
}

/** Makes one attempt. Rejects as `Sender.attempt` does. */
export type PacedSender = (
  prepared: Prepared,
  options: ExchangeOptions,
  waitedMs: number,
) => Promise<PacedAttempt>;

/** Statuses of a target that has too much to do. */
const busyStatuses = new Set<number | null>([429, 503, 529]);

export interface PacedSenderOptions {
  readonly clock: RetryAfterClock;
  /** Lets exchanges begin: fewer where they are limited, so that none loses each time. */
  readonly exchanges: Semaphore;
  /** Lets attempts through: fewer at once where the target is too busy. */
  readonly inFlight: Semaphore;
  /** What all attempts together may use up. */
  readonly budget: Budget;
  /** How fast they may follow each other. */
  readonly pacer: Pacer;
  readonly logins: LoginWatch;
  /** The part of the usual time that a request of a timing kind gets. */
  readonly patience: TimeoutWatch['patience'];
  readonly policy: RetryPolicy;
  /** What the recorded exchanges show about retryable replies; it is only asked. */
  readonly history: ReplyHistory;
}

/** A limit that all of the credential wait for; what may be a refusal is none. */
function isLimit(
  { cause, isRefusalWithRetryAfter, fingerprint }: AttemptReading,
  { facts }: ExchangeOptions,
  { policy, history }: PacedSenderOptions,
): boolean {
  if (cause === null || policy.table[cause].waits !== 'credential') return false;
  const mayBeRefusal = isRefusalWithRetryAfter || facts.credential === 'wrong';
  return facts.expect === 'answer' || !mayBeRefusal || history.hasPassed(fingerprint, facts);
}

/** Null where the reply may as well be a refusal. */
function isBusy(
  { status, fingerprint }: AttemptReading,
  { facts }: ExchangeOptions,
  history: ReplyHistory,
): boolean | null {
  if (!busyStatuses.has(status)) return false;
  return facts.expect === 'answer' || history.hasPassed(fingerprint, facts) ? true : null;
}

/** A place among those in flight, and one in the rate. */
async function place({ inFlight, pacer }: PacedSenderOptions): Promise<{ end: () => void; slot: Slot }> {
  const end = await inFlight.take();
  try {
    return { end, slot: await pacer() };
  } catch (error) {
    end();
    throw error;
  }
}

/** Waits for the end of the pause and for its turn, whichever is last. */
async function turnOf(
  { sleep }: Sender,
  { credential }: Prepared,
  waitedMs: number,
  options: PacedSenderOptions,
) {
  const { clock, policy } = options;
  let pausedMs = 0;
  const left = (): number => Math.min(clock.left(credential), policy.waitingMs - waitedMs - pausedMs);
  for (;;) {
    const wait = left();
    if (wait > 0) await sleep(wait, { kind: 'pause-asked-for' });
    pausedMs += Math.max(0, wait);
    const { end, slot } = await place(options);
    if (left() <= 0) return { end, slot, pausedMs };
    slot.giveBack();
    end();
  }
}

/** Where it would be one attempt too many with a wrong credential, a control goes first: one for all that wait. */
async function precede(
  { facts, control }: ExchangeOptions,
  precedence: Semaphore,
  logins: LoginWatch,
): Promise<() => void> {
  if (facts.credential !== 'wrong') return () => {};
  const leave = await precedence.take();
  try {
    while (logins.isSpent()) {
      await logins.oneOver();
      const sentAt = performance.now();
      const sent = await control?.(sentAt);
      if (sent?.answered === true) logins.noteAnswered(sentAt);
      else logins.forget();
    }
    return logins.begin();
  } finally {
    leave();
  }
}

/** Sends an attempt that the budget covers; where it does not, the run ends. */
async function send(
  sender: Sender,
  prepared: Prepared,
  { billing }: ExchangeOptions,
  slot: Slot,
  { budget, patience }: PacedSenderOptions,
): Promise<AttemptRecord> {
  const reserved = await budget.reserve(billing);
  if ('kind' in reserved) {
    slot.giveBack();
    void sender.close(reserved);
    return sender.attempt(prepared);
  }
  const begunAt = performance.now();
  let record: AttemptRecord | undefined;
  try {
    record = await sender.attempt(prepared, patience(prepared.timingKind));
    return record;
  } finally {
    slot.used(record?.headersMs == null ? performance.now() : begunAt + record.headersMs);
    reserved.settle(record);
  }
}

/** Sends attempts when the target allows it, and tells clock and semaphores what came back. */
export function createPacedSender(sender: Sender, shared: PacedSenderOptions): PacedSender {
  const { clock, exchanges, inFlight, logins, history } = shared;
  const precedence = createSemaphore(1);
  return async (prepared, options, waitedMs) => {
    const over = await precede(options, precedence, logins);
    // Its turn does not come where the run ends: others wait for it to be over.
    const { end, slot, pausedMs } = await turnOf(sender, prepared, waitedMs, shared).catch(
      (error: unknown) => {
        over();
        throw error;
      },
    );
    try {
      const [noteBusy, noteLimit] = [inFlight.watch(), exchanges.watch()];
      const begunAt = performance.now();
      const record = await send(sender, prepared, options, slot, shared);
      const reading = readAttempt(record, options, Date.now());
      if (options.facts.credential === 'right' && reading.settled === 'answered')
        logins.noteAnswered(begunAt);
      // A limit that is due says nothing of the target.
      if (options.facts.expect !== 'limited') {
        const isLimited = isLimit(reading, options, shared);
        noteBusy(isLimited || isBusy(reading, options, history), isLimited || reading.retryAfterMs !== null);
        noteLimit(isLimited);
        clock.note(prepared.credential, isLimited ? { askedMs: reading.retryAfterMs } : null);
      }
      return { record, reading, pausedMs, begunAt };
    } finally {
      over();
      end();
    }
  };
}
