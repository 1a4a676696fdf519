import type { Limited, LimitedEndpoint, NotRateLimit } from '../types/checks/errors.ts';
import type { Outcome } from '../types/finding.ts';
import { type SpentLimit, spentLimit } from '../facts/spent-limit.ts';
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
    'Sends with the token whose limit is spent, and with its control. Fails where an endpoint answers it that was told no limit before, or though what was told it goes on to be, asked again between two answers. Where what was told it first is told it no more, its limit ended.',
  reads: ({ endpoints, first }) => [
    ...endpoints.flatMap(({ probes, control, after }) => [...probes, control, ...(after ? [after] : [])]),
    ...(first ? [first] : []),
  ],
  readsFurther: (_, { requests }) => requests.flatMap(({ id, expect }) => (expect === 'limited' ? [id] : [])),
  controlPairs: ({ endpoints }) => endpoints.map(({ probes, control }) => ({ probes, controls: [control] })),
  judge: judgeLimited,
};

const statusOf = ({ exchange }: State): number | undefined => exchange?.response?.status;

/** Whether an endpoint refused the token before any answer, and does so no longer: it answers it, or refuses it for something else. */
function isEnded({ probes, after }: LimitedEndpoint, { before, last }: SpentLimit): boolean {
  const own = before.filter(({ request, isLast }) => isLast && probes.includes(request.id));
  // What valid requests get, too, is told to anybody.
  const told = own.filter(({ isTold, isOwn }) => isTold || isOwn);
  const limits = told.map(({ state }) => state).filter(isRefusalOrRateLimit);
  const now = last.find(({ request }) => request.id === after);
  if (limits.length === 0 || now === undefined || now.isTold || now.state.kind === 'unclear') return false;
  return now.state.kind === 'answered' || limits.every((state) => statusOf(state) !== statusOf(now.state));
}

/** Whether the token was told a limit, or to come later as no valid request was, before any answer, or may have been in other words. */
const mayHaveBeenTold = ({ before, hasPassed }: SpentLimit): boolean =>
  hasPassed || before.some(({ isTold, isOwn, state }) => isTold || (isOwn && state.kind === 'unclear'));

function judgeLimited({ endpoints, first }: Limited, view: EvidenceView): Outcome {
  const answering = endpoints.filter(({ control }) => isAnswered(view, control));
  const tried = answering.map(({ probes }) => probes.map((id) => view.state(id)));
  const limit = spentLimit(view);
  const served = tried.find((states) => states.every(({ kind }) => kind === 'answered'))?.[0];
  if (served?.exchange) {
    const hasEnded = limit.hasEnded || answering.some((endpoint) => isEnded(endpoint, limit));
    if (!hasEnded && (limit.isHeld || !mayHaveBeenTold(limit)))
      return fail('spent-token-answered', describeState(served), { exchange: served.exchange.id });
    return hasEnded && limit.open.length === 0
      ? pass()
      : inconclusive('limit-may-have-ended', describeState(served));
  }
  const isBegun = limit.before.some(({ request, isTold }) => request.id === first && isTold);
  if (isBegun || tried.flat().some(isRefusalOrRateLimit)) return pass();
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
