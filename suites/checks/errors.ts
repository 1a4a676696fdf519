import { groupBy } from '../../spec/group-by.ts';
import { groups } from '../../spec/vocabulary.ts';
import type { Comparison, LimitedEndpoint } from '../types/checks/check.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered, type State } from './evidence-view.ts';
import {
  describeFirst,
  describeReply,
  describeState,
  fail,
  inconclusive,
  lastOf,
  pass,
  shortestOf,
  untested,
} from './shared/findings.ts';
import { tellsApart } from './shared/refusal-features.ts';
import {
  areLoginsLimited,
  isPassed,
  mayBeLoginLimit,
  refusalsOrRateLimits,
  isLimitOfEndpoint,
  isRefusalOrRateLimit,
} from './shared/refusals.ts';
import { chanceOfDifference, levelOf, testsIn } from '../facts/exact-test.ts';
import { type SpentLimit, spentLimit } from '../facts/spent-limit.ts';
import { validExchanges } from '../facts/valid-replies.ts';

export const distinct: CheckDefinition<'distinct'> = {
  explanation:
    'Passes where refusals of the two classes differ in the status or in a stable field of the body.',
  reads: ({ comparisons }) =>
    comparisons.flatMap(({ probes, others, control, ofGroups = [] }) => [
      ...probes,
      ...others.flatMap((other) => other.probes),
      control,
      ...ofGroups,
    ]),
  readsFurther: ({ comparisons }) =>
    comparisons.flatMap(({ others }) => others.flatMap(({ further = [] }) => further)),
  judge({ comparisons }, view) {
    const each = comparisons.map((comparison) => ({ comparison, outcome: compare(comparison, view) }));
    const failed = each.filter(({ outcome }) => outcome.verdict === 'fail');
    const certain = failed.find(({ comparison }) => isNotForGroup(comparison, view));
    const passed = each.find(({ outcome }) => outcome.verdict === 'pass');
    return (certain ?? passed ?? failed[0] ?? each[0])?.outcome ?? inconclusive('nothing-compared');
  },
};

/** Whether the refusals of a class are seen not to be those of a group that the endpoint does not serve: it may serve all. */
function isNotForGroup({ probes, ofGroups = [] }: Comparison, view: EvidenceView): boolean {
  const own = refusalsOrRateLimits(view, probes);
  const refused = ofGroups.filter((id) => view.state(id).kind !== 'answered');
  return (
    (refused.length > 0 || ofGroups.length === groups.length) &&
    refused.every((id) => {
      const group = refusalsOrRateLimits(view, [id]);
      return group.length > 0 && tellsApart(own, group) !== undefined;
    })
  );
}

function compare({ probes, others, control }: Comparison, view: EvidenceView): Outcome {
  const own = refusalsOrRateLimits(view, probes);
  const [first] = own;
  if (first === undefined || own.length < 2)
    return inconclusive('too-few-refusals', describeFirst(view, probes));
  for (const { name: other, probes: otherProbes, further = [], mayBeAbsent = false } of others) {
    // A limit of failed logins may well be told as any other limit is.
    const against = samplesOf(
      refusalsOrRateLimits(view, [...new Set([...otherProbes, ...further])]).filter(
        (each) => !mayBeLoginLimit(view, each),
      ),
      view,
    );
    const [sample] = against;
    if (sample === undefined && mayBeAbsent) continue;
    if (sample === undefined)
      return inconclusive({ kind: 'no-refusal-to-compare', other }, describeFirst(view, otherProbes));
    const alike = alikeIn(own, view).find((those) => tellsApart(those, against) === undefined);
    const [shown] = alike ?? [];
    if (shown === undefined) continue;
    if (isPointless(view, control)) return inconclusive('control-unanswered', describeFirst(view, [control]));
    const [valid] = refusalsOrRateLimits(view, [control]);
    if (valid && tellsApart(own, [valid]) === undefined)
      return inconclusive('valid-request-indistinguishable', describeReply(valid));
    const isSameAs = (each: Exchange): boolean => tellsApart([shown], [each]) === undefined;
    const same = shortestOf(view, against.filter(isSameAs)) ?? sample;
    const [came, before] = [describeReply(shown), describeReply(same)];
    const isSame = came === before && shown.response?.body.text === same.response?.body.text;
    const actual = `${came}; ${other} (${same.id}): ${isSame ? 'the same' : before}`;
    const isAlike = (each: Exchange): boolean => tellsApart([each], against) === undefined;
    const refs = (all: readonly Exchange[]) => all.map(({ id }) => lastOf(view.state(id), id));
    const replies = { broken: refs(own.filter(isAlike)), kept: refs(own.filter((each) => !isAlike(each))) };
    return {
      ...fail({ kind: 'class-indistinguishable', other, like: same.id }, actual, { exchange: shown.id }),
      // Where the class has one status it is told by all of its replies together.
      ...(alike?.length === own.length ? {} : { replies }),
    };
  }
  return pass();
}

