import { groupBy } from '../../spec/group-by.ts';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { isRateLimit, isRefusalWithRetryAfter, retryAfterMs } from '../reading/transient.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Transient } from '../types/reasons/exchange-reasons.ts';
import { transientWords } from '../types/reasons/exchange-words.ts';
import { transientIn } from './valid-replies.ts';

/** What kind of reply keeps a request from being judged. */
export type UnjudgedKind = 'limit-hit' | 'no-answer-in-time' | 'no-usable-reply';

/** Of the requests to an endpoint those that ended with such a reply. */
export type UnjudgedReplies = ReturnType<typeof unjudgedReplies>;

/** A refusal whose Retry-After names no time says nothing of a limit. */
const isToldAsLimit = (exchange: Exchange): boolean =>
  isRateLimit(exchange) && (!isRefusalWithRetryAfter(exchange) || retryAfterMs(exchange, 0) !== null);

export function unjudgedKind({ cause }: Transient, exchange: Exchange): UnjudgedKind {
  if (cause === 'timeout') return 'no-answer-in-time';
  return isToldAsLimit(exchange) ? 'limit-hit' : 'no-usable-reply';
}

/** The text that is among these most often, of several the first, and how often. */
export function mostFrequent(texts: readonly string[]): readonly [text?: string, times?: number] {
  const times = [...groupBy(texts, (text) => text)].map(([text, { length }]) => [text, length] as const);
  return times.sort(([, one], [, other]) => other - one)[0] ?? [];
}

export function unjudgedReplies(view: EvidenceView, protocol: Protocol, kind: UnjudgedKind) {
  const states = view
    .exchanges()
    .filter(({ id, repeats }) => view.request(repeats ?? id)?.protocol === protocol)
    .map(({ id }) => view.state(id));
  const own = states.flatMap((state) => {
    const [transient, { exchange }] = [transientIn(state), state];
    return transient && exchange && unjudgedKind(transient, exchange) === kind
      ? [{ id: exchange.id, words: transientWords(transient) }]
      : [];
  });
  const [most] = mostFrequent(own.map(({ words }) => words));
  return {
    kind,
    protocol,
    tally: { seen: own.length, of: states.length },
    /** What came most often, in words. */
    most: most ?? '',
    exchanges: own.map(({ id }) => id),
  };
}

/** From when on no request got a reply, in ISO 8601; empty where none ever did. Undefined where it may be one endpoint. */
export function unreachedSince(view: EvidenceView): string | undefined {
  const all = view.exchanges();
  const since = all.reduce((last, { response, timing }) => {
    const at = response ? timing.startedAt : '';
    return at > last ? at : last;
  }, '');
  const silent = all.filter(({ response, timing }) => !response && timing.startedAt >= since);
  return since === '' || new Set(silent.map(({ request }) => request.url)).size > 1 ? since : undefined;
}
