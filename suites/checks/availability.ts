import type { Availability } from '../types/checks/replies.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { levelOf } from '../facts/exact-test.ts';
import {
  groupLacking,
  limitsRequestsAtOnce,
  type ReplyGroup,
  tallyOf,
  validReplies,
} from '../facts/valid-replies.ts';
import type { Judgement, Outcome } from '../types/finding.ts';
import { testsIn } from '../facts/tests-in.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { EvidenceView } from './evidence-view.ts';
import { describeReply } from './shared/describe.ts';
import { failureIn } from './shared/failure-in.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';

export const availability: CheckDefinition<Availability> = {
  kind: 'availability',
  explanation:
    'Counts the valid requests whose first reply is no answer, or an answer without text, though the same request is answered when it is sent again. Fails where an exact test shows more of them than passing outages of one request in twenty explain. What a rate limit or a lock-out answers does not count.',
  reads: ({ probes }) => probes,
  judge,
};

const judged = { 'service.availability': 'missing', 'service.output': 'silent' } as const;

/** Where replies came from, such as `to POST /v1/messages without a stream`. */
const whereOf = ({ protocol, stream }: Omit<ReplyGroup, 'replies'>): string =>
  protocol === undefined
    ? ''
    : ` to POST ${protocolFacts[protocol].path}${stream ? ' with a stream' : ' without a stream'}`;

function judge(_: Availability, view: EvidenceView): Judgement {
  const level = levelOf(testsIn(view.plan));
  const all = validReplies(view);
  const counted = limitsRequestsAtOnce(all, level) ? all.filter(({ isAlone }) => isAlone) : all;
  const outcomeOf = (outcome: 'missing' | 'silent'): Outcome => {
    if (counted.length === 0) return inconclusive('nothing-answered');
    const found = groupLacking(counted, outcome, level);
    if (found === undefined) return pass();
    const data = { ...tallyOf(found.replies, outcome), where: whereOf(found) };
    const reason =
      outcome === 'silent'
        ? ({ kind: 'text-missing-in-some', ...data } as const)
        : ({ kind: 'answer-missing-in-some', ...data } as const);
    const replies = found.replies.map(({ id, state, outcome: own }) => ({
      id,
      attempt: 0,
      aspect:
        own === outcome
          ? fail(reason, state.exchange ? describeReply(state.exchange) : '')
          : ('kept' as const),
    }));
    return failureIn(view, replies) ?? pass();
  };
  return {
    findings: Object.entries(judged).map(([requirement, outcome]) => ({
      requirement,
      ...outcomeOf(outcome),
    })),
  };
}
