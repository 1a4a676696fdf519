import { deferred } from '../deferred.ts';

/** The most requests with a wrong credential that are sent without a valid request that is answered in between. */
export const mostWrongInRow = 4;

interface WrongAttempt {
  /** In milliseconds of `performance.now()`; absent while it is under way. */
  endedAt?: number;
  readonly over: Promise<void>;
}

/** Counts attempts with a wrong credential since a valid request was answered; what overlaps that one counts on. */
export type LoginWatch = ReturnType<typeof createLoginWatch>;

export function createLoginWatch() {
  let counted: WrongAttempt[] = [];
  let most = mostWrongInRow;
  /** Since the number was made smaller. */
  let hasBegun = false;
  return {
    /** An attempt begins; what it gives is called when it is over. */
    begin: (): (() => void) => {
      const { promise: over, resolve } = deferred();
      const own: WrongAttempt = { over };
      counted.push(own);
      hasBegun = true;
      return () => {
        own.endedAt = performance.now();
        resolve();
      };
    },
    /** An attempt ended at this time of `performance.now()`, in an earlier part of the run. */
    noteWrong: (endedAt: number): void => {
      counted.push({ endedAt, over: Promise.resolve() });
    },
    /** A valid request was answered that was sent at this time of `performance.now()`. */
    noteAnswered: (begunAt: number): void => {
      counted = counted.filter(({ endedAt }) => endedAt === undefined || endedAt > begunAt);
    },
    /** No other attempt may begin before a valid request is answered that is sent from now on. */
    isSpent: (): boolean => counted.length >= most,
    /** Resolves once one of those that count is over: a valid request that is sent before that shows nothing of any. */
    oneOver: (): Promise<void> => Promise.race(counted.map(({ over }) => over)),
    /** A caller was locked out: from now on half as many go in a row. */
    tighten: (): void => {
      if (hasBegun) most = Math.max(1, Math.floor(most / 2));
      hasBegun = false;
    },
    /** There is no valid request to send: nothing is answered that a lock-out could take away. */
    forget: (): void => {
      counted = [];
    },
  };
}
