import type { Attempt, Exchange, Reply, ReportExchange } from './report.ts';
import type { UnsentReason } from './reasons/exchange-reasons.ts';

export type { Attempt, Body, Exchange, Reply, SentRequest } from './report.ts';

/** A planned request that was not sent, and why. */
export interface Unsent {
  readonly id: string;
  readonly unsent: UnsentReason;
}

/** Everything a run recorded, by id of the planned request. */
export type Evidence = ReadonlyMap<string, Exchange | Unsent>;

export const isExchange = (entry: Exchange | Unsent | undefined): entry is Exchange =>
  entry !== undefined && 'attempts' in entry;

/** From when to when something was under way, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** When an attempt or an exchange began, in milliseconds since 1970. */
export const begunMs = ({ startedAt }: Pick<Attempt, 'startedAt'>): number => Date.parse(startedAt);

/** Times are recorded in whole milliseconds: what begins in the one in which another ends is behind it. */
export const spanOf = (attempt: Attempt): Span => {
  const from = begunMs(attempt);
  return { from, to: Math.floor(from + attempt.ms) };
};

/** Whether any of them was under way at some time from one moment to another. */
export const isAnyWithin = (spans: readonly Span[], { from, to }: Span): boolean =>
  spans.some((span) => span.to >= from && span.from <= to);

/** The id of the planned request that stands behind what was recorded. */
export function plannedBehind(entry: Exchange | Unsent, evidence: Evidence): string {
  if (!isExchange(entry)) return entry.id;
  const larger = entry.smaller && evidence.get(entry.smaller.of);
  // A request that is made smaller is never itself a smaller one.
  const whole = isExchange(larger) && larger.smaller === undefined ? larger : entry;
  return whole.part?.of ?? whole.repeats ?? whole.id;
}

/** What a run is judged by: without what only shows a failure once more. */
export const judgedEvidence = (evidence: Evidence): Evidence =>
  new Map([...evidence].filter(([, entry]) => !isExchange(entry) || entry.smaller === undefined));

/** Characters of a body that the report carries; the evidence has the whole. */
const longestBody = 16_384;
const mostArrivals = 400;

export function shorten(exchange: Exchange): ReportExchange {
  const response = exchange.response && shortReply(exchange.response);
  const attempts = exchange.attempts.map((attempt) => {
    const short = attempt.response && shortReply(attempt.response);
    return short === attempt.response || short === undefined ? attempt : { ...attempt, response: short };
  });
  const isShortened = response !== exchange.response;
  if (!isShortened && attempts.every((attempt, at) => attempt === exchange.attempts[at])) return exchange;
  return { ...exchange, ...(isShortened ? { shortened: true } : {}), response, attempts };
}

/** The reply itself where it is short. */
function shortReply(reply: Reply): Reply {
  const { body } = reply;
  if (body.text.length <= longestBody && body.arrivals.length <= mostArrivals) return reply;
  // Without half of a surrogate pair at the end.
  const text = body.text.slice(0, longestBody).replace(/[\uD800-\uDBFF]$/, '');
  const every = Math.ceil(body.arrivals.length / mostArrivals);
  const arrivals = body.arrivals.filter(
    (_, index) => index % every === 0 || index === body.arrivals.length - 1,
  );
  return { ...reply, body: { ...body, text, arrivals } };
}
