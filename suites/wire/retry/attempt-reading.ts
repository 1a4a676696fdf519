import type { Transient } from '../../types/reasons/exchange-reasons.ts';
import { isNoLimit, type RequestFacts } from '../../reading/request-facts.ts';
import {
  isRateLimit,
  isRefusalWithRetryAfter,
  mayBeRefusal,
  retryAfterMs,
  transientOf,
} from '../../reading/transient.ts';
import type { Billing } from '../limits/budget.ts';
import type { AttemptRecord } from '../send.ts';
import type { Permit } from './semaphore.ts';
import type { RetryCause } from './policy.ts';

/** What a reply amounts to: `failed` may pass, as an error in a stream may; `no-text` lacks the text that is due. */
export type ReplyKind = 'answered' | 'no-text' | 'refused' | 'failed' | 'unclear';

/** What an exchange is sent for, and how its replies are read. Nothing of it is a verdict. */
export interface ExchangeOptions {
  readonly facts: RequestFacts;
  /** Pure: what a reply that can be judged amounts to. */
  readonly read: (record: AttemptRecord) => ReplyKind;
  /** What an attempt may be billed for; absent where no budget depends on it. */
  readonly billing?: Billing;
  /** At most this many attempts. */
  readonly maxAttempts?: number;
  /** Sends a control unless one was begun after that time of `performance.now()`; null where there is none. Absent: it has none. */
  readonly control?: (begunAfter: number) => Promise<SentControl | null>;
  /** The same of the caller of a valid request; null where none was answered. */
  readonly callerControl?: (begunAfter: number) => Promise<SentControl | null>;
  /** It is such a control. */
  readonly isControl?: true;
  /** The permit that the exchange takes; a control takes none. */
  readonly permit?: Permit;
}

/** A control that was sent while another request may be refused. */
export interface SentControl {
  readonly id: string;
  readonly answered: boolean;
}

/** What an attempt came to, as far as sending again depends on it. */
export type AttemptReading = ReturnType<typeof readAttempt>;

function causeOf(
  record: AttemptRecord,
  transient: Transient | null,
  kind: ReplyKind | null,
  { facts }: ExchangeOptions,
): RetryCause | null {
  switch (transient?.cause) {
    case undefined:
      break;
    case 'status':
      return isRateLimit(record) ? 'rate-limit' : 'overload';
    case 'cut-document':
    case 'passing-refusal':
    case 'too-complex':
    case 'reading-error':
      return null;
    default:
      return transient?.cause ?? null;
  }
  if (record.response?.status === 500 || kind === 'failed') return 'failure';
  if (kind === 'no-text') return kind;
  return kind === 'refused' && isNoLimit(facts) ? 'refusal' : null;
}

/** What shows whether a reply is the refusal of its request; of a valid one an answer to its caller, where only Retry-After makes the status retryable. */
export const controlOf = (
  { control, callerControl }: ExchangeOptions,
  last: Pick<AttemptReading, 'isRefusalWithRetryAfter'> | undefined,
): ExchangeOptions['control'] => control ?? (last?.isRefusalWithRetryAfter ? callerControl : undefined);

/** Reads an attempt. A rate limit that is due proves what it should. */
export function readAttempt(record: AttemptRecord, options: ExchangeOptions, nowMs: number) {
  const { facts } = options;
  const isLimit = isRateLimit(record);
  const isDue = facts.expect === 'limited' && isLimit;
  const transient = isDue ? null : transientOf(record);
  const kind = transient === null && !isDue ? options.read(record) : null;
  return {
    /** Null where its reply proves nothing. */
    settled: kind === 'no-text' ? 'answered' : kind,
    /** What may make it worth another attempt; null where it is taken as it is. */
    cause: isDue ? null : causeOf(record, transient, kind, options),
    transient,
    fingerprint: record.fingerprint,
    status: record.response?.status ?? null,
    isRateLimit: isLimit,
    isRefusalWithRetryAfter: !isDue && isRefusalWithRetryAfter(record),
    /** Its status is retryable, and it may be the refusal of the request all the same. */
    mayBeRefusal: !isDue && mayBeRefusal(record, facts),
    /** How long it asks to wait, in milliseconds. */
    retryAfterMs: transient === null ? null : retryAfterMs(record, nowMs),
  };
}
