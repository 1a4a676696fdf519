import type { Exchange, Reply } from '../types/exchange.ts';
import type { ReportExchange } from '../types/report.ts';

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
  const text = wellFormed(body.text.slice(0, longestBody));
  const every = Math.ceil(body.arrivals.length / mostArrivals);
  const arrivals = body.arrivals.filter(
    (_, index) => index % every === 0 || index === body.arrivals.length - 1,
  );
  return { ...reply, body: { ...body, text, arrivals } };
}

/** Without half of a surrogate pair at the end. */
const wellFormed = (text: string): string => (/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text);
