import type { WholeResults } from '../types/checks/replies.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import type { Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { isCutResult } from '../facts/valid-replies.ts';
import type { EvidenceView, State } from './evidence-view.ts';
import { describeState } from './shared/describe.ts';
import { failureIn } from './shared/failure-in.ts';
import { type Aspect, fail, inconclusive, pass } from './shared/findings.ts';
import { everyReply } from './shared/selections.ts';

export const wholeResults: CheckDefinition<WholeResults> = {
  kind: 'whole-results',
  explanation:
    'Looks at every reply to every valid request without a stream, those included that another attempt followed: a result whose JSON ends in the middle, in a reply that is complete, fails, and so does one with something behind it.',
  reads: ({ probes }) => probes,
  smaller: () => ({}),
  judge,
};

/** What is wrong with a result as a document; undefined where the reply is no result. */
function aspectOf(state: State): Aspect {
  if (isCutResult(state)) return fail('result-cut', describeState(state));
  if (state.kind !== 'answered') return undefined;
  const isTrailed = state.reading.kind === 'result' && state.reading.isTrailed;
  return isTrailed ? fail('result-trailed', describeState(state)) : 'kept';
}

function judge(_: WholeResults, view: EvidenceView): Outcome {
  const due = view.plan.requests.filter((request) => !request.stream && isAnswerDue(request));
  const states = everyReply(
    view,
    due.map(({ id }) => id),
  );
  const judged = states.map((reply) => ({ ...reply, aspect: aspectOf(reply.state) }));
  const isWhole = judged.some(({ aspect }) => aspect === 'kept');
  return failureIn(view, judged) ?? (isWhole ? pass() : inconclusive('nothing-answered'));
}
