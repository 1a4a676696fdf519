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

// The words of the reasons of this folder, for every rendering. Nothing is decided by them.

const bounds = {
  body: (limit: number) => `the body is larger than ${limit} bytes`,
  'bodies-in-flight': (limit: number) => `the bodies under way together are larger than ${limit} bytes`,
  'header-bytes': (limit: number) => `the headers are larger than ${limit} bytes`,
  'header-count': (limit: number) => `more than ${limit} headers`,
} as const;

/** How an attempt ended; `complete` where it ended in order. */
export function endingWords(ending: Ending): string {
  switch (ending.kind) {
    case 'complete':
      return 'complete';
    case 'timeout':
      return `not complete after ${ending.afterMs} ms`;
    case 'oversize':
      return bounds[ending.bound](ending.limit);
    default:
      return ending.detail;
  }
}

export function transientWords(transient: Transient): string {
  switch (transient.cause) {
    case 'status':
      return `retryable status ${transient.status}`;
    case 'challenge':
      return `a bot filter answered, not the gateway (${transient.sign})`;
    case 'unreachable':
      return `no reply began: ${transient.detail}`;
    case 'cut':
      return `the reply broke off: ${transient.detail}`;
    case 'garbled':
      return `the reply could not be decoded: ${transient.detail}`;
    case 'timeout':
      return `no complete reply within ${transient.afterMs} ms`;
    case 'oversize':
      return 'the reply was too large';
    case 'too-complex':
      return `the reply holds more than ${transient.limit} ${transient.bound}`;
    case 'reading-error':
      return `internal error while reading: ${transient.message}`;
    default:
      return transient satisfies never;
  }
}

const retries: Readonly<Record<Exclude<RetryReason['kind'], 'transient'>, string>> = {
  'confirm-refusal': 'to confirm the refusal of a valid request',
  'confirm-failure': 'to see whether the failure repeats',
  'confirm-refusal-with-retry-after': 'to see whether the refusal repeats',
};

export const retryWords = (reason: RetryReason): string =>
  reason.kind === 'transient' ? transientWords(reason.transient) : retries[reason.kind];

const causes: Readonly<Record<Exclude<Transient['cause'], 'status'>, string>> = {
  challenge: 'a bot filter answered',
  unreachable: 'no reply began',
  cut: 'the reply broke off',
  garbled: 'the reply could not be decoded',
  timeout: 'no complete reply in time',
  oversize: 'the reply was too large',
  'too-complex': 'the reply was too complex',
  'reading-error': 'internal error while reading',
};

/** A retry reason without what differs from reply to reply: equal for equal causes. */
export function retryCauseWords(reason: RetryReason): string {
  if (reason.kind !== 'transient') return retries[reason.kind];
  const { transient } = reason;
  return transient.cause === 'status' ? transientWords(transient) : causes[transient.cause];
}

export const waitWords = (reason: WaitReason): string =>
  reason.kind === 'pause-asked-for' ? 'the target asks for a pause' : retryWords(reason);

export function gaveUpWords(reason: GaveUp): string {
  switch (reason.kind) {
    case 'retry-after-too-long':
      return `Retry-After asks for ${reason.seconds} s, which is longer than the suite waits`;
    case 'retry-after-without-control':
      return `Retry-After asks for ${reason.seconds} s, and no control was answered`;
    case 'waited-enough':
      return `the suite waited ${reason.seconds} s already`;
    case 'no-reply-in-time':
      return 'requests of this kind get no reply in time';
    case 'target-given-up':
      return stopWords(reason);
    default:
      return reason satisfies never;
  }
}

/** Why a run ended early. */
export function stopWords(reason: StopReason): string {
  switch (reason.kind) {
    case 'stopped':
      return 'the run was stopped';
    case 'duration-spent':
      return `the time of the run was up after ${reason.seconds} s`;
    case 'target-given-up':
      return `the target was given up: ${reason.attempts} attempts in ${reason.seconds} s brought no reply that can be judged; the last one: ${transientWords(reason.last)}`;
    default:
      return reason satisfies never;
  }
}

export function unsentWords(reason: UnsentReason): string {
  switch (reason.kind) {
    case 'not-answered':
      return `not answered: ${reason.exchanges.join(', ')}`;
    case 'stand-in-not-needed':
      return 'not needed: the request that it stands in for was answered';
    case 'recalled-before':
      return 'not needed: the attempt before recalled the nonce';
    case 'attempt-before-not-answered':
      return 'the attempt before was not answered';
    case 'taken-before':
      return `not needed: ${reason.exchange} was not refused`;
    case 'timing-was-undisturbed':
      return 'not needed: this machine did not disturb the timing before';
    case 'stream-was-clear':
      return 'not needed: the stream before was clear';
    case 'no-reply-in-time':
      return 'requests of this kind get no reply in time';
    case 'no-model-declared':
      return 'the target declares no model for it';
    case 'no-token-declared':
      return `no ${reason.token} token is declared`;
    case 'no-near-miss':
      return 'the token cannot be changed in this way';
    case 'reply-lacks':
      return `the reply of ${reason.exchange} has no string at ${reason.pointer}`;
    case 'internal-error':
      return `internal error: ${reason.message}`;
    default:
      return stopWords(reason);
  }
}

export function unclearWords(reason: Unclear): string {
  switch (reason.kind) {
    case 'not-planned':
      return 'not part of this run';
    case 'not-recorded':
      return 'not sent';
    case 'not-sent':
      return `not sent: ${unsentWords(reason.unsent)}`;
    case 'transient':
      return transientWords(reason.transient);
    default:
      return reason satisfies never;
  }
}
