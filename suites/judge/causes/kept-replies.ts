import { once } from '../../../spec/once.ts';
import type { EvidenceView } from '../../checks/evidence-view.ts';
import { begunMs, type Exchange } from '../../types/exchange.ts';

/** What tells a request from another one: what a cache must not leave out of its key, but for the token. */
const askedIn = ({ request }: Exchange): string => `${request.url} ${request.body}`;

/**
 * How many of the replies that show a failure are, byte for byte, what another request got before: a model makes each for
 * itself, with an id of its own; a cache does not. Empty where there are none.
 */
export function keptReplies(view: EvidenceView): (shown: readonly string[]) => string {
  const firstOf = once(() => {
    const first = new Map<string, Exchange>();
    for (const exchange of view.exchanges()) {
      const text = replyOf(view, exchange.id);
      const known = text === undefined ? undefined : first.get(text);
      if (text !== undefined && (known === undefined || begunMs(exchange.timing) < begunMs(known.timing)))
        first.set(text, exchange);
    }
    return first;
  });
  return (shown) => {
    const replies = [...new Set(shown)].flatMap((id) => {
      const { exchange } = view.state(id);
      const text = exchange && replyOf(view, id);
      return exchange && text !== undefined ? [{ exchange, text }] : [];
    });
    const kept = replies.filter(({ exchange, text }) => {
      const before = firstOf().get(text) ?? exchange;
      return begunMs(before.timing) < begunMs(exchange.timing) && askedIn(before) !== askedIn(exchange);
    });
    const them = kept.length === 1 ? 'it' : 'them';
    return kept.length === 0
      ? ''
      : `Of the replies that show it, ${kept.length} came, byte for byte, for another request before: a cache may have given ${them}.`;
  };
}

const replyOf = (view: EvidenceView, id: string): string | undefined => {
  const state = view.state(id);
  return state.kind === 'answered' ? state.exchange.response?.body.text : undefined;
};
