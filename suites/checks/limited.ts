import type { Limited, LimitedEndpoint } from '../types/checks/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Outcome } from '../types/finding.ts';
import { validExchanges } from '../facts/valid-replies.ts';
import { isRateLimit } from '../reading/transient.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered, type State } from './evidence-view.ts';
import { describeState } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { isRefusalOrRateLimit } from './shared/refusals.ts';

export const limited: CheckDefinition<Limited> = {
  kind: 'limited',
  explanation:
    'Sends with the token whose limit is spent, and with its control. Fails where an endpoint answers it, unless one that refused it answers it afterwards, or all do from some time on: its limit ended then.',
  reads: ({ endpoints, first }) => [
    ...endpoints.flatMap(({ probes, control, after }) => [...probes, control, ...(after ? [after] : [])]),
    ...(first ? [first] : []),
  ],
  controlPairs: ({ endpoints }) => endpoints.map(({ probes, control }) => ({ probes, controls: [control] })),
  judge,
};

/** Whether an endpoint refused the token, and does so no longer: it answers it, or refuses it for something else. */
function isEnded({ probes, after }: LimitedEndpoint, view: EvidenceView): boolean {
  const limits = probes.map((id) => view.state(id)).filter(isRefusalOrRateLimit);
  const last = after === undefined ? undefined : view.state(after);
  if (limits.length === 0 || last === undefined || last.kind === 'unclear') return false;
  return last.kind === 'answered' || limits.every((state) => statusOf(state) !== statusOf(last));
}

const statusOf = ({ exchange }: State): number | undefined => exchange?.response?.status;

const begunAt = ({ attempts }: Exchange): string => attempts.at(-1)?.startedAt ?? '';

/** What was asked with the token behind its first answer, where that is one behind the refusal; undefined where none is. */
function behindAnswer(asked: readonly State[], refusal: Exchange | undefined): readonly State[] | undefined {
  const timed = asked.flatMap((state) => (state.exchange ? [{ state, at: begunAt(state.exchange) }] : []));
  const [first] = timed
    .filter(({ state }) => state.kind === 'answered')
    .sort((one, two) => (one.at < two.at ? -1 : 1));
  if (first === undefined || refusal === undefined || first.at <= begunAt(refusal)) return undefined;
  return timed.flatMap(({ state, at }) => (at > first.at ? [state] : []));
}

/** Equal for replies in the same words; a reply without a body has none of its own. */
const wordsOf = ({ id, attempts }: Exchange): string => attempts.at(-1)?.fingerprint ?? id;

/** Whether the token was told to come later in words that no valid request got: a limit may be told so, and it ended then. */
function wasToldOtherwise(view: EvidenceView, ids: readonly string[]): boolean {
  const attemptsOf = (exchanges: readonly (Exchange | undefined)[]) =>
    exchanges.flatMap((exchange) => exchange?.attempts ?? []);
  const valid = validExchanges(view).flatMap(([{ id }, exchange]) => (ids.includes(id) ? [] : [exchange]));
  const known = new Set(attemptsOf(valid).map(({ fingerprint }) => fingerprint));
  return attemptsOf(ids.map((id) => view.state(id).exchange)).some(
    ({ retry, fingerprint }) =>
      retry?.kind === 'transient' && fingerprint !== null && !known.has(fingerprint),
  );
}

function judge({ endpoints, first }: Limited, view: EvidenceView): Outcome {
  const answering = endpoints.filter(({ control }) => isAnswered(view, control));
  const tried = answering.map(({ probes }) => probes.map((id) => view.state(id)));
  const begun = first === undefined ? undefined : view.state(first).exchange;
  const refusals = tried.flat().filter(isRefusalOrRateLimit);
  const isSeen = refusals.length > 0;
  const isAs = (one: Exchange, other: Exchange | undefined): boolean =>
    other !== undefined && (isRateLimit(other) || wordsOf(other) === wordsOf(one));
  // Valid requests with the token are refused in the same words: it was refused for its limit.
  const isBegun =
    begun !== undefined && (isRateLimit(begun) || refusals.some(({ exchange }) => isAs(exchange, begun)));
  const afterwards = endpoints.flatMap(({ after }) => (after === undefined ? [] : [view.state(after)]));
  const ids = [...endpoints.flatMap(({ probes }) => probes), ...(first === undefined ? [] : [first])];
  const isTold = (state: State): boolean => begun !== undefined && isAs(begun, state.exchange);
  const later = behindAnswer([...ids.map((id) => view.state(id)), ...afterwards], begun);
  const isOver =
    isBegun &&
    ((afterwards.some(({ kind }) => kind === 'answered') && !afterwards.some(isTold)) ||
      (later !== undefined && !later.some(isTold)));
  // What is still told as it was at the beginning has not ended.
  const isStill = ({ after }: LimitedEndpoint): boolean => {
    const last = after === undefined ? undefined : view.state(after).exchange;
    return begun !== undefined && last !== undefined && isAs(begun, last);
  };
  const hasEnded = isOver || answering.some((endpoint) => !isStill(endpoint) && isEnded(endpoint, view));
  const served = tried.find((states) => states.every((state) => state.kind === 'answered'))?.[0];
  if (served?.kind === 'answered' && !hasEnded)
    return wasToldOtherwise(view, ids)
      ? inconclusive('limit-may-have-ended', describeState(served))
      : fail('spent-token-answered', describeState(served), { exchange: served.exchange.id });
  if (isBegun || isSeen) return pass();
  const [seen] = tried.flat();
  return inconclusive('no-conclusive-reply', seen ? describeState(seen) : 'no control was answered');
}
