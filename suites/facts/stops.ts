import { protocols } from '../../spec/vocabulary.ts';
import { decisions } from '../../spec/decisions.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { modelOf, tokenOf } from '../reading/sent-request.ts';
import { begunMs } from '../types/exchange.ts';
import { chanceOf } from './exact-test.ts';
import { limitWords } from './limit-words.ts';
import { oncePerRecord } from './sent-requests.ts';
import { isRefused, validExchanges } from './valid-replies.ts';

type Sent = ReturnType<typeof sentIn>[number];

/** An endpoint that answered and then refused all valid requests, those that it had answered, too, to the end of the run. */
export type Stop = ReturnType<typeof stopsIn>[number];

/** The valid requests with what came of each. Times are milliseconds since 1970. */
function sentIn(view: EvidenceView) {
  return validExchanges(view).flatMap(([request, exchange]) => {
    const [first, last] = [exchange.attempts[0], exchange.attempts.at(-1)];
    if (first === undefined || last === undefined) return [];
    const states = view.attempts(exchange.id);
    const isAnswered = states.at(-1)?.kind === 'answered';
    const [from, lastFrom] = [begunMs(first), begunMs(last)];
    const to = lastFrom + last.ms;
    return [{ protocol: request.protocol, exchange, states, isAnswered, from, lastFrom, to }];
  });
}

/** What repeats a request is no chance of its own: a gateway may refuse it for what it refused that for. */
const isFirst = ({ exchange }: Sent): boolean => exchange.repeats === undefined;
const tokenIn = ({ exchange }: Sent): string => tokenOf(exchange.request);
const modelIn = ({ exchange }: Sent): unknown => modelOf(exchange.request);

/** Those that no lock-out of a token or a model explains: other endpoints answer the token between two refusals, and the model. */
function unexplained(since: readonly Sent[], answered: readonly Sent[], elsewhere: readonly Sent[]) {
  const known = new Set(answered.map(modelIn));
  const refused = since.filter(
    (sent) =>
      known.has(modelIn(sent)) &&
      elsewhere.some(
        (other) =>
          tokenIn(other) === tokenIn(sent) &&
          other.from > sent.to &&
          since.some((later) => tokenIn(later) === tokenIn(sent) && later.from > other.to),
      ),
  );
  const models = new Set(refused.map(modelIn));
  const first = Math.min(...since.map(({ from }) => from));
  const isAnswered = [...models].every((model) =>
    elsewhere.some((other) => modelIn(other) === model && other.from > first),
  );
  return models.size > 1 || isAnswered ? refused : [];
}

/** Endpoints that stopped: an outage that no answer ends is no passing one (principles 9 and 17). */
export const stopsIn = oncePerRecord((view) => {
  const limits = limitWords(view);
  const all = sentIn(view);
  return protocols.flatMap((protocol) => {
    const own = all.filter((sent) => sent.protocol === protocol);
    const answered = own.filter(({ isAnswered }) => isAnswered);
    /** When the last request that it answered was sent. */
    const sinceMs = Math.max(...answered.map(({ lastFrom }) => lastFrom));
    const since = own.filter(({ isAnswered, from }) => !isAnswered && from >= sinceMs);
    const isRefusal = ({ exchange, states }: Sent): boolean =>
      states.every(isRefused) && !exchange.attempts.some((attempt) => limits.isTold(exchange, attempt));
    const isKnown = ({ exchange: { repeats } }: Sent): boolean =>
      repeats !== undefined && view.kind(repeats) === 'answered';
    /** Requests that it had answered. */
    const again = since.filter(isKnown).map(({ exchange }) => exchange);
    if (!since.every(isRefusal) || again.length === 0) return [];
    const elsewhere = all.filter((sent) => sent.isAnswered && sent.protocol !== protocol);
    /** Those refused since that no lock-out explains. */
    const refused = unexplained(since, answered, elsewhere).filter(isFirst);
    const tally = { seen: refused.length, of: answered.filter(isFirst).length + refused.length };
    /** That passing outages cost so many. */
    const chance = chanceOf(tally, decisions.lawfulOutages);
    return [
      {
        protocol,
        sinceMs,
        /** All that it refused since, and how many it had answered. */
        since: since.map(({ exchange }) => exchange),
        answered: answered.length,
        refused: refused.map(({ exchange }) => exchange),
        again,
        tally,
        chance,
      },
    ];
  });
});

/** That of the endpoint that did not answer a request, where it had stopped by then: this shows nothing of the request (principle 4). */
export function stopBehind(view: EvidenceView, id: string): Stop | undefined {
  const { kind, exchange } = view.state(id);
  if (kind === 'answered' || exchange === undefined) return undefined;
  const protocol = view.requestOf(exchange)?.protocol;
  return stopsIn(view).find((stop) => stop.protocol === protocol && begunMs(exchange.timing) >= stop.sinceMs);
}
