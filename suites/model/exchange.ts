/**
 * How an attempt ended, as the transport tells it.
 * `cut`: the connection broke or the framing ended early after the reply had begun.
 * `unreachable`: no reply began (refused, reset before the status line, DNS, TLS).
 * `timeout`: the wall clock ran out. `oversize`: a bound on bytes was passed.
 * `garbled`: what came is not HTTP, or not what its content-encoding says.
 */
export interface Ending {
  readonly kind: 'complete' | 'cut' | 'timeout' | 'unreachable' | 'oversize' | 'garbled';
  readonly detail?: string;
}

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

/** One try at an exchange. All but the last are kept in brief. */
export interface Attempt {
  readonly status: number | null;
  readonly ending: Ending;
  /** Bytes of body after decoding. */
  readonly bytes: number;
  readonly startedAt: string;
  /** Milliseconds from send to end. */
  readonly ms: number;
  /** Milliseconds waited before it; 0 for the first. */
  readonly waitedMs: number;
  /** Why it was sent again after this one; absent on the last. */
  readonly again?: string;
}

/** Request and reply, as they were. Immutable; recorded before anything judges it. */
export interface Exchange {
  readonly id: string;
  /** The planned request that it sends once more, to see that the target is well beside one that may be refused. */
  readonly repeats?: string;
  readonly request: SentRequest;
  /** The reply of the last attempt, null where none began. */
  readonly response: Reply | null;
  /** How the last attempt ended. */
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
  readonly unsent: string;
}

/** Everything a run recorded, by id of the planned request. */
export type Evidence = ReadonlyMap<string, Exchange | Unsent>;

export const isExchange = (entry: Exchange | Unsent | undefined): entry is Exchange =>
  entry !== undefined && 'attempts' in entry;
