import type { Ending, Reply } from '../model/exchange.ts';

/** A reply, or how there came none. An `Exchange` is one. */
export interface Seen {
  readonly response: Reply | null;
  readonly ending: Ending;
}

/** An outcome that proves nothing of the target (design principle 5). */
export interface Transient {
  readonly cause: Exclude<Ending['kind'], 'complete'> | 'status';
  readonly why: string;
}

const statuses = new Set([408, 425, 429, 502, 503, 504]);

const isTransientStatus = (status: number): boolean =>
  statuses.has(status) || (status >= 520 && status <= 530);

/** The status of a rate limit is not shown (section 7): an error with Retry-After is one, too. */
export const isRateLimit = ({ response, ending }: Seen): boolean =>
  ending.kind === 'complete' &&
  response !== null &&
  (response.status === 429 ||
    (response.status >= 400 &&
      response.status < 500 &&
      response.headers.some(([name]) => name === 'retry-after')));

const sentences: Readonly<Record<Transient['cause'], string>> = {
  unreachable: 'no reply began',
  cut: 'the reply broke off',
  timeout: 'the time was up',
  oversize: 'the reply was too large',
  garbled: 'the reply could not be decoded',
  status: 'the status asks to come again',
};

/** Why an outcome proves nothing, or null where it can be judged. */
export function transientOf({ response, ending }: Seen): Transient | null {
  if (ending.kind !== 'complete' || response === null) {
    const cause = ending.kind === 'complete' ? 'unreachable' : ending.kind;
    const detail = ending.detail === undefined ? '' : `: ${ending.detail}`;
    return { cause, why: `${sentences[cause]}${detail}` };
  }
  if (!isTransientStatus(response.status) && !isRateLimit({ response, ending })) return null;
  return { cause: 'status', why: `status ${response.status}: ${sentences.status}` };
}
