import type { Limited, LimitedEndpoint, NotRateLimit } from '../types/checks/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Outcome } from '../types/finding.ts';
import { type LimitWords, limitWords } from '../facts/limit-words.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered, type State } from './evidence-view.ts';
import {
  describeFirst,
  describeReply,
  describeState,
  fail,
  inconclusive,
  pass,
  untested,
} from './shared/findings.ts';
import {
  isLimitOfEndpoint,
  isRefusalOrRateLimit,
  mayBeLoginLimit,
  refusalsOrRateLimits,
} from './shared/refusals.ts';
import { tellsApart } from './shared/refusal-features.ts';

export const limited: CheckDefinition<Limited> = {
  kind: 'limited',
  explanation:
    'Sends with the token whose limit is spent, and with its control. Fails where an endpoint answers it, unless one that refused it answers it afterwards, or all do from some time on: its limit ended then.',
  reads: ({ endpoints, first }) => [
    ...endpoints.flatMap(({ probes, control, after }) => [...probes, control, ...(after ? [after] : [])]),
    ...(first ? [first] : []),
  ],
  controlPairs: ({ endpoints }) => endpoints.map(({ probes, control }) => ({ probes, controls: [control] })),
  judge: judgeLimited,
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

/** Whether the token was told to come later as no valid request was: it may have been a limit, which ended then. */
const wasToldOtherwise = (asked: readonly State[], limits: LimitWords): boolean =>
  asked.some(({ exchange }) =>
    exchange?.attempts.some((each) => each.retry?.kind === 'transient' && limits.mayBeTold(each)),
  );

function judgeLimited({ endpoints, first }: Limited, view: EvidenceView): Outcome {
  const answering = endpoints.filter(({ control }) => isAnswered(view, control));
  const tried = answering.map(({ probes }) => probes.map((id) => view.state(id)));
  const begun = first === undefined ? undefined : view.state(first).exchange;
  const isSeen = tried.flat().some(isRefusalOrRateLimit);
  const limits = limitWords(view);
  const isTold = ({ exchange }: Pick<State, 'exchange'>): boolean =>
    exchange !== undefined && limits.isTold(exchange);
  const isBegun = begun !== undefined && limits.isTold(begun);
  const afterwards = endpoints.flatMap(({ after }) => (after === undefined ? [] : [view.state(after)]));
  const ids = [...endpoints.flatMap(({ probes }) => probes), ...(first === undefined ? [] : [first])];
  const asked = ids.map((id) => view.state(id));
  const later = behindAnswer([...asked, ...afterwards], begun);
  const isOver =
    isBegun &&
    ((afterwards.some(({ kind }) => kind === 'answered') && !afterwards.some(isTold)) ||
      (later !== undefined && !later.some(isTold)));
  // What is still told as it was at the beginning has not ended.
  const isStill = ({ after }: LimitedEndpoint): boolean => after !== undefined && isTold(view.state(after));
  const hasEnded = isOver || answering.some((endpoint) => !isStill(endpoint) && isEnded(endpoint, view));
  const served = tried.find((states) => states.every((state) => state.kind === 'answered'))?.[0];
  if (served?.kind === 'answered' && !hasEnded)
    return wasToldOtherwise(asked, limits)
      ? inconclusive('limit-may-have-ended', describeState(served))
      : fail('spent-token-answered', describeState(served), { exchange: served.exchange.id });
  if (isBegun || isSeen) return pass();
  const [seen] = tried.flat();
  return inconclusive('no-conclusive-reply', seen ? describeState(seen) : 'no control was answered');
}

/**
 * Every invalid token gets 429, and nothing in the body tells it from a spent limit. A limit of failed logins, which
 * begins after an invalid token was refused in other words, is another matter; one endpoint alone has none.
 */
export const notRateLimit: CheckDefinition<NotRateLimit> = {
  kind: 'not-rate-limit',
  explanation:
    'Fails where each request with an invalid token gets HTTP 429 again and again while a valid request is answered, no invalid token was refused in other words before, or only on other endpoints, which go on to do so, and no stable field of the body differs from the reply to a spent limit, where such a token is declared.',
  reads: ({ probes, control, limited }) => [...probes, control, ...limited],
  judge: judgeNotRateLimit,
};

function judgeNotRateLimit({ probes, control, limited }: NotRateLimit, view: EvidenceView): Outcome {
  if (!isAnswered(view, control)) return inconclusive('control-unanswered', describeFirst(view, [control]));
  const states = probes.map((id) => view.state(id));
  const protocol = view.request(probes[0] ?? '')?.protocol;
  const refused =
    protocol !== undefined && isLimitOfEndpoint(view, protocol)
      ? refusalsOrRateLimits(view, probes)
      : states
          .filter((state) => state.kind === 'refused')
          .map(({ exchange }) => exchange)
          .filter((exchange) => !mayBeLoginLimit(view, exchange));
  const [first] = refused;
  if (refused.some(({ response }) => response?.status !== 429)) return pass();
  if (first === undefined || refused.length < states.length)
    return inconclusive('no-conclusive-reply', describeFirst(view, probes));
  const limits = refusalsOrRateLimits(view, limited);
  if (limits.length === 0 && limited.length > 0) return untested('no-limit-seen');
  if (limits.length > 0 && tellsApart(refused, limits) !== undefined) return pass();
  return fail('told-as-rate-limit', describeReply(first), { exchange: first.id });
}
