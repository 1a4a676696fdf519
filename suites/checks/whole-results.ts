import type { WholeResults } from '../types/checks/replies.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import type { Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { isCutResult } from '../facts/valid-replies.ts';
import type { EvidenceView } from './evidence-view.ts';
import { describeState } from './shared/describe.ts';
import { failureIn } from './shared/failure-in.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { everyReply } from './shared/selections.ts';

export const wholeResults: CheckDefinition<WholeResults> = {
  kind: 'whole-results',
  explanation:
    'Looks at every reply to every valid request without a stream, those included that another attempt followed: a result whose JSON ends in the middle, in a reply that is complete, fails.',
  reads: ({ probes }) => probes,
  smaller: () => ({}),
  judge,
};

function judge(_: WholeResults, view: EvidenceView): Outcome {
  const due = view.plan.requests.filter((request) => !request.stream && isAnswerDue(request));
  const states = everyReply(
    view,
    due.map(({ id }) => id),
  );
  const cut = states.filter(({ state }) => isCutResult(state));
  const whole = states.filter(({ state }) => state.kind === 'answered');
  const failure = failureIn(
    view,
    [...cut, ...whole].map((reply) => ({
      ...reply,
      aspect: isCutResult(reply.state) ? fail('result-cut', describeState(reply.state)) : 'kept',
    })),
  );
  return failure ?? (whole.length > 0 ? pass() : inconclusive('nothing-answered'));
}
