import type { ReplyRule } from '../../spec/extension.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import type { ReplyRuleCheck } from '../types/checks/replies.ts';
import { decisions } from '../../spec/decisions.ts';
import { chanceOf, levelOf } from '../facts/exact-test.ts';
import { testsIn } from '../facts/tests-in.ts';
import type { Failure } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { EvidenceView, State } from './evidence-view.ts';
import { failureIn, type JudgedReply } from './shared/failure-in.ts';
import { inconclusive, pass } from './shared/findings.ts';
import { isRefusalOrRateLimit } from './shared/refusals.ts';
import { broken, ruleAspect } from './shared/rule-aspect.ts';
import { everyReply, type ReplyState } from './shared/selections.ts';

export const replyRule: CheckDefinition<ReplyRuleCheck> = {
  kind: 'reply-rule',
  explanation:
    'Reads each reply of its kind that the run got: status, headers, body, events, end, time. Outages, and what proves nothing, are left out. Late are they where an exact test shows more of them than passing outages of one reply in twenty explain.',
  reads: ({ probes }) => probes,
  readsFurther: furtherOf,
  smaller: () => ({}),
  judge(check, view) {
    const { rule, probes } = check;
    const ids = furtherOf(check, view.plan);
    const seen = new Set<string>();
    // In an order of their own: of two replies with the same value the second one is told.
    const all = everyReply(view, [...new Set([...probes, ...ids])]).toSorted((one, other) =>
      one.id < other.id ? -1 : 1,
    );
    const meant = all.filter(({ id, state }) => {
      const request = view.request(state.exchange?.repeats ?? id);
      return request !== undefined && isMeant(rule, request, state, view);
    });
    const late = lateOf(rule, meant);
    // What passes makes some replies late, as it makes some missing.
    const areLate =
      chanceOf({ seen: late.size, of: meant.length }, decisions.lawfulOutages) <= levelOf(testsIn(view.plan));
    const replies = meant.map((reply): JudgedReply => {
      const { id, attempt, state } = reply;
      const slow = areLate ? late.get(reply) : undefined;
      return { id, attempt, aspect: slow ?? ruleAspect(rule, state, seen) };
    });
    // Where nothing else is answered either, a refusal says nothing of its token.
    if (!probes.some((id) => view.kind(id) === 'answered')) return inconclusive('nothing-answered');
    return failureIn(view, replies) ?? (replies.length === 0 ? inconclusive('nothing-answered') : pass());
  },
};

/** Whether a request is one whose replies the rule is about. */
function isAsked({ of }: ReplyRule, { credential, expect, stream }: PlannedRequest): boolean {
  switch (of) {
    case 'answers':
      return expect === 'answer' && !stream;
    case 'streams':
      return expect === 'answer' && stream;
    case 'invalid tokens':
      return credential.form === 'invalid';
    case 'spent limits':
      return expect === 'limited';
    case 'wrong requests':
      return expect === 'refusal' && credential.form === 'right';
    default:
      return true;
  }
}

/** The further requests of a plan that a rule is about: of those that are refused for what they are, the case knows which. */
function furtherOf(
  { protocol, rule }: ReplyRuleCheck,
  { requests }: Pick<Plan, 'requests'>,
): readonly string[] {
  if (rule.of === 'wrong requests') return [];
  return requests
    .filter((request) => request.protocol === protocol && isAsked(rule, request))
    .map(({ id }) => id);
}

/** Whether a reply is one of those: an answer to what must be answered, a refusal of what must be refused. */
function isMeant(
  rule: ReplyRule,
  request: PlannedRequest,
  state: State,
  view: EvidenceView,
): state is State & { readonly exchange: Exchange } {
  if (state.exchange === undefined || !isAsked(rule, request)) return false;
  // Elsewhere a limit proves nothing.
  if (rule.of === 'spent limits') return isRefusalOrRateLimit(state);
  if (state.kind === 'unclear') return false;
  if (rule.of === 'answers' || rule.of === 'streams')
    return state.kind === 'answered' && (state.reading.kind === 'stream') === (rule.of === 'streams');
  return (rule.of === 'every reply' || state.kind === 'refused') && !view.lockOutOf(state.exchange);
}

/** Replies that took longer than a rule says, less the time that our own machine stood still. */
function lateOf(rule: ReplyRule, replies: readonly ReplyState[]): ReadonlyMap<ReplyState, Failure> {
  const { within = Number.POSITIVE_INFINITY } = rule;
  const late = replies.flatMap((reply) => {
    const { endMs = 0, stallMs = 0 } = reply.state.exchange?.timing ?? {};
    const seconds = (endMs - stallMs) / 1000;
    // Only of the last attempt is it known how long we stood still.
    return reply.isLast && seconds > within
      ? [[reply, broken(rule, `its end within ${within} s`, `${seconds.toFixed(1)} s`)] as const]
      : [];
  });
  return new Map(late);
}
