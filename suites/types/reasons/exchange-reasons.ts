import type { TokenName } from '../../../fixtures/target/target.ts';
import { count } from '../../../spec/text.ts';
import { type Catalogue, filledIn, type ReasonsOf } from './words.ts';

// What may become of a request that is sent: each kind of reason with its data and its words. Nothing is decided by the words.

interface Detail {
  readonly detail: string;
}
interface Limit {
  readonly limit: number;
}
interface Seconds {
  readonly seconds: number;
}

const bounds = {
  body: ({ limit }: Limit) => `the body is larger than ${limit} bytes`,
  'bodies-in-flight': ({ limit }: Limit) => `the bodies under way together are larger than ${limit} bytes`,
  'header-bytes': ({ limit }: Limit) => `the headers are larger than ${limit} bytes`,
  'header-count': ({ limit }: Limit) => `more than ${limit} headers`,
} satisfies Catalogue;

/** `detail` is the transport's own text: it is shown, and nothing is decided by it. */
export const endings = {
  complete: 'complete',
  /** The connection broke or the framing ended early after the reply had begun. */
  cut: ({ detail }: Detail) => detail,
  /** No reply began (refused, reset before the status line, DNS, TLS). `proxyStatus`: the reply of a proxy that did not connect. */
  unreachable: ({ detail }: Detail & { proxyStatus?: number }) => detail,
  garbled: ({ detail }: Detail) => detail,
  /** A reply came, and its body is not what its content-encoding says. */
  undecodable: ({ detail }: Detail) => `a body that can't be decoded: ${detail}`,
  /** The wall clock ran out, so many milliseconds after sending; `shortened` where it got less time than usual. */
  timeout: ({ afterMs, shortened }: { afterMs: number; shortened?: true }) =>
    `not complete after ${afterMs} ms${shortened ? ', less than the timeout of the run: others of its kind were not complete in time' : ''}`,
  /** A bound was passed, in bytes or in headers. */
  oversize: (ending: Limit & { bound: keyof typeof bounds }) => bounds[ending.bound](ending),
} satisfies Catalogue;
export type Ending = ReasonsOf<typeof endings>;

/** The causes without what differs from reply to reply. */
export const causes = {
  status: ({ status }: { status: number }) => `HTTP ${status}, which may pass`,
  challenge: 'a bot filter answered',
  unreachable: 'no reply began',
  cut: 'the reply broke off',
  garbled: 'what came is not HTTP',
  timeout: 'no complete reply in time',
  'passing-refusal': 'refused by a reply that other valid requests got past when they were sent again',
  'cut-document': 'the JSON document of the result ends in its middle',
  oversize: 'the reply was too large',
  'too-complex': 'the reply was too complex',
  'reading-error': 'internal error while reading',
};

const transients = {
  status: causes.status,
  /** A page of a bot filter in front of the gateway; `sign` is the header or the server that shows it. */
  challenge: ({ sign }: { sign: string }) => `${causes.challenge}, not the gateway (${sign})`,
  unreachable: ({ detail }: Detail) => `${causes.unreachable}: ${detail}`,
  cut: ({ detail }: Detail) => `${causes.cut}: ${detail}`,
  garbled: ({ detail }: Detail) => `${causes.garbled}: ${detail}`,
  timeout: ({ afterMs }: { afterMs: number }) => `no complete reply within ${Math.round(afterMs)} ms`,
  /** A result whose JSON document ends in its middle, in a reply that is complete. */
  'cut-document': ({ bytes }: { bytes: number }) => `${causes['cut-document']}, after ${bytes} bytes`,
  /** A valid request was refused `times` in a row, by a reply that others got past: chance explains less than `needed`. */
  'passing-refusal': ({ times, needed }: { times: number; needed: number }) =>
    `${causes['passing-refusal']}: ${count(times, 'time')} in a row, where ${needed} would show a refusal`,
  oversize: causes.oversize,
  /** A document or a stream that passes the bounds of our reader. */
  'too-complex': ({ limit, bound }: Limit & { bound: 'values' | 'levels' | 'events' }) =>
    `the reply holds more than ${limit} ${bound}`,
  /** Our reader failed on it: a bug of the suite. */
  'reading-error': ({ message }: { message: string }) => `${causes['reading-error']}: ${message}`,
} satisfies Catalogue;
/** A reply, or the lack of one, that proves nothing about the target (design principle 5). */
export type Transient = ReasonsOf<typeof transients, 'cause'>;

export const transientWords = (transient: Transient): string =>
  filledIn<string>(transients[transient.cause], transient);

export const retries = {
  transient: ({ transient }: { transient: Transient }) => transientWords(transient),
  /** An answer was hoped for, and a refusal came, which may be lawful. */
  'confirm-refusal': 'to see whether the refusal repeats',
  /** A failure that may pass, such as a 500 or an error in a stream. */
  'confirm-failure': 'to see whether the failure repeats',
  'confirm-refusal-with-retry-after': 'to see whether the refusal repeats',
  'lock-out': 'to see whether the refusal is that of a lock-out',
} satisfies Catalogue;
export type RetryReason = ReasonsOf<typeof retries>;

