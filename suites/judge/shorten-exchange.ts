import type { Exchange } from '../types/exchange.ts';
import type { ReportExchange } from '../types/report.ts';

/** Characters of a body that the report carries; the evidence has the whole. */
const longestBody = 16_384;
const mostArrivals = 400;

/** An exchange as the report carries it. */
export function shorten(exchange: Exchange): ReportExchange {
  const { response } = exchange;
  if (response === null) return exchange;
  const { body } = response;
  if (body.text.length <= longestBody && body.arrivals.length <= mostArrivals) return exchange;
  const text = wellFormed(body.text.slice(0, longestBody));
  const every = Math.ceil(body.arrivals.length / mostArrivals);
  const arrivals = body.arrivals.filter(
    (_, index) => index % every === 0 || index === body.arrivals.length - 1,
  );
  return { ...exchange, shortened: true, response: { ...response, body: { ...body, text, arrivals } } };
}

/** Without half of a surrogate pair at the end. */
const wellFormed = (text: string): string => (/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text);
