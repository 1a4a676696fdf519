import type { Cut } from './smaller-request.ts';
import type { Ending, GaveUp, RetryReason, UnsentReason } from './reasons/exchange-reasons.ts';

/** A request as it was sent; a credential stands as `${VARIABLE}`, never as its value. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The bytes of a body after content decoding, credentials masked to the same length. */
export interface Body {
  /** The bytes as text where they are UTF-8, else as base64. */
  readonly text: string;
  readonly encoding: 'utf8' | 'base64';
  /** Length in bytes after content decoding. */
  readonly bytes: number;
  /** After each chunk: the length in bytes so far, and milliseconds since the request was sent. */
  readonly arrivals: readonly (readonly [bytes: number, ms: number])[];
}

export interface Reply {
  readonly status: number;
  /** In the order received, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Body;
}

export interface Attempt {
  readonly status: number | null;
  readonly ending: Ending;
  /** Equal for replies with the same status and the same words; null where none came. */
  readonly fingerprint: string | null;
  /** Bytes of body after decoding. */
  readonly bytes: number;
  readonly startedAt: string;
  /** Milliseconds from send to end. */
  readonly ms: number;
  /** Milliseconds that it was given, where its reply came whole in more than four fifths of them. */
  readonly limitMs?: number;
  /** What came, where another attempt followed: the reply of the last is that of the exchange. Absent where none came. */
  readonly response?: Reply;
  /** Milliseconds waited before it; 0 for the first. */
  readonly waitedMs: number;
  /** Why it was sent again after this one; absent on the last. */
  readonly retry?: RetryReason;
  /** The exchange that sent a control after this attempt and before the next. */
  readonly control?: string;
  /** Why no other attempt followed, where the reply proves nothing; on the last only. */
  readonly gaveUp?: GaveUp;
}

/** Request and reply, as they were. Immutable; recorded before anything judges it. */
export interface Exchange {
  readonly id: string;
  /** The planned request that it sends once more, as the control of another that may be refused. */
  readonly repeats?: string;
  /** The planned combination of which it sends a part, and the factors of that part. */
  readonly part?: { readonly of: string; readonly factors: readonly string[] };
  /** The exchange whose request it sends once more, less these parts, the so-manieth time: it is not judged. */
  readonly smaller?: { readonly of: string; readonly cuts: readonly Cut[]; readonly time: number };
  readonly request: SentRequest;
  /** The reply of the last attempt, null where none began. */
  readonly response: Reply | null;
  readonly ending: Ending;
  readonly timing: {
    readonly startedAt: string;
    /** Milliseconds from send to the status line; null where none came. */
    readonly headersMs: number | null;
    /** Milliseconds from send to the end. */
    readonly endMs: number;
    /** How long our own event loop stood still while it ran, in milliseconds: our part of the noise. */
    readonly stallMs: number;
  };
  readonly attempts: readonly Attempt[];
}

/** A planned request that was not sent, and why. */
export interface Unsent {
  readonly id: string;
  readonly unsent: UnsentReason;
}

/** Everything a run recorded, by id of the planned request. */
export type Evidence = ReadonlyMap<string, Exchange | Unsent>;

export const isExchange = (entry: Exchange | Unsent | undefined): entry is Exchange =>
  entry !== undefined && 'attempts' in entry;

/** The id of the planned request that stands behind what was recorded. */
export function plannedBehind(entry: Exchange | Unsent, evidence: Evidence): string {
  if (!isExchange(entry)) return entry.id;
  const larger = entry.smaller && evidence.get(entry.smaller.of);
  // A request that is made smaller is never itself a smaller one.
  const whole = isExchange(larger) && larger.smaller === undefined ? larger : entry;
  return whole.part?.of ?? whole.repeats ?? whole.id;
}

/** What a run is judged by: without what only shows a failure once more. */
export const judgedEvidence = (evidence: Evidence): Evidence =>
  new Map([...evidence].filter(([, entry]) => !isExchange(entry) || entry.smaller === undefined));
