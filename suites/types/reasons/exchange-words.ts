import { count } from '../../../spec/text.ts';
import type {
  Ending,
  GaveUp,
  RetryReason,
  StopReason,
  Transient,
  Unclear,
  UnsentReason,
  WaitReason,
} from './exchange-reasons.ts';
import { filledIn } from './words.ts';

// The words of the reasons of this folder, for every rendering. Nothing is decided by them.

/** The reasons of a union that may be of a kind. */
type OfKind<Reason, Key extends string, Kind> = Reason extends { readonly [K in Key]: infer Kinds }
  ? Kind extends Kinds
    ? Reason
    : never
  : never;

/** The words of each kind of reason, or how they are made from its data. */
type WordsOf<Reason extends { readonly [K in Key]: string }, Key extends string = 'kind'> = {
  readonly [Kind in Reason[Key]]: string | ((reason: OfKind<Reason, Key, Kind>) => string);
};

const bounds: WordsOf<Extract<Ending, { kind: 'oversize' }>, 'bound'> = {
  body: ({ limit }) => `the body is larger than ${limit} bytes`,
  'bodies-in-flight': ({ limit }) => `the bodies under way together are larger than ${limit} bytes`,
  'header-bytes': ({ limit }) => `the headers are larger than ${limit} bytes`,
  'header-count': ({ limit }) => `more than ${limit} headers`,
};

const endings: WordsOf<Ending> = {
  complete: 'complete',
  cut: ({ detail }) => detail,
  unreachable: ({ detail }) => detail,
  garbled: ({ detail }) => detail,
  undecodable: ({ detail }) => `a body that can't be decoded: ${detail}`,
  timeout: ({ afterMs }) => `not complete after ${afterMs} ms`,
  oversize: (ending) => filledIn(bounds[ending.bound], ending),
};

/** How an attempt ended; `complete` where it ended in order. */
export const endingWords = (ending: Ending): string => filledIn(endings[ending.kind], ending);

const status = (transient: Extract<Transient, { cause: 'status' }>) => `retryable status ${transient.status}`;

/** Without what differs from reply to reply. */
const causes: WordsOf<Transient, 'cause'> = {
  status,
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

const transients: WordsOf<Transient, 'cause'> = {
  status,
  challenge: ({ sign }) => `${causes.challenge}, not the gateway (${sign})`,
  unreachable: ({ detail }) => `${causes.unreachable}: ${detail}`,
  cut: ({ detail }) => `${causes.cut}: ${detail}`,
  garbled: ({ detail }) => `${causes.garbled}: ${detail}`,
  timeout: ({ afterMs }) => `no complete reply within ${Math.round(afterMs)} ms`,
  'cut-document': ({ bytes }) => `${causes['cut-document']}, after ${bytes} bytes`,
  'passing-refusal': ({ times, needed }) =>
    `${causes['passing-refusal']}: ${count(times, 'time')} in a row, where ${needed} would show a refusal`,
  oversize: causes.oversize,
  'too-complex': ({ limit, bound }) => `the reply holds more than ${limit} ${bound}`,
  'reading-error': ({ message }) => `${causes['reading-error']}: ${message}`,
};

export const transientWords = (transient: Transient): string =>
  filledIn(transients[transient.cause], transient);

const retries: WordsOf<RetryReason> = {
  transient: ({ transient }) => transientWords(transient),
  'confirm-refusal': 'to see whether the refusal repeats',
  'confirm-failure': 'to see whether the failure repeats',
  'confirm-refusal-with-retry-after': 'to see whether the refusal repeats',
  'lock-out': 'to see whether the refusal is that of a lock-out',
};

export const retryWords = (reason: RetryReason): string => filledIn(retries[reason.kind], reason);

/** A retry reason without what differs from reply to reply: equal for equal causes. */
export const retryCauseWords = (reason: RetryReason): string =>
  reason.kind === 'transient'
    ? filledIn(causes[reason.transient.cause], reason.transient)
    : retryWords(reason);

const waits: WordsOf<WaitReason> = {
  ...retries,
  'pause-asked-for': 'the target asks for a pause',
  paced: 'to keep to --requests-per-minute',
};

export const waitWords = (reason: WaitReason): string => filledIn(waits[reason.kind], reason);

const noReplyInTime = 'requests of this kind get no reply in time, or none that ends';

/** The option that sets each budget. */
const budgetOptions = {
  requests: '--max-requests',
  generations: '--max-generations',
  cost: '--max-cost',
} as const;

const stops: WordsOf<StopReason> = {
  stopped: 'the run was stopped',
  'duration-spent': ({ seconds }) => `the time of the run was up after ${seconds} s`,
  'budget-spent': ({ budget, limit, used }) =>
    `the budget of ${budgetOptions[budget]} ${limit} is spent: ${used} used, and the rest does not cover another request`,
  unreachable: ({ detail }) => `the target can't be reached: ${detail}`,
  'wrong-scheme': ({ speaks }) => `the address of the target speaks ${speaks}`,
  'mistake-found': ({ keys }) =>
    `the first replies show a mistake in ${keys.join(', ')}; mend it, or send the rest with --keep-going`,
  'target-given-up': ({ attempts, seconds, last }) =>
    `the target was given up: ${attempts} attempts in ${seconds} s brought no reply that can be judged; the last one: ${transientWords(last)}`,
};

/** Why a run ended early. */
export const stopWords = (reason: StopReason): string => filledIn(stops[reason.kind], reason);

const gaveUps: WordsOf<GaveUp> = {
  'retry-after-too-long': ({ seconds }) =>
    `Retry-After asks for ${seconds} s, which is longer than the suite waits`,
  'retry-after-without-control': ({ seconds }) =>
    `Retry-After asks for ${seconds} s, and no control was answered`,
  'waited-enough': ({ seconds }) => `the suite waited ${seconds} s already`,
  'no-reply-in-time': noReplyInTime,
  'target-given-up': stops['target-given-up'],
};

export const gaveUpWords = (reason: GaveUp): string => filledIn(gaveUps[reason.kind], reason);

const unsents: WordsOf<UnsentReason> = {
  ...stops,
  'not-answered': ({ exchanges }) => `not answered: ${exchanges.join(', ')}`,
  'stand-in-not-needed': 'not needed: the request that it stands in for was answered',
  'recalled-before': 'not needed: the attempt before recalled the nonce',
  'attempt-before-not-answered': 'the attempt before was not answered',
  'taken-before': ({ exchange }) => `not needed: ${exchange} was not refused`,
  'timing-was-undisturbed': 'not needed: this machine did not disturb the timing before',
  'stream-was-clear': 'not needed: the stream before was clear',
  'no-reply-in-time': noReplyInTime,
  'no-model-declared': 'the target declares no model for it',
  'no-token-declared': ({ token }) => `no ${token} token is declared`,
  'no-near-miss': 'the token cannot be changed in this way',
  'reply-lacks': ({ exchange, pointer }) => `the reply of ${exchange} has no string at ${pointer}`,
  'internal-error': ({ message }) => `internal error: ${message}`,
};

export const unsentWords = (reason: UnsentReason): string => filledIn(unsents[reason.kind], reason);

const unclears: WordsOf<Unclear> = {
  'not-planned': 'not part of this run',
  'not-recorded': 'not sent',
  'not-sent': ({ unsent }) => `not sent: ${unsentWords(unsent)}`,
  transient: ({ transient }) => transientWords(transient),
};

export const unclearWords = (reason: Unclear): string => filledIn(unclears[reason.kind], reason);
