import { sameReplies } from '../../reading/reply-history.ts';
import type { Attempt } from '../../types/exchange.ts';
import type { Prepared } from '../send.ts';
import type { AttemptReading, ExchangeOptions } from './attempt-reading.ts';
import { createSignal } from '../deferred.ts';
import { createSemaphore, type Semaphore, withoutPermit } from './semaphore.ts';
import type { RetryPolicy } from './policy.ts';

/** Token and model of a request, and its endpoint. */
type Caller = Pick<Prepared, 'credential' | 'model' | 'timingKind'>;

/** What is known of a caller. Times are milliseconds of `performance.now()`. */
interface CallerState {
  /** When the last request was sent that was answered, or got past what refused a control. */
  servedAt?: number;
  /** A control was refused since then: when it was sent, and with what. */
  closed?: { readonly at: number; readonly fingerprint: string | null } | undefined;
  /** A control was refused once: wrong requests go one at a time. */
  isNarrow: boolean;
  /** Valid exchanges under way that were refused last: whether their caller is, too, is not known yet. */
  readonly doubts: Set<ExchangeOptions>;
  readonly turn: Semaphore;
}

interface GatedAttempt {
  readonly reading: AttemptReading;
  /** In milliseconds of `performance.now()`. */
  readonly begunAt: number;
  /** The same; now where it is left out. */
  readonly endedAt?: number;
}

/** Knows of each caller whether its last control was answered (principle 4), whatever may have locked it out. */
export type CallerGate = ReturnType<typeof createCallerGate>;

/** What is known of all callers, and who waits for a change of it. */
type Gate = ReturnType<typeof newGate>;

const newGate = (policy: Pick<RetryPolicy, 'lockMs' | 'retryAfterMs'>, onClosed: () => void) => ({
  policy,
  onClosed,
  states: new Map<string, CallerState>(),
  /** What refused a caller for longer than is waited for. */
  givenUp: new Set<string | null>(),
  wrongAt: Number.NEGATIVE_INFINITY,
  /** Requests under way that need not be answered and are told a limit, by token and endpoint: whether it ends is not known yet. */
  limited: new Map<string, Set<ExchangeOptions>>(),
  doubts: createSignal(),
});

/** So often is a request refused in the same words before its control is asked for. */
const refusalsBeforeControl = 2;

function stateOf({ states }: Gate, { credential, model }: Caller): CallerState {
  const key = JSON.stringify([credential, model]);
  const state = states.get(key) ?? { isNarrow: false, doubts: new Set(), turn: createSemaphore(1) };
  states.set(key, state);
  return state;
}

function setDoubt(gate: Gate, state: CallerState, own: ExchangeOptions, isDoubtful: boolean): void {
  if (isDoubtful) state.doubts.add(own);
  else if (state.doubts.delete(own)) gate.doubts.tell();
}

function limitedOf({ limited }: Gate, { credential, timingKind }: Caller): Set<ExchangeOptions> {
  const key = JSON.stringify([credential, timingKind.endpoint]);
  const those = limited.get(key) ?? new Set();
  limited.set(key, those);
  return those;
}

function setLimited(gate: Gate, caller: Caller, own: ExchangeOptions, isLimited: boolean): void {
  const those = limitedOf(gate, caller);
  if (isLimited) those.add(own);
  else if (those.delete(own)) gate.doubts.tell();
}

function note(gate: Gate, caller: Caller, own: ExchangeOptions, attempt: GatedAttempt): void {
  const { credential, expect } = own.facts;
  const { reading, begunAt, endedAt = performance.now() } = attempt;
  if (needsNoAnswer(own)) setLimited(gate, caller, own, reading.cause === 'rate-limit');
  if (isValid(own)) setDoubt(gate, stateOf(gate, caller), own, reading.cause === 'refusal');
  if (credential === 'wrong' || expect !== 'answer') gate.wrongAt = Math.max(gate.wrongAt, endedAt);
  if (credential !== 'right' || expect === 'limited' || reading.settled === null) return;
  const state = stateOf(gate, caller);
  const { closed } = state;
  // A wrong request that gets words of its own is past what the control was refused with.
  const isPast = expect !== 'answer' && closed !== undefined && closed.fingerprint !== reading.fingerprint;
  if (reading.settled !== 'answered' && !isPast) return;
  state.servedAt = Math.max(state.servedAt ?? begunAt, begunAt);
  if (closed !== undefined && begunAt > closed.at) state.closed = undefined;
}

