import type { TokenName } from '../../../fixtures/target/target.ts';

/**
 * How an attempt ended, as the transport tells it. `detail` is the transport's own text: it is shown, and
 * nothing is decided by it.
 * `cut`: the connection broke or the framing ended early after the reply had begun.
 * `unreachable`: no reply began (refused, reset before the status line, DNS, TLS).
 * `garbled`: what came is not HTTP.
 * `undecodable`: a reply came, and its body is not what its content-encoding says.
 * `timeout`: the wall clock ran out, `afterMs` milliseconds after sending; `shortened` where it got less time than usual.
 * `oversize`: a bound was passed, in bytes or in headers.
 */
export type Ending =
  | { readonly kind: 'complete' }
  | { readonly kind: 'cut' | 'garbled'; readonly detail: string }
  | { readonly kind: 'undecodable'; readonly detail: string }
  /** `proxyStatus`: the reply of a proxy that did not connect. */
  | { readonly kind: 'unreachable'; readonly detail: string; readonly proxyStatus?: number }
  | { readonly kind: 'timeout'; readonly afterMs: number; readonly shortened?: true }
  | {
      readonly kind: 'oversize';
      readonly bound: 'body' | 'bodies-in-flight' | 'header-bytes' | 'header-count';
      readonly limit: number;
    };

/** A reply, or the lack of one, that proves nothing about the target (design principle 5). */
export type Transient =
  | { readonly cause: 'status'; readonly status: number }
  /** A page of a bot filter in front of the gateway; `sign` is the header or the server that shows it. */
  | { readonly cause: 'challenge'; readonly sign: string }
  | { readonly cause: 'unreachable' | 'cut' | 'garbled'; readonly detail: string }
  | { readonly cause: 'timeout'; readonly afterMs: number }
  /** A result whose JSON document ends in its middle, in a reply that is complete. */
  | { readonly cause: 'cut-document'; readonly bytes: number }
  /** A valid request was refused `times` in a row, by a reply that others got past: chance explains less than `needed`. */
  | { readonly cause: 'passing-refusal'; readonly times: number; readonly needed: number }
  | { readonly cause: 'oversize' }
  /** A document or a stream that passes the bounds of our reader. */
  | {
      readonly cause: 'too-complex';
      readonly bound: 'values' | 'levels' | 'events';
      readonly limit: number;
    }
  /** Our reader failed on it: a bug of the suite. */
  | { readonly cause: 'reading-error'; readonly message: string };

/** Why a request was sent again. */
export type RetryReason =
  | { readonly kind: 'transient'; readonly transient: Transient }
  /** An answer was hoped for, and a refusal came, which may be lawful: to see whether it repeats. */
  | { readonly kind: 'confirm-refusal' }
  /** A failure that may pass, such as a 500 or an error in a stream: to see whether it repeats. */
  | { readonly kind: 'confirm-failure' }
  /** A refusal with Retry-After: to see whether it repeats. */
  | { readonly kind: 'confirm-refusal-with-retry-after' }
  /** The refusal may be the reply of a lock-out: to see what comes once that has ended. */
  | { readonly kind: 'lock-out' };

/** Why a request was not sent again, though its last reply proves nothing. */
export type GaveUp =
  /** The target asks for a longer wait than the retry policy allows. */
  | { readonly kind: 'retry-after-too-long'; readonly seconds: number }
  /** As long a wait as is allowed, while no control of the request is answered. */
  | { readonly kind: 'retry-after-without-control'; readonly seconds: number }
  | { readonly kind: 'waited-enough'; readonly seconds: number }
  /** This kind of request gets no reply in time, or none that ends. */
  | { readonly kind: 'no-reply-in-time' }
  | TargetGivenUp;

/** The target never gave a reply that can be judged, in so many attempts and seconds. */
export interface TargetGivenUp {
  readonly kind: 'target-given-up';
  readonly attempts: number;
  readonly seconds: number;
  readonly last: Transient;
}

/** Why a run ended before all requests of its plan were sent. */
export type StopReason =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'duration-spent'; readonly seconds: number }
  /** What is left of a budget is too small for the next request; the cost is in the currency of the prices. */
  | {
      readonly kind: 'budget-spent';
      readonly budget: 'requests' | 'generations' | 'cost';
      readonly limit: number;
      readonly used: number;
    }
  /** No connection came about before the first request; `detail` is what the transport says. */
  | { readonly kind: 'unreachable'; readonly detail: string }
  /** Nobody speaks the scheme of the config at its address, and the other one is spoken there. */
  | { readonly kind: 'wrong-scheme'; readonly speaks: 'http' | 'https' }
  /** The first replies show that something is declared wrong; `keys` are those of the config. */
  | { readonly kind: 'mistake-found'; readonly keys: readonly string[] }
  | TargetGivenUp;

/** Why a planned request was not sent. */
export type UnsentReason =
  /** None of these was answered. */
  | { readonly kind: 'not-answered'; readonly exchanges: readonly string[] }
  /** What it would stand in for was answered. */
  | { readonly kind: 'stand-in-not-needed' }
  | { readonly kind: 'recalled-before' }
  | { readonly kind: 'attempt-before-not-answered' }
  | { readonly kind: 'taken-before'; readonly exchange: string }
  | { readonly kind: 'timing-was-undisturbed' }
  | { readonly kind: 'stream-was-clear' }
  /** Requests like it got no reply in time, or none that ends. */
  | { readonly kind: 'no-reply-in-time' }
  | { readonly kind: 'no-model-declared' }
  | { readonly kind: 'no-token-declared'; readonly token: TokenName }
  /** The token cannot be changed in this way into another one. */
  | { readonly kind: 'no-near-miss' }
  /** The reply of an earlier exchange lacks the string that this request needs. */
  | { readonly kind: 'reply-lacks'; readonly exchange: string; readonly pointer: string }
  | { readonly kind: 'internal-error'; readonly message: string }
  | StopReason;

/** Why a recorded request decides nothing: it was not sent, or its reply proves nothing. */
export type Unclear =
  | { readonly kind: 'not-planned' }
  | { readonly kind: 'not-recorded' }
  | { readonly kind: 'not-sent'; readonly unsent: UnsentReason }
  | { readonly kind: 'transient'; readonly transient: Transient };

/** Why a run waits at the moment. */
export type WaitReason =
  | RetryReason
  | { readonly kind: 'pause-asked-for' }
  /** The run keeps to a number of requests a minute. */
  | { readonly kind: 'paced' };
