import type { ReplyRule } from '../../spec/extension.ts';
import type { ReplyRuleCheck } from '../types/checks/replies.ts';
import { decisions } from '../../spec/decisions.ts';
import { chanceOf, levelOf } from '../facts/exact-test.ts';
import { testsIn } from '../facts/tests-in.ts';
import type { Failure } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { failureIn, type JudgedReply } from './shared/failure-in.ts';
import { inconclusive, pass } from './shared/findings.ts';
import { broken, ruleAspect } from './shared/rule-aspect.ts';
import { furtherOf, meantReplies } from './shared/meant-replies.ts';
import type { ReplyState } from './shared/selections.ts';

export const replyRule: CheckDefinition<ReplyRuleCheck> = {
  kind: 'reply-rule',
  explanation:
    'Reads each reply of its kind that the run got: status, headers, body, events, end, time. Outages, and what proves nothing, are left out. Late are they where an exact test shows more of them than passing outages of one reply in twenty explain.',
  reads: ({ probes }) => probes,
  readsFurther: furtherOf,
  smaller: () => ({}),
  judge(check, view) {
    const { rule, probes } = check;
    const seen = new Set<string>();
    const meant = meantReplies(check, view);
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
