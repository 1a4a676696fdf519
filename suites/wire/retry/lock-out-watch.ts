import {
  isGeneralStatus,
  isToldAfterLogins,
  lockRepeats,
  mayTellLock,
  triggerMs,
} from '../../reading/lock-outs.ts';
import { sameReplies } from '../../reading/reply-history.ts';
import type { Attempt } from '../../types/exchange.ts';
import type { RequestFacts } from '../../reading/request-facts.ts';
import type { AttemptReading } from './attempt-reading.ts';
import type { Prepared } from '../send.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';

/** Token and model of a request. */
type Caller = Pick<Prepared, 'credential' | 'model'>;

/** What is known of a caller, or of a model, in milliseconds of `performance.now()`. */
interface CallerState {
  /** When the last request that got past any lock was sent; undefined while none was. */
  openAt?: number;
  /** When the first request since then was refused as by a lock. */
  lockedAt?: number | undefined;
  /** A lock was seen: its wrong requests go one at a time, since each may set it off again. */
  isLockable: boolean;
  /** Held by the one exchange that asks whether a lock is over, while the others wait. */
  readonly turn: Semaphore;
  held: number;
}

/** An attempt that is over. */
export interface WatchedAttempt {
  readonly reading: AttemptReading;
  /** In milliseconds of `performance.now()`. */
  readonly begunAt: number;
  /** The same; now where it is left out. */
  readonly endedAt?: number;
}

/** Tells lock-outs: a model or a caller that is refused for a while after wrong requests (7, 8: neither is shown). */
export interface LockWatch {
  readonly note: (caller: Caller, facts: RequestFacts, attempt: WatchedAttempt) => void;
  /**
   * How long the caller has been locked, in milliseconds, where the last replies of an exchange may be those of a
   * lock; undefined where not.
   * @param firstBegunAt when the first of those replies was asked for
   */
  readonly lockedMs: (
    caller: Caller,
    facts: RequestFacts,
    attempts: readonly Attempt[],
    firstBegunAt: number,
  ) => number | undefined;
  /** Whether a login was refused since then: it may have set off another lock. */
  readonly wasLoginRefusedSince: (at: number) => boolean;
  /** Whether a wrong request of the caller may set off a lock, or one holds now. */
  readonly mustWait: (caller: Caller, facts: RequestFacts) => boolean;
  /** Resolves when no other exchange asks for the caller; the function it gives lets the next one ask. */
  readonly take: (caller: Caller) => Promise<() => void>;
  /** The reply is known to be, or not to be, that of a lock; undefined while nobody knows. */
  readonly isLocks: (fingerprint: string | null) => boolean | undefined;
  readonly learn: (fingerprint: string | null, isOfLock: boolean) => void;
  /** A lock-out with this reply lasted for longer than is waited for: no other with it is waited for. */
  readonly giveUp: (fingerprint: string | null) => void;
  readonly isGivenUp: (fingerprint: string | null) => boolean;
}

/** How often a refusal must be that of the request itself before it is taken without a control. */
const fewOwnRefusals = 3;

export function createLockWatch(): LockWatch {
  const states = new Map<string, CallerState>();
  const ofLocks = new Set<string | null>();
  const givenUp = new Set<string | null>();
  const ofOthers = new Map<string | null, number>();
  /** What valid requests were refused with. */
  const ofValid = new Set<string | null>();
  let wrongSentAt = Number.NEGATIVE_INFINITY;
  let loginRefusedAt = Number.NEGATIVE_INFINITY;

  const keyOf = ({ credential, model }: Caller): string => JSON.stringify([credential, model]);

  function stateOf(key: string): CallerState {
    const state = states.get(key) ?? { isLockable: false, turn: createSemaphore(1), held: 0 };
    states.set(key, state);
    return state;
  }

  const wasSetOff = (status: number | null, at: number): boolean =>
    at - (isToldAfterLogins(status) ? loginRefusedAt : wrongSentAt) < triggerMs;

  function note(caller: Caller, facts: RequestFacts, attempt: WatchedAttempt): void {
    const { reading, begunAt, endedAt = performance.now() } = attempt;
    const { credential, expect } = facts;
    if (credential === 'wrong' && reading.settled === 'refused') loginRefusedAt = endedAt;
    if (credential === 'wrong' || expect !== 'answer') wrongSentAt = endedAt;
    if (credential !== 'right' || expect === 'limited' || reading.settled === null) return;
    if (expect === 'answer' && reading.settled === 'refused') ofValid.add(reading.fingerprint);
    const state = stateOf(keyOf(caller));
    // A wrong request got past a lock where it is refused in its own words, which a lock's are not.
    const isOwn = isGeneralStatus(reading.status) && !ofValid.has(reading.fingerprint);
    const isPast = expect !== 'answer' && state.openAt !== undefined && isOwn;
    if (reading.settled !== 'answered' && !isPast) return;
    for (const open of [state, stateOf(caller.model)]) {
      open.openAt = Math.max(open.openAt ?? begunAt, begunAt);
      if (open.lockedAt !== undefined && begunAt > open.lockedAt) open.lockedAt = undefined;
    }
  }

  const lockedMs: LockWatch['lockedMs'] = (caller, facts, attempts, firstBegunAt) => {
    const own = stateOf(keyOf(caller));
    const { status = null, fingerprint = null } = attempts.at(-1) ?? {};
    if (!mayTellLock(status, facts) || sameReplies(attempts).length < lockRepeats) return undefined;
    // Who was never answered may be refused for good; a model that others were answered with may be locked.
    const state = own.openAt === undefined && !isToldAfterLogins(status) ? stateOf(caller.model) : own;
    if (state.openAt === undefined || state.openAt > firstBegunAt) return undefined;
    if (state.lockedAt === undefined && !wasSetOff(status, firstBegunAt)) return undefined;
    state.lockedAt = Math.min(state.lockedAt ?? firstBegunAt, firstBegunAt);
    // Only known locks of such a status hold up what is wrong: most that have it are none.
    own.isLockable ||= !isGeneralStatus(status) || ofLocks.has(fingerprint);
    return performance.now() - state.lockedAt;
  };

  async function take(caller: Caller): Promise<() => void> {
    const state = stateOf(keyOf(caller));
    state.held += 1;
    const end = await state.turn.take();
    return () => {
      state.held -= 1;
      end();
    };
  }

  const mustWait: LockWatch['mustWait'] = (caller, { credential, expect }) => {
    const state = states.get(keyOf(caller));
    if (state === undefined || credential !== 'right' || expect === 'limited') return false;
    return state.held > 0 || (state.isLockable && expect !== 'answer');
  };

  const isLocks = (fingerprint: string | null): boolean | undefined =>
    ofLocks.has(fingerprint) ? true : (ofOthers.get(fingerprint) ?? 0) >= fewOwnRefusals ? false : undefined;

  return {
    note,
    lockedMs,
    wasLoginRefusedSince: (at) => loginRefusedAt > at,
    mustWait,
    take,
    isLocks,
    giveUp: (fingerprint) => void givenUp.add(fingerprint),
    isGivenUp: (fingerprint) => givenUp.has(fingerprint),
    learn: (fingerprint, isOfLock) => {
      if (isOfLock) ofLocks.add(fingerprint);
      else ofOthers.set(fingerprint, (ofOthers.get(fingerprint) ?? 0) + 1);
    },
  };
}
