import type { Attempt } from '../../types/exchange.ts';
import { isGeneralStatus, lockRepeats } from '../../reading/lock-outs.ts';
import { sameReplies } from '../../reading/reply-history.ts';
import type { Prepared } from '../send.ts';
import type { AttemptReading, ExchangeOptions, Permit } from './attempt-reading.ts';
import type { RetryPolicy } from './policy.ts';
import type { LockWatch, WatchedAttempt } from './lock-out-watch.ts';

/** Waits with the permit given back, and takes it again. */
export async function withoutPermit<Result>(
  permit: Permit | undefined,
  wait: Promise<Result>,
): Promise<Result> {
  permit?.release();
  const result = await wait;
  await permit?.reacquire();
  return result;
}

/** What an exchange that is under way keeps of lock-outs. */
export interface LockWait {
  /** Waits until no other exchange of the caller asks for the end of a lock-out. */
  readonly admit: () => Promise<void>;
  /**
   * Takes an attempt, and tells how long the caller has been locked; undefined where it is not, infinite where
   * the end of such a lock-out is no longer waited for.
   * @param firstBegunAt when the first of the replies that are like the last one was asked for
   */
  readonly note: (
    attempts: readonly Attempt[],
    last: WatchedAttempt,
    firstBegunAt: number,
  ) => Promise<number | undefined>;
  /** Waits for its turn to ask again; false where the lock-out ended meanwhile, and nothing has to be waited for. */
  readonly isHeld: (attempts: readonly Attempt[], firstBegunAt: number) => Promise<boolean>;
  /** The exchange is over. */
  readonly end: () => void;
}

/** Gives what makes the part of each exchange; what is learned of lock-outs is shared by all. */
export function createLockWaits(
  policy: Pick<RetryPolicy, 'lockMs' | 'retryAfterMs'>,
  watch: LockWatch,
): (prepared: Prepared, own: ExchangeOptions) => LockWait {
  /** Got past what was refused before: in the same words, a valid request is locked out. */
  function learn(attempts: readonly Attempt[], { settled }: AttemptReading, askedAt?: number): void {
    const [last, before] = [attempts.at(-1), attempts.slice(0, -1)];
    if (settled === 'answered' && sameReplies(before).length >= lockRepeats)
      watch.learn(before.at(-1)?.fingerprint ?? null, true);
    // Where a login was refused since the control was asked for, the refusal may be that of the next lock.
    else if (settled === 'refused' && askedAt !== undefined && !watch.wasLoginRefusedSince(askedAt))
      watch.learn(last?.fingerprint ?? null, false);
  }

  /** A limit by the minute may look like a lock-out by 429: it is waited for as any limit is. */
  function isTooLong(ms: number, { status, retryAfterMs }: AttemptReading): boolean {
    const named = Math.min(retryAfterMs ?? 0, policy.retryAfterMs);
    return status !== 429 && ms > Math.max(policy.lockMs, 1.5 * named);
  }

  return ({ credential, model }, own) => {
    const caller = { credential, model };
    const { facts, permit, isControl, callerControl } = own;
    let release: (() => void) | undefined;
    /** When the control was asked for, in milliseconds of `performance.now()`. */
    let askedAt: number | undefined;

    async function takeTurn(): Promise<void> {
      release = await withoutPermit(permit, watch.take(caller));
    }

    function end(): void {
      release?.();
      release = undefined;
    }

    /** Whether the refusal is that of a lock-out: known, or told by a control that is refused as well. */
    async function isLocked({ fingerprint, status }: AttemptReading, firstBegunAt: number): Promise<boolean> {
      const known = watch.isLocks(fingerprint);
      const isAsked = askedAt !== undefined;
      if (known !== undefined || isControl || isAsked || callerControl === undefined) return known ?? true;
      askedAt = performance.now();
      const sent = await withoutPermit(permit, callerControl(firstBegunAt));
      // Answered: the lock-out may be over by now, which one more attempt tells.
      // None to send: a status that any refusal may have then tells of none.
      return sent?.answered ?? !isGeneralStatus(status);
    }

    return {
      admit: async () => {
        if (isControl || release !== undefined || !watch.mustWait(caller, facts)) return;
        await takeTurn();
        if (facts.expect === 'answer') end();
      },
      note: async (attempts, last, firstBegunAt) => {
        watch.note(caller, facts, last);
        learn(attempts, last.reading, askedAt);
        const { cause, fingerprint, status } = last.reading;
        if (isGeneralStatus(status) && cause !== 'refusal') return undefined;
        // A reply in the words of a lock-out whose end is no longer waited for tells this exchange the same.
        if (cause === 'overload' && watch.isGivenUp(fingerprint)) return Number.POSITIVE_INFINITY;
        const ms = watch.lockedMs(caller, facts, attempts, firstBegunAt);
        if (ms === undefined) return undefined;
        if (isTooLong(ms, last.reading)) watch.giveUp(fingerprint);
        if (watch.isGivenUp(fingerprint)) return Number.POSITIVE_INFINITY;
        if (cause !== 'refusal') return ms;
        return (await isLocked(last.reading, firstBegunAt)) ? ms : undefined;
      },
      isHeld: async (attempts, firstBegunAt) => {
        if (!isControl && release === undefined) await takeTurn();
        if (watch.lockedMs(caller, facts, attempts, firstBegunAt) !== undefined) return true;
        if (facts.expect === 'answer') end();
        return false;
      },
      end,
    };
  };
}