export const waits = {
  ...retries,
  'pause-asked-for': 'the target asks for a pause',
  paced: 'to keep to --requests-per-minute',
} satisfies Catalogue;
/** Why a run waits at the moment. */
export type WaitReason = ReasonsOf<typeof waits>;

const noReplyInTime = 'requests of this kind get no reply in time, or none that ends';

const budgetOptions = {
  requests: '--max-requests',
  generations: '--max-generations',
  cost: '--max-cost',
} as const;

export const stops = {
  stopped: 'the run was stopped',
  'duration-spent': ({ seconds }: Seconds) => `the time of the run was up after ${seconds} s`,
  /** What is left of a budget is too small for the next request; the cost is in the currency of the prices. */
  'budget-spent': ({ budget, limit, used }: Limit & { budget: keyof typeof budgetOptions; used: number }) =>
    `the budget of ${budgetOptions[budget]} ${limit} is spent: ${used} used, and the rest does not cover another request`,
  /** No connection came about before the first request; `detail` is what the transport says. */
  unreachable: ({ detail }: Detail) => `the target can't be reached: ${detail}`,
  /** Nobody speaks the scheme of the config at its address, and the other one is spoken there. */
  'wrong-scheme': ({ speaks }: { speaks: 'http' | 'https' }) => `the address of the target speaks ${speaks}`,
  /** The first replies show that something is declared wrong; `keys` are those of the config. */
  'mistake-found': ({ keys }: { keys: readonly string[] }) =>
    `the first replies show a mistake in ${keys.join(', ')}; mend it, or send the rest with --keep-going`,
  /** The target never gave a reply that can be judged, in so many attempts and seconds. */
  'target-given-up': ({ attempts, seconds, last }: Seconds & { attempts: number; last: Transient }) =>
    `the target was given up: ${attempts} attempts in ${seconds} s brought no reply that can be judged; the last one: ${transientWords(last)}`,
} satisfies Catalogue;
/** Why a run ended before all requests of its plan were sent. */
export type StopReason = ReasonsOf<typeof stops>;
export type TargetGivenUp = Extract<StopReason, { kind: 'target-given-up' }>;

export const gaveUps = {
  /** The target asks for a longer wait than the retry policy allows. */
  'retry-after-too-long': ({ seconds }: Seconds) =>
    `Retry-After asks for ${seconds} s, which is longer than the suite waits`,
  /** As long a wait as is allowed, while no control of the request is answered. */
  'retry-after-without-control': ({ seconds }: Seconds) =>
    `Retry-After asks for ${seconds} s, and no control was answered`,
  'waited-enough': ({ seconds }: Seconds) => `the suite waited ${seconds} s already`,
  'no-reply-in-time': noReplyInTime,
  'target-given-up': stops['target-given-up'],
} satisfies Catalogue;
/** Why a request was not sent again, though its last reply proves nothing. */
export type GaveUp = ReasonsOf<typeof gaveUps>;

export const unsents = {
  ...stops,
  /** None of these was answered. */
  'not-answered': ({ exchanges }: { exchanges: readonly string[] }) =>
    `not answered: ${exchanges.join(', ')}`,
  'stand-in-not-needed': 'not needed: the request that it stands in for was answered',
  'recalled-before': 'not needed: the attempt before recalled the nonce',
  'attempt-before-not-answered': 'the attempt before was not answered',
  'taken-before': ({ exchange }: { exchange: string }) => `not needed: ${exchange} was not refused`,
  'timing-was-undisturbed': 'not needed: this machine did not disturb the timing before',
  'stream-was-clear': 'not needed: the stream before was clear',
  'no-reply-in-time': noReplyInTime,
  'no-model-declared': 'the target declares no model for it',
  'no-token-declared': ({ token }: { token: TokenName }) => `no ${token} token is declared`,
  'no-near-miss': 'the token cannot be changed in this way',
  'reply-lacks': ({ exchange, pointer }: { exchange: string; pointer: string }) =>
    `the reply of ${exchange} has no string at ${pointer}`,
  'internal-error': ({ message }: { message: string }) => `internal error: ${message}`,
} satisfies Catalogue;
export type UnsentReason = ReasonsOf<typeof unsents>;

export const unclears = {
  'not-planned': 'not part of this run',
  'not-recorded': 'not sent',
  'not-sent': ({ unsent }: { unsent: UnsentReason }) =>
    `not sent: ${filledIn<string>(unsents[unsent.kind], unsent)}`,
  transient: retries.transient,
} satisfies Catalogue;
/** Why a recorded request decides nothing: it was not sent, or its reply proves nothing. */
export type Unclear = ReasonsOf<typeof unclears>;
