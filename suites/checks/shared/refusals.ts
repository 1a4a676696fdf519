import { type Protocol, areEventsUnspecified } from '../../../spec/vocabulary.ts';
import { type Attempt, begunMs, type Exchange } from '../../types/exchange.ts';
import { factsOf } from '../../reading/request-facts.ts';
import { isRateLimit } from '../../reading/transient.ts';
import type { EvidenceView, State } from '../evidence-view.ts';

/** Text where a stream was asked for: on Messages neither its events nor its framing are shown (4.2, 6). */
export function isBareText(view: EvidenceView, id: string): boolean {
  const [state, request] = [view.state(id), view.request(id)];
  if (request?.stream !== true || !areEventsUnspecified(request.protocol) || state.kind !== 'refused')
    return false;
  const isText = state.reading.form === 'text' || typeof state.reading.json === 'string';
  return isText && (state.exchange.response?.status ?? 0) < 300;
}

/** Whether a request is refused, or was not sent since one that it depends on is. */
export function isRefused(view: EvidenceView, id: string): boolean {
  const state = view.state(id);
  if (state.kind !== 'unclear') return state.kind === 'refused';
  if (state.exchange !== undefined) return false;
  return (view.request(id)?.when ?? []).some((condition) => {
    const before = condition.kind === 'answered' ? condition.any : [];
    return before.length > 0 && before.every((each) => isRefused(view, each));
  });
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

/** The exchanges with an invalid token that brought a reply. */
const invalidLogins = (view: EvidenceView): readonly Exchange[] =>
  view.exchanges().filter((exchange) => {
    const request = view.requestOf(exchange);
    return request !== undefined && factsOf(request).isInvalidToken && exchange.response !== null;
  });

const isToldLimit = ({ status }: Pick<Attempt, 'status'>): boolean => status === 429;

/** Whether failed logins are limited: several endpoints tell invalid tokens a limit, and since the first one nothing else. */
export function areLoginsLimited(view: EvidenceView): boolean {
  const replies = invalidLogins(view).flatMap((exchange) =>
    exchange.attempts.map((reply) => ({
      ...reply,
      protocol: view.requestOf(exchange)?.protocol,
      isPassed: isPassed(view, exchange, reply),
    })),
  );
  const limited = replies.filter(isToldLimit);
  // What valid requests got past is told to anybody.
  const others = replies.filter((reply) => reply.status !== null && !isToldLimit(reply) && !reply.isPassed);
  const firstEnd = Math.min(...limited.map((reply) => begunMs(reply) + reply.ms));
  return (
    new Set(limited.map(({ protocol }) => protocol)).size > 1 &&
    others.length > 0 &&
    others.every((reply) => begunMs(reply) <= firstEnd)
  );
}

/** Whether an endpoint limits every invalid token and the others none, even in between: a limit of failed logins would count them all. */
export function isLimitOfEndpoint(view: EvidenceView, protocol: Protocol): boolean {
  const logins = invalidLogins(view);
  const isOwn = (exchange: Exchange): boolean => view.requestOf(exchange)?.protocol === protocol;
  const isLimited = ({ attempts }: Exchange): boolean => attempts.some(isToldLimit);
  const startOf = ({ timing }: Exchange): string => timing.startedAt;
  const times = logins.filter(isOwn).map(startOf).sort();
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return false;
  const isBetween = (exchange: Exchange): boolean => startOf(exchange) > first && startOf(exchange) < last;
  return (
    logins.every((exchange) => isLimited(exchange) === isOwn(exchange)) &&
    logins.some((exchange) => !isOwn(exchange) && isBetween(exchange))
  );
}

/** Whether a request with a right credential got a reply like that of an attempt, the last, and another one when it was sent again. */
export function isPassed(
  view: EvidenceView,
  exchange: Exchange,
  attempt = exchange.attempts.at(-1),
): boolean {
  const request = view.requestOf(exchange);
  const facts = request && ({ ...factsOf(request), credential: 'wrong' } as const);
  return facts !== undefined && view.replies.hasPassed(attempt?.fingerprint ?? null, facts);
}
