import type { Family, Group } from '../../spec/vocabulary.ts';
import type { Evidence, Exchange, Unsent } from './exchange.ts';
import type { RunLimits } from './limits.ts';
import type { StopReason, WaitReason } from './reasons/exchange-reasons.ts';
import type { SuiteName } from './suite-names.ts';
import type { TrafficCounts } from './report.ts';

/** What of the whole plan is wanted; an empty list leaves that axis open. */
export interface Selection {
  readonly suites: readonly SuiteName[];
  readonly requirements: readonly string[];
  readonly families: readonly Family[];
  readonly groups: readonly Group[];
  /** Ids of cases; absent where this axis is open. */
  readonly cases?: readonly string[];
}

/** What of a run is neither in its plan nor in its evidence. */
export interface RunMeta {
  readonly runId: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Whether the run was stopped before all requests of its plan were sent. */
  readonly partial: boolean;
  readonly selection: Selection;
  /** Ids of the runs that it was merged of; absent where it is one run. */
  readonly parts?: readonly string[];
  /** What live traffic came to; absent where the suite sent the requests. */
  readonly traffic?: TrafficCounts;
}

export interface RunOptions {
  readonly seed: number;
  /** Exchanges under way at once. */
  readonly concurrency: number;
  /** Wall clock of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Wall clock of the whole run, in milliseconds: what is not recorded by then is recorded as unsent. */
  readonly longestMs?: number;
  /** What the run may use up, and how fast; not limited by default. */
  readonly limits?: RunLimits;
  readonly selection: Selection;
  /** Why nothing can be sent: all is recorded as unsent for it. */
  readonly stopped?: StopReason;
  /** Whether all is sent, also where the first replies show that something is declared wrong. */
  readonly keepGoing?: boolean;
  /** Whether smaller requests are sent for what fails; they are by default, and no verdict rests on them. */
  readonly showsSmallest?: boolean;
  /** Stops the run: what is under way is dropped, the rest is recorded as unsent. */
  readonly signal?: AbortSignal;
  /** What an earlier part of the run recorded; it is not sent again. */
  readonly earlier?: EarlierPart;
}

/** What a run that was stopped or killed left, as far as it is taken over. */
export interface EarlierPart {
  readonly evidence: Evidence;
  /** When it ended, where it was finished: then nothing is left to be sent. */
  readonly finishedAt?: string;
}

/** An exchange is about to wait for so many milliseconds before it is sent, or sent again; and why. */
export type OnWait = (ms: number, why: WaitReason) => void;

/** Called as the run goes, in the order things happen. */
export interface RunHooks {
  /** A request goes out: the id that it is recorded by. */
  readonly onBegin?: (id: string) => void;
  readonly onEvidence?: (entry: Exchange | Unsent) => void;
  readonly onWait?: OnWait;
  /** Replies show that what is timed need not go alone. */
  readonly onSteady?: () => void;
}
