import { type Protocol, areEventsUnspecified } from '../../../spec/vocabulary.ts';
import type { Exchange } from '../../types/exchange.ts';
import { factsOf } from '../../reading/request-facts.ts';
import { isRateLimit } from '../../reading/transient.ts';
import type { EvidenceView, State } from '../evidence-view.ts';

/** Text where a stream was asked for: on Messages neither its events nor its framing are shown (4.2, 6). */
export function isBareText(view: EvidenceView, id: string): boolean {
  const state = view.state(id);
  const request = view.request(id);
  return (
    request?.stream === true &&
    areEventsUnspecified(request.protocol) &&
    state.kind === 'refused' &&
    (state.reading.form === 'text' || typeof state.reading.json === 'string') &&
    (state.exchange.response?.status ?? 0) < 300
  );
}

/** Whether a request is refused, or was not sent since one that it depends on is. */
export function isRefused(view: EvidenceView, id: string): boolean {
  const state = view.state(id);
  if (state.kind !== 'unclear') return state.kind === 'refused';
  if (state.exchange !== undefined) return false;
  return (view.request(id)?.when ?? []).some(
    (condition) =>
      condition.kind === 'answered' &&
      condition.any.length > 0 &&
      condition.any.every((before) => isRefused(view, before)),
  );
}

/** The exchanges among these that are refused or rate-limited, and not by what may be a lock-out (principle 4). */
export const refusalsOrRateLimits = (view: EvidenceView, ids: readonly string[]): readonly Exchange[] =>
  ids
    .map((id) => view.state(id))
    .filter(isRefusalOrRateLimit)
    .map(({ exchange }) => exchange)
    .filter((exchange) => view.lockOutOf(exchange) === undefined);

/** A refusal, or a rate limit, though elsewhere that proves nothing. */
export const isRefusalOrRateLimit = (state: State): state is State & { readonly exchange: Exchange } =>
  state.kind === 'refused' || (state.exchange !== undefined && isRateLimit(state.exchange));

/** Whether the reply to a wrong credential may be that of a limit for failed logins: it shows no failure class. */
export function mayBeLoginLimit(view: EvidenceView, exchange: Exchange): boolean {
  const request = view.request(exchange.id);
  return request !== undefined && view.replies.mayBeLoginLimit(exchange, factsOf(request));
}

/**
 * Whether an endpoint gives every invalid token a limit, and the others give none, not even to those that they were shown
 * in between: a limit of failed logins begins behind some, and counts them all.
 */
export function isLimitOfEndpoint(view: EvidenceView, protocol: Protocol): boolean {
  const logins = view.exchanges().flatMap((exchange) => {
    const request = view.requestOf(exchange);
    return request !== undefined && factsOf(request).isInvalidToken && exchange.response !== null
      ? [{ exchange, isOwn: request.protocol === protocol, startedAt: exchange.timing.startedAt }]
      : [];
  });
  const isLimited = ({ attempts }: Exchange): boolean => attempts.some(({ status }) => status === 429);
  const own = logins.filter(({ isOwn }) => isOwn);
  const times = own.map(({ startedAt }) => startedAt).sort();
  const [first, last] = [times[0], times.at(-1)];
  return (
    first !== undefined &&
    last !== undefined &&
    logins.every(({ exchange, isOwn }) => isLimited(exchange) === isOwn) &&
    logins.some(({ isOwn, startedAt }) => !isOwn && startedAt > first && startedAt < last)
  );
}

/** Whether a request with a right credential got a reply like this refusal, and another one when it was sent again. */
export function isPassed(view: EvidenceView, exchange: Exchange): boolean {
  const request = view.request(exchange.id);
  const fingerprint = exchange.attempts.at(-1)?.fingerprint ?? null;
  return (
    request !== undefined && view.replies.hasPassed(fingerprint, { ...factsOf(request), credential: 'wrong' })
  );
}
