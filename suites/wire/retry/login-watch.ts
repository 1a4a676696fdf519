/** So many requests with a wrong credential at most go out without a valid request that is answered in between. */
export const mostWrongInRow = 4;

interface WrongAttempt {
  /** In milliseconds of `performance.now()`; absent while it is under way. */
  endedAt?: number;
}

/**
 * Counts the attempts with a wrong credential since a valid request, over the whole run. One that was not over when
 * the valid one was sent may have arrived behind it, and counts on.
 */
export interface LoginWatch {
  /** An attempt begins; what it gives is called when it is over. */
  readonly begin: () => () => void;
  /** An attempt ended at this time of `performance.now()`, in an earlier part of the run. */
  readonly noteWrong: (endedAt: number) => void;
  /**
   * A valid request is sent at this time of `performance.now()`: what was over by then counts no longer. What it gives
   * is told whether the request was answered; where it was not, they count again.
   */
  readonly noteValid: (begunAt: number) => (isAnswered: boolean) => void;
  /** No other attempt may begin before a valid request that is sent from now on. */
  readonly isSpent: () => boolean;
  /** There is no valid request to send: nothing is answered that a lock-out could take away. */
  readonly forget: () => void;
}

export function createLoginWatch(): LoginWatch {
  let counted: WrongAttempt[] = [];
  let answeredAt = Number.NEGATIVE_INFINITY;
  const isOverAt =
    (ms: number) =>
    ({ endedAt }: WrongAttempt): boolean =>
      endedAt !== undefined && endedAt <= ms;
  return {
    begin: () => {
      const own: WrongAttempt = {};
      counted.push(own);
      return () => {
        own.endedAt = performance.now();
      };
    },
    noteWrong: (endedAt) => {
      counted.push({ endedAt });
    },
    noteValid: (begunAt) => {
      const [before, isBefore] = [counted, isOverAt(begunAt)];
      counted = before.filter((attempt) => !isBefore(attempt));
      return (isAnswered) => {
        if (isAnswered) answeredAt = Math.max(answeredAt, begunAt);
        const isAnsweredSince = isOverAt(answeredAt);
        const again = before.filter((attempt) => isBefore(attempt) && !isAnsweredSince(attempt));
        counted = [...again, ...counted.filter((attempt) => !isAnsweredSince(attempt))];
      };
    },
    isSpent: () => counted.length >= mostWrongInRow,
    forget: () => {
      counted = [];
    },
  };
}
