import type { TargetGivenUp } from '../../types/reasons/exchange-reasons.ts';
import { isRateLimit, retryAfterMs, transientOf } from '../../reading/transient.ts';
import type { AttemptRecord } from '../send.ts';
import type { RetryPolicy } from './policy.ts';

/** Pauses that a target asks for, by credential, and how long it has asked for nothing else. */
export type RetryAfterClock = ReturnType<typeof createRetryAfterClock>;

/** One limited reply holds up its own exchange, two in a row all of the credential. Pauses longer than `longestMs` are not kept. */
export function createRetryAfterClock(longestMs: number, spentAfterMs: number) {
  const until = new Map<string, number>();
  const limitedSince = new Map<string, number>();
  const givenUp = new Set<string>();
  /** It has been limited, and nothing but limited, for longer than the suite waits: its limit is spent for good. */
  const isSpent = (credential: string): boolean =>
    givenUp.has(credential) ||
    performance.now() - (limitedSince.get(credential) ?? performance.now()) >= spentAfterMs;
  return {
    /** A reply to the credential came. `askedMs`: the pause that it asks for; null where it is no rate limit. */
    note: (credential: string, limit: { readonly askedMs: number | null } | null): void => {
      if (limit === null) {
        limitedSince.delete(credential);
        return;
      }
      const { askedMs } = limit;
      if (!limitedSince.has(credential)) limitedSince.set(credential, performance.now());
      else if (askedMs !== null && askedMs <= longestMs)
        until.set(credential, Math.max(until.get(credential) ?? 0, performance.now() + askedMs));
    },
    /** Milliseconds until something with the credential may be sent again. */
    left: (credential: string): number =>
      isSpent(credential) ? 0 : Math.max(0, Math.ceil((until.get(credential) ?? 0) - performance.now())),
    isSpent,
    /** Nothing that the credential gets shows anything: none of its limits is waited for. */
    giveUp: (credential: string): void => void givenUp.add(credential),
  };
}

/** What may pass by itself: no connection, no reply in time, a limit, a time to come back at. */
const passing = 'passing';

/** Equal for replies that are alike: those of an address where there is no gateway. */
function formOf({ response, ending, fingerprint }: AttemptRecord): string {
  if (response === null) return ending.kind === 'garbled' ? ending.kind : passing;
  const mayPass = isRateLimit({ response, ending }) || retryAfterMs({ response }, Date.now()) !== null;
  return mayPass || ending.kind === 'timeout' ? passing : (fingerprint ?? passing);
}

/** Tells whether a target and its routes still give replies that can be judged. */
export function createTargetHealth(
  policy: Pick<RetryPolicy, 'brokenAfter' | 'giveUpMs' | 'giveUpAlikeMs' | 'giveUpAttempts'>,
) {
  const failed = new Map<string, number>();
  let unreachable = 0;
  let proven = false;
  let attempts = 0;
  let begun: number | undefined;
  let last: TargetGivenUp['last'] | undefined;
  const forms = new Set<string>();
  return {
    noteAttempt: (record: AttemptRecord): void => {
      // The clock begins with the first attempt, at the time that it was sent.
      begun ??= performance.now() - record.endMs;
      attempts += 1;
      if (record.response !== null) unreachable = 0;
      const transient = transientOf(record);
      if (transient === null) proven = true;
      else last = transient;
      forms.add(formOf(record));
    },
    /** An exchange on a route is over: whether it came to a reply that can be judged. */
    noteRoute: (route: string, isJudged: boolean): void => {
      failed.set(route, isJudged ? 0 : (failed.get(route) ?? 0) + 1);
    },
    /** An exchange ended without a status line. */
    noteUnreachable: (): void => {
      unreachable += 1;
    },
    /** Exchanges came to nothing so often in a row that each is tried once: on this route, or on any. */
    isBroken: (route: string): boolean =>
      unreachable >= policy.brokenAfter || (failed.get(route) ?? 0) >= policy.brokenAfter,
    /** The target has given a reply that can be judged. */
    isProven: (): boolean => proven,
    /** Why the target is given up; null while it is not. */
    givenUp: (): TargetGivenUp | null => {
      const ms = performance.now() - (begun ?? performance.now());
      if (proven || last === undefined) return null;
      const isAlike = forms.size === 1 && !forms.has(passing);
      const mostMs = isAlike ? Math.min(policy.giveUpAlikeMs, policy.giveUpMs) : policy.giveUpMs;
      if (attempts < policy.giveUpAttempts || ms < mostMs) return null;
      return { kind: 'target-given-up', attempts, seconds: Math.round(ms / 1000), last };
    },
  };
}
