import { refusalRepeats } from '../../reading/reply-history.ts';

/** What may make a request worth sending again. */
export type RetryCause = keyof typeof rows;

export interface RetryRow {
  /** Attempts of one exchange that may come to this, the first one included. */
  readonly attempts: number;
  /** The same where an answer is due. */
  readonly whereAnswerIsDue?: number;
  /** The same where it came to the last attempt of another exchange of the same credential: nothing is waited for twice (principle 15). */
  readonly whereLasting?: number;
  /** The same where another exchange got past such a reply; `by-chance`: until chance does not explain it any more. */
  readonly wherePassed?: number | 'by-chance';
  /** The longest wait before the next attempt, in milliseconds. */
  readonly longestBackOffMs: number;
  /** Who waits: the request alone, or with it all that have its credential. */
  readonly waits: 'request' | 'credential';
}

const slow = { longestBackOffMs: 20_000, waits: 'request' } as const;

/** Cause → attempts, back-off, who waits. */
const rows = {
  // A restart must fit; a target that is gone must come to an end.
  unreachable: { attempts: 7, ...slow },
  cut: { attempts: 5, ...slow },
  timeout: { attempts: 2, ...slow },
  garbled: { attempts: 3, ...slow },
  oversize: { attempts: 1, ...slow },
  challenge: { attempts: 6, ...slow },
  // A limit that others passed is passed in time: it is asked again more often, and sooner.
  'rate-limit': {
    attempts: 11,
    whereLasting: refusalRepeats,
    wherePassed: 30,
    longestBackOffMs: 20_000,
    waits: 'credential',
  },
  overload: { attempts: 11, whereLasting: refusalRepeats, ...slow },
  // A 500, or what may pass as one does: it is taken once it repeats.
  failure: {
    attempts: 2,
    whereAnswerIsDue: 4,
    whereLasting: 2,
    wherePassed: 'by-chance',
    ...slow,
    longestBackOffMs: 4_000,
  },
  // A model may say nothing now and then: so often, no chance explains it beside the answers of a run. Waiting helps nothing.
  'no-text': { attempts: 4, wherePassed: 'by-chance', longestBackOffMs: 500, waits: 'request' },
  // What other valid requests got past may come twice by chance.
  refusal: { attempts: 1, whereAnswerIsDue: 2, wherePassed: 'by-chance', ...slow },
} satisfies Readonly<Record<string, RetryRow>>;
export const retryTable: Readonly<Record<RetryCause, RetryRow>> = rows;

/** All bounds of sending again. */
export type RetryPolicy = Readonly<typeof retryPolicy>;

export const retryPolicy = {
  table: retryTable,
  /** Attempts of one exchange in all. */
  attempts: 11,
  /** The same while the target has never given a reply that can be judged. */
  firstAttempts: 6,
  /** The same at most, where others passed what it is sent again for. */
  mostAttempts: 30,
  /** First wait, in milliseconds; it doubles each time. */
  backOffMs: 100,
  /** The same where an answer is due and none got past a failure yet: it may be an outage. In all some 7 s: a restart fits. */
  outageBackOffMs: 1_000,
  /** The longest such wait where others passed what it is waited for. */
  passedBackOffMs: 3_000,
  /** The longest Retry-After that is waited for. A limit by the minute is common: one window must fit, and most of a second. */
  retryAfterMs: 60_000,
  /** The same where the reply may be a refusal, which its control will tell. */
  controlledRetryAfterMs: 5_000,
  /** How long the end of a lock-out is waited for that names no time, in milliseconds. */
  lockMs: 30_000,
  /** All waiting of one exchange, in milliseconds. */
  waitingMs: 90_000,
  /** Exchanges in a row without a reply that can be judged after which a route is tried once an exchange. */
  brokenAfter: 3,
  /** The longest pause between attempts where one at a time is too much for the target: five a second. */
  longestPauseMs: 200,
  /** A target that has given no reply that can be judged for so long and in so many attempts is given up. */
  giveUpMs: 90_000,
  /** The same where all its replies are alike: there may be no gateway at this address. */
  giveUpAlikeMs: 10_000,
  giveUpAttempts: 6,
  /** Timeouts in a row after which a kind of request that was answered before is tried one at a time. */
  timeoutsInRow: 4,
};
