import type { Ending, Reply } from '../model/exchange.ts';

/** A reply, or how there came none. An `Exchange` is one. */
export interface Seen {
  readonly response: Reply | null;
  readonly ending: Ending;
}

/** An outcome that proves nothing of the target (design principle 5). */
export interface Transient {
  readonly cause: Exclude<Ending['kind'], 'complete'> | 'status' | 'challenge';
  readonly why: string;
}

const statuses = new Set([408, 425, 429, 502, 503, 504]);

/** A status that asks to come again. */
export const isTransientStatus = (status: number): boolean =>
  statuses.has(status) || (status >= 520 && status <= 530);

const headerOf = ({ headers }: Reply, name: string): string | undefined =>
  headers.find(([known]) => known === name)?.[1];

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
export const isHinted = (seen: Seen): boolean =>
  isRateLimit(seen) && seen.response !== null && !isTransientStatus(seen.response.status);

const sentences: Readonly<Record<Transient['cause'], string>> = {
  unreachable: 'no reply began',
  cut: 'the reply broke off',
  timeout: 'the time was up',
  oversize: 'the reply was too large',
  garbled: 'the reply could not be decoded',
  status: 'the status asks to come again',
  challenge: 'a bot filter answered, not the gateway',
};

/** How the detail of a complete ending begins where its reply asks to come again, and is a refusal. */
const refusalMark = 'a refusal: ';

/** Marks a reply that asks to come again as the refusal that it turned out to be. */
export const takenAsRefusal = (why: string): string => `${refusalMark}${why}`;

/** Why an outcome proves nothing, or null where it can be judged. */
export function transientOf({ response, ending }: Seen): Transient | null {
  if (ending.kind !== 'complete' || response === null) {
    const cause = ending.kind === 'complete' ? 'unreachable' : ending.kind;
    const detail = ending.detail === undefined ? '' : `: ${ending.detail}`;
    return { cause, why: `${sentences[cause]}${detail}` };
  }
  const filter = filterOf(response);
  if (filter !== undefined) return { cause: 'challenge', why: `${sentences.challenge} (${filter})` };
  if (!isTransientStatus(response.status) && !isRateLimit({ response, ending })) return null;
  if (ending.detail?.startsWith(refusalMark)) return null;
  return { cause: 'status', why: `status ${response.status}: ${sentences.status}` };
}
