/**
 * What may stand behind verdicts, in the order in which it is looked for: a mistake of the operator goes before all
 * else, and what was not asked comes last.
 */
export const causeKinds = [
  'unreachable',
  'base-address',
  'token-not-accepted',
  'tokens-exchanged',
  'same-token',
  'model-not-known',
  'token-not-told',
  'model-not-told',
  'stopped-answering',
  'endpoint-absent',
  'endpoint-unanswered',
  'family-not-served',
  'stream-not-offered',
  'parameter-not-supported',
  'text-refused',
  'result-field-broken',
  'requirement-broken',
  'not-refused',
  'limit-hit',
  'no-answer-in-time',
  'no-usable-reply',
  'run-stopped',
  'not-decided',
  'model-behaviour',
  'too-fast',
  'not-declared',
  'not-asked',
] as const;
export type CauseKind = (typeof causeKinds)[number];

/**
 * The request that shows a cause with the fewest parts, which a run sends behind all else. `smallest`: sent once more it
 * showed it again. `nothing-left-out`: less any part it no longer does. `not-always`: the same request, sent once more,
 * did not show it. `unfinished`: parts are left that nobody tried to leave out. `not-sent`: nothing was sent for it.
 * `not-tried`: it rests on several replies, or on what the request says.
 */
export interface SmallestRequest {
  readonly kind: 'smallest' | 'nothing-left-out' | 'not-always' | 'unfinished' | 'not-sent' | 'not-tried';
  readonly exchange: string;
  /** What must come of it, and what came. Absent in reports of earlier versions. */
  readonly expected?: string;
  readonly actual?: string;
  /** How often the same request showed it, of the times that it was sent once more, one after another. */
  readonly again?: { readonly shown: number; readonly of: number };
  /** Every so-manieth of them shows it. */
  readonly each?: number;
}

/** What stands behind the verdicts of some requirements. */
export interface ReportCause {
  /** Its kind, and behind a colon what it is about: stable, such as `endpoint-absent:responses`. */
  readonly id: string;
  readonly kind: CauseKind;
  /** One sentence. */
  readonly summary: string;
  /** Models behind the first of their family that it was seen with alone; absent where a first one shows it, too. */
  readonly models?: readonly string[];
  /** Keys of the config that a mistake of the operator is in, or to look at first; absent where it is none. */
  readonly configKeys?: readonly string[];
  /** The exchanges that show it best, the first one by itself. */
  readonly evidence: readonly string[];
  readonly exchanges: readonly string[];
  /** A curl command that repeats the first of the evidence, or what shows the same with fewer parts. */
  readonly reproduce?: string;
  /** Of a failure: how small the request of that command is. Absent in reports of earlier versions. */
  readonly smallest?: SmallestRequest;
  readonly requirements: readonly string[];
  /** In a report of several runs: how many of them there are, and how many showed it. */
  readonly runs?: { readonly judged: number; readonly seen: number };
}

/** Kinds that say what the run was not asked or not told to try: neither the target nor the run is to blame. */
export const isOutOfScope = ({ kind }: Pick<ReportCause, 'kind'>): boolean =>
  kind === 'not-declared' || kind === 'not-asked';