/** A control is over. */
function noteControl(gate: Gate, caller: Caller, { reading, begunAt }: GatedAttempt): void {
  const state = stateOf(gate, caller);
  const { settled, status, fingerprint } = reading;
  if (settled === 'answered' || status === null || (state.servedAt ?? begunAt) > begunAt) return;
  if (state.closed === undefined) gate.onClosed();
  state.closed ??= { at: begunAt, fingerprint };
  state.isNarrow = true;
}

/** A limit by the minute may look like a lock-out by 429: it is waited for as any limit is. */
function isTooLong({ policy }: Gate, ms: number, { status, retryAfterMs }: AttemptReading): boolean {
  const named = Math.min(retryAfterMs ?? 0, policy.retryAfterMs);
  return status !== 429 && ms > Math.max(policy.lockMs, 1.5 * named);
}

/** How many ms no control of the caller was answered, where an exchange is refused meanwhile; infinite where nobody waits any more. */
async function closedMs(
  gate: Gate,
  caller: Caller,
  own: ExchangeOptions,
  { attempts, reading }: { readonly attempts: readonly Attempt[]; readonly reading: AttemptReading },
  firstBegunAt: number,
): Promise<number | undefined> {
  const { facts, isControl, callerControl, permit } = own;
  if (reading.cause !== null && gate.givenUp.has(reading.fingerprint)) return Number.POSITIVE_INFINITY;
  if (isControl || facts.credential !== 'right' || facts.expect === 'limited') return undefined;
  const state = stateOf(gate, caller);
  const { cause } = reading;
  // A limit that is told to a valid request is waited for as such.
  const isRefused =
    facts.expect === 'answer' ? cause === 'refusal' : cause === 'overload' || cause === 'rate-limit';
  const isRepeated = sameReplies(attempts).length >= refusalsBeforeControl;
  const isServedSince = state.servedAt === undefined || state.servedAt > Math.min(firstBegunAt, gate.wrongAt);
  if (!isRefused || !isRepeated || isServedSince) return undefined;
  if (state.closed === undefined && callerControl) await withoutPermit(permit, callerControl(firstBegunAt));
  const { closed } = state;
  if (closed === undefined) return undefined;
  const ms = performance.now() - closed.at;
  if (!isTooLong(gate, ms, reading)) return ms;
  gate.givenUp.add(reading.fingerprint);
  return Number.POSITIVE_INFINITY;
}

/** Resolves when the exchange may send; what it gives lets the next one. While a control is refused, too, nothing at all is sent. */
async function enter(gate: Gate, caller: Caller, own: ExchangeOptions): Promise<(() => void) | undefined> {
  const { facts, isControl, permit } = own;
  if (isControl || facts.credential === 'spent' || facts.expect === 'limited') return undefined;
  const state = stateOf(gate, caller);
  const isWrong = facts.expect !== 'answer';
  const isLocked = ({ doubts, closed }: CallerState): boolean => closed !== undefined && doubts.size > 0;
  const limited = limitedOf(gate, caller);
  // One limit is waited for by those that met it: the others learn from them whether it ends.
  const isBehindLimit = (): boolean => needsNoAnswer(own) && limited.size > 0 && !limited.has(own);
  // What is wrong with a credential may lock out whom it will.
  const isHeld = (): boolean =>
    facts.credential === 'wrong'
      ? [...gate.states.values()].some(isLocked)
      : isBehindLimit() || (!state.doubts.has(own) && (isWrong ? state.doubts.size > 0 : isLocked(state)));
  while (isHeld()) await withoutPermit(permit, gate.doubts.changed());
  return facts.credential === 'right' && isWrong && state.isNarrow
    ? withoutPermit(permit, state.turn.take())
    : undefined;
}

/** @param onClosed called when a control is refused whose caller was answered before */
export function createCallerGate(policy: Gate['policy'], onClosed: Gate['onClosed'] = () => {}) {
  const gate = newGate(policy, onClosed);
  return {
    note: note.bind(undefined, gate),
    noteControl: noteControl.bind(undefined, gate),
    closedMs: closedMs.bind(undefined, gate),
    enter: enter.bind(undefined, gate),
    end: (caller: Caller, own: ExchangeOptions): void => {
      setDoubt(gate, stateOf(gate, caller), own, false);
      setLimited(gate, caller, own, false);
    },
  };
}

const isValid = ({ facts, isControl }: ExchangeOptions): boolean =>
  !isControl && facts.credential === 'right' && facts.expect === 'answer';

/** Whether its token is right, and no answer to it is due. */
export const needsNoAnswer = ({ facts, isControl }: Pick<ExchangeOptions, 'facts' | 'isControl'>): boolean =>
  !isControl && facts.credential === 'right' && (facts.expect === 'refusal' || facts.expect === 'either');
