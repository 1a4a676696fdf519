import { createHash } from 'node:crypto';
import type { Reply } from '../types/exchange.ts';
import type { Ending, Transient } from '../types/reasons/exchange-reasons.ts';
import { headerOf } from './headers.ts';
import { refusalChars, withoutNumbers } from './reply-words.ts';
import type { RequestFacts } from './request-facts.ts';

/** A reply, or how there came none. An `Exchange` is one. */
export interface Seen {
  readonly response: Reply | null;
  readonly ending: Ending;
}

const statuses = new Set([408, 425, 429, 502, 503, 504]);

/** A status that usually means that the same request may be answered later. */
const isRetryableStatus = (status: number): boolean =>
  statuses.has(status) || (status >= 520 && status <= 530);

/** Headers that only a bot filter in front of a service sets. */
const filterHeaders = ['cf-mitigated', 'x-amzn-waf-action'];

/** A page of a filter in front is not the gateway's answer; a JSON document is, whatever headers it has. */
function filterOf(response: Reply): string | undefined {
  if (/json|event-stream/i.test(headerOf(response, 'content-type') ?? '')) return undefined;
  const known = filterHeaders.find((name) => headerOf(response, name) !== undefined);
  if (known !== undefined) return known;
  const isEdge = response.status === 403 && /^AkamaiGHost/i.test(headerOf(response, 'server') ?? '');
  return isEdge && /Reference(?:&#32;| )(?:&#35;|#)/.test(response.body.text) ? 'AkamaiGHost' : undefined;
}

/** The status of a rate limit is not shown (section 7): an error with Retry-After is one, too. */
export const isRateLimit = ({ response, ending }: Seen): boolean =>
  ending.kind === 'complete' &&
  response !== null &&
  filterOf(response) === undefined &&
  (response.status === 429 ||
    (response.status >= 400 && response.status < 500 && headerOf(response, 'retry-after') !== undefined));

/** Only its Retry-After makes it a rate limit: the status is that of any refusal. */
export const isRefusalWithRetryAfter = (seen: Seen): boolean =>
  isRateLimit(seen) && seen.response !== null && !isRetryableStatus(seen.response.status);

/** The time of an HTTP date; NaN where it is none. It has letters: Date.parse alone would take almost anything. */
const httpDate = (value: string): number =>
  /^[A-Z][a-z]{2}.*\d$|GMT$/.test(value) ? Date.parse(value) : Number.NaN;

/** How long a reply asks to wait, in milliseconds (RFC 9110, 10.2.3). A date is by the target's clock, which its own Date tells. */
export function retryAfterMs({ response }: Pick<Seen, 'response'>, nowMs: number): number | null {
  const headerText = (name: string): string =>
    (response === null ? undefined : headerOf(response, name))?.trim() ?? '';
  const value = headerText('retry-after');
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = httpDate(value);
  const sent = httpDate(headerText('date'));
  return Number.isNaN(date) ? null : Math.max(0, date - (Number.isNaN(sent) ? nowMs : sent));
}

/** Whether a reply came to its end. An undecodable one did, and is none that is due, as another page in its place is. */
export const hasCome = (ending: Ending): ending is Extract<Ending, { kind: 'complete' | 'undecodable' }> =>
  ending.kind === 'complete' || ending.kind === 'undecodable';

/** Why a reply, or the lack of one, proves nothing by itself; null where it can be judged. */
export function transientOf({ response, ending }: Seen): Transient | null {
  if (ending.kind === 'oversize') return { cause: 'oversize' };
  if (ending.kind === 'timeout') return { cause: 'timeout', afterMs: ending.afterMs };
  if (!hasCome(ending)) return { cause: ending.kind, detail: ending.detail };
  if (response === null) return { cause: 'unreachable', detail: 'no status line came' };
  const sign = filterOf(response);
  if (sign !== undefined) return { cause: 'challenge', sign };
  return isRetryableStatus(response.status) || isRateLimit({ response, ending })
    ? { cause: 'status', status: response.status }
    : null;
}

/** Whether a retryable reply may be the refusal of its request (7): not a 504, nor a rate limit that names a time or where an answer is due. */
export function mayBeRefusal(
  seen: Seen,
  { credential, expect }: Pick<RequestFacts, 'credential' | 'expect'>,
): boolean {
  const { response } = seen;
  const isAnswerDue = expect === 'answer';
  if (transientOf(seen)?.cause !== 'status' || response === null) return false;
  if (isAnswerDue && isRefusalWithRetryAfter(seen)) return true;
  if (!isRetryableStatus(response.status) || response.status === 504) return false;
  if (credential === 'wrong') return true;
  return !isRateLimit(seen) || (!isAnswerDue && retryAfterMs(seen, 0) === null);
}

/** What stays the same of a reply when it is given again: a digest of its status and of the words of its body. */
export function fingerprintOf({ response }: Pick<Seen, 'response'>): string | null {
  if (response === null) return null;
  const words = withoutNumbers(response.body.text.slice(0, refusalChars)).trim();
  return createHash('sha256').update(`${response.status} ${words}`).digest('hex').slice(0, 16);
}
