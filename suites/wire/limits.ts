/** Bounds of all sending again. */
export interface RetryLimits {
  /** Attempts in all. */
  readonly attempts: number;
  /** Attempts in all while the target has never yet given a reply that can be judged. */
  readonly firstAttempts: number;
  /** The same where a rate limit ends them that others came through, or known weather comes between refusals. */
  readonly limitedAttempts: number;
  /** Attempts that may run out of time. */
  readonly timeouts: number;
  /** Attempts whose reply may break off. */
  readonly cuts: number;
  /** Attempts whose reply may be no HTTP, or not what its content-encoding says. */
  readonly garbled: number;
  /** Attempts on which no reply may begin: a restart must fit, a target that is gone must come to an end. */
  readonly unreachable: number;
  /** Attempts that may fail (500, or an error in a stream): it is taken once it repeats. Where an answer was hoped for, so many. */
  readonly failures: number;
  readonly failuresOfAnswer: number;
  /** The same where a request that was judged in the end got the like before. */
  readonly failuresInWeather: number;
  /** Attempts in a row with the same reply that asks to come again, after which it may be a refusal. */
  readonly repeats: number;
  /** Attempts that a bot filter may answer. */
  readonly challenges: number;
  /** Attempts that may be refused where an answer was hoped for. */
  readonly refusals: number;
  /** First wait, in milliseconds; it doubles each time, up to the longest. */
  readonly backoffMs: number;
  readonly longestBackoffMs: number;
  /** The longest where others came through what it is waited for. */
  readonly limitedBackoffMs: number;
  /** The longest Retry-After that is waited for, in milliseconds. */
  readonly retryAfterMs: number;
  /** The longest that is waited to see whether a refusal with Retry-After repeats, in milliseconds. */
  readonly hintedMs: number;
  /** All waiting of one exchange, in milliseconds. */
  readonly waitingMs: number;
  /**
   * A target that has given no reply that can be judged for so many milliseconds and in so many attempts is
   * given up; a credential that was only ever limited for so long is waited for no more.
   */
  readonly patienceMs: number;
  readonly patienceAttempts: number;
}

export const retryLimits: RetryLimits = {
  attempts: 11,
  firstAttempts: 6,
  limitedAttempts: 30,
  timeouts: 2,
  cuts: 5,
  garbled: 3,
  unreachable: 7,
  failures: 2,
  failuresOfAnswer: 4,
  failuresInWeather: 8,
  repeats: 4,
  challenges: 6,
  refusals: 2,
  backoffMs: 100,
  longestBackoffMs: 20_000,
  limitedBackoffMs: 3_000,
  // A limit by the minute is common: one window must fit, and most of a second.
  retryAfterMs: 60_000,
  hintedMs: 5_000,
  waitingMs: 90_000,
  patienceMs: 90_000,
  patienceAttempts: 6,
};
