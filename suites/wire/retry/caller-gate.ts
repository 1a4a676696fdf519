import { sameReplies } from '../../reading/reply-history.ts';
import type { RequestFacts } from '../../reading/request-facts.ts';
import type { Attempt } from '../../types/exchange.ts';
import type { Prepared } from '../send.ts';
import type { AttemptReading, ExchangeOptions } from './attempt-reading.ts';
import { withoutPermit } from './permit.ts';
import type { RetryPolicy } from './policy.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';

/** Token and model of a request. */
type Caller = Pick<Prepared, 'credential' | 'model'>;

/** What is known of a caller. Times are milliseconds of `performance.now()`. */
interface CallerState {
  /** When the last request was sent that was answered, or got past what refused a control. */
  servedAt?: number;
  /** A control was refused since then: when it was sent, and with what. */
  closed?: { readonly at: number; readonly fingerprint: string | null } | undefined;
  /** A control was refused once: wrong requests go one at a time. */
  isNarrow: boolean;
  readonly turn: Semaphore;
}

/** An attempt that is over. */
interface GatedAttempt {
  readonly reading: AttemptReading;
  /** In milliseconds of `performance.now()`. */
  readonly begunAt: number;
  /** The same; now where it is left out. */
  readonly endedAt?: number;
}

/** Knows of each caller whether its last control was answered (principle 4), whatever may have locked it out. */
export interface CallerGate {
  readonly note: (caller: Caller, facts: RequestFacts, attempt: GatedAttempt) => void;
  /** A control is over. */
  readonly noteControl: (caller: Caller, last: GatedAttempt) => void;
  /**
   * How long no control of the caller has been answered, in milliseconds, where an exchange is refused meanwhile;
   * undefined where the refusal is its own, infinite where the next answer is no longer waited for. Sends the
   * control, unless the caller was answered since, or nothing wrong was sent.
   * @param firstBegunAt when the first of the replies that are like the last one was asked for
   */
  readonly closedMs: (
    caller: Caller,
    own: ExchangeOptions,
    seen: { readonly attempts: readonly Attempt[]; readonly reading: AttemptReading },
    firstBegunAt: number,
  ) => Promise<number | undefined>;
  /** Resolves when the exchange may send; the function it gives lets the next one of its caller send. */
  readonly enter: (caller: Caller, own: ExchangeOptions) => Promise<(() => void) | undefined>;
}

/** So often is a request refused in the same words before its control is asked for. */
const refusalsBeforeControl = 2;

export function createCallerGate(policy: Pick<RetryPolicy, 'lockMs' | 'retryAfterMs'>): CallerGate {
  const states = new Map<string, CallerState>();
  /** What refused a caller for longer than is waited for. */
  const givenUp = new Set<string | null>();
  let wrongAt = Number.NEGATIVE_INFINITY;

  function stateOf({ credential, model }: Caller): CallerState {
    const key = JSON.stringify([credential, model]);
    const state = states.get(key) ?? { isNarrow: false, turn: createSemaphore(1) };
    states.set(key, state);
    return state;
  }

  const note: CallerGate['note'] = (caller, { credential, expect }, attempt) => {
    const { reading, begunAt, endedAt = performance.now() } = attempt;
    if (credential === 'wrong' || expect !== 'answer') wrongAt = Math.max(wrongAt, endedAt);
    if (credential !== 'right' || expect === 'limited' || reading.settled === null) return;
    const state = stateOf(caller);
    const { closed } = state;
    // A wrong request that gets words of its own is past what the control was refused with.
    const isPast = expect !== 'answer' && closed !== undefined && closed.fingerprint !== reading.fingerprint;
    if (reading.settled !== 'answered' && !isPast) return;
    state.servedAt = Math.max(state.servedAt ?? begunAt, begunAt);
    if (closed !== undefined && begunAt > closed.at) state.closed = undefined;
  };

  const noteControl: CallerGate['noteControl'] = (caller, { reading, begunAt }) => {
    const state = stateOf(caller);
    const { settled, status, fingerprint } = reading;
    if (settled === 'answered' || status === null || (state.servedAt ?? begunAt) > begunAt) return;
    state.closed ??= { at: begunAt, fingerprint };
    state.isNarrow = true;
  };

  /** A limit by the minute may look like a lock-out by 429: it is waited for as any limit is. */
  function isTooLong(ms: number, { status, retryAfterMs }: AttemptReading): boolean {
    const named = Math.min(retryAfterMs ?? 0, policy.retryAfterMs);
    return status !== 429 && ms > Math.max(policy.lockMs, 1.5 * named);
  }

  const closedMs: CallerGate['closedMs'] = async (caller, own, { attempts, reading }, firstBegunAt) => {
    const { facts, isControl, callerControl, permit } = own;
    if (reading.cause !== null && givenUp.has(reading.fingerprint)) return Number.POSITIVE_INFINITY;
    if (isControl || facts.credential !== 'right' || facts.expect === 'limited') return undefined;
    const state = stateOf(caller);
    const { cause } = reading;
    // A limit that is told to a valid request is waited for as such.
    const isRefused =
      facts.expect === 'answer' ? cause === 'refusal' : cause === 'overload' || cause === 'rate-limit';
    const isRepeated = sameReplies(attempts).length >= refusalsBeforeControl;
    const isServedSince = state.servedAt === undefined || state.servedAt > Math.min(firstBegunAt, wrongAt);
    if (!isRefused || !isRepeated || isServedSince) return undefined;
    if (state.closed === undefined && callerControl) await withoutPermit(permit, callerControl(firstBegunAt));
    const { closed } = state;
    if (closed === undefined) return undefined;
    const ms = performance.now() - closed.at;
    if (!isTooLong(ms, reading)) return ms;
    givenUp.add(reading.fingerprint);
    return Number.POSITIVE_INFINITY;
  };

  const enter: CallerGate['enter'] = async (caller, { facts, isControl, permit }) => {
    const state = stateOf(caller);
    const isWrong = facts.credential === 'right' && facts.expect !== 'answer' && facts.expect !== 'limited';
    return isControl || !isWrong || !state.isNarrow ? undefined : withoutPermit(permit, state.turn.take());
  };
  return { note, noteControl, closedMs, enter };
}