/**
 * The refusals of a class, together where they have one status: another may be a lock-out's, a filter's or another node's, and
 * is held against the other classes by itself, unless valid requests got past it, or chance explains it.
 */
function alikeIn(refusals: readonly Exchange[], view: EvidenceView): readonly (readonly Exchange[])[] {
  const byStatus = [...groupBy(refusals, ({ response }) => response?.status).values()];
  if (byStatus.length === 1) return [refusals];
  const byChance = new Set(byStatus.filter((alike) => isByChance(alike, refusals.length, view)).flat());
  const lasting = refusals.filter((each) => !byChance.has(each));
  return (lasting.length > 0 ? samplesOf(lasting, view) : refusals).map((each) => [each]);
}

const isOfFailure = ({ response }: Exchange): boolean => (response?.status ?? 0) >= 500;

/** Whether refusals of one status came once of several, or are failures of the target that valid requests may have as often (principle 9). */
function isByChance(alike: readonly Exchange[], of: number, view: EvidenceView): boolean {
  if (alike.length === 1) return of > 2;
  if (!alike.every(isOfFailure)) return false;
  const valid = validExchanges(view);
  const controls = { seen: valid.filter(([, exchange]) => isOfFailure(exchange)).length, of: valid.length };
  return chanceOfDifference({ seen: alike.length, of }, controls) > levelOf(testsIn(view.plan));
}

/** Those that no valid request got past: a limit, or an outage, explains others, however often they came; all where none is left. */
function samplesOf(refusals: readonly Exchange[], view: EvidenceView): readonly Exchange[] {
  const lasting = refusals.filter((each) => !isPassed(view, each));
  return lasting.length > 0 ? lasting : refusals;
}

/** Whether a control was left out since nothing valid is answered there: all refusals of such an endpoint may be alike. */
function isPointless(view: EvidenceView, control: string): boolean {
  const state = view.state(control);
  return (
    state.kind === 'unclear' && state.why.kind === 'not-sent' && state.why.unsent.kind === 'not-answered'
  );
}

export const limited: CheckDefinition<'limited'> = {
  explanation:
    'Sends with the token whose limit is spent, and with its control. Fails where an endpoint answers it that was told no limit before, or though what was told it goes on to be, asked again between two answers. Where what was told it first is told it no more, its limit ended.',
  reads: ({ endpoints, first }) => [
    ...endpoints.flatMap(({ probes, control, after }) => [...probes, control, ...(after ? [after] : [])]),
    ...(first ? [first] : []),
  ],
  readsFurther: (_, { requests }) => requests.flatMap(({ id, expect }) => (expect === 'limited' ? [id] : [])),
  controlPairs: ({ endpoints }) => endpoints.map(({ probes, control }) => ({ probes, controls: [control] })),
  judge({ endpoints, first }, view) {
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
  },
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
const mayHaveBeenTold = ({ before, isRefusedNoMore }: SpentLimit): boolean =>
  isRefusedNoMore || before.some(({ isTold, isOwn, state }) => isTold || (isOwn && state.kind === 'unclear'));

/** Every invalid token gets 429, in the words of a spent limit. A limit of failed logins begins after other words, on all endpoints. */
export const notRateLimit: CheckDefinition<'not-rate-limit'> = {
  explanation:
    'Fails where each request with an invalid token gets HTTP 429 again and again while a valid request is answered, no invalid token was refused in other words before, or only on other endpoints, which go on to do so, and no stable field of the body differs from the reply to a spent limit, where such a token is declared.',
  reads: ({ probes, control, limited }) => [...probes, control, ...limited],
  judge({ probes, control, limited }, view) {
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
      return areLoginsLimited(view)
        ? untested('logins-limited')
        : inconclusive('no-conclusive-reply', describeFirst(view, probes));
    const limits = refusalsOrRateLimits(view, limited);
    if (limits.length === 0 && limited.length > 0) return untested('no-limit-seen');
    if (limits.length > 0 && tellsApart(refused, limits) !== undefined) return pass();
    return fail('told-as-rate-limit', describeReply(first), { exchange: first.id });
  },
};
