import type { EvidenceView } from '../checks/evidence-view.ts';
import { begunMs } from '../reading/lock-outs.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import type { Attempt } from '../types/exchange.ts';

/** From when to when something was under way, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Times are recorded in whole milliseconds: what begins in the one in which another ends is behind it. */
export const spanOf = (attempt: Attempt): Span => {
  const from = begunMs(attempt);
  return { from, to: Math.floor(from + attempt.ms) };
};

/** When requests were under way that may lock a caller out: all attempts but those of valid ones and with a spent token. */
export const wrongSpans = (view: EvidenceView): readonly Span[] =>
  view.exchanges().flatMap((exchange) => {
    const request = view.requestOf(exchange);
    const isWrong = request !== undefined && !isAnswerDue(request) && request.expect !== 'limited';
    return isWrong ? exchange.attempts.map(spanOf) : [];
  });

/** Whether any of them was under way at some time from one moment to another. */
export const isAnyWithin = (spans: readonly Span[], { from, to }: Span): boolean =>
  spans.some((span) => span.to >= from && span.from <= to);
