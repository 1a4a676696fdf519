import type { WholeResults } from '../types/checks/replies.ts';
import { decisions } from '../../spec/decisions.ts';
import { levelOf, timesNeeded, testsIn } from '../facts/exact-test.ts';
import type { Attempt } from '../types/exchange.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import type { Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { isCutResult } from '../facts/valid-replies.ts';
import type { EvidenceView } from './evidence-view.ts';
import { describeState, excerpt, type Aspect, fail, inconclusive, pass } from './shared/findings.ts';
import { failureIn } from './shared/failure-in.ts';
import { everyReply, type ReplyState } from './shared/selections.ts';

export const wholeResults: CheckDefinition<WholeResults> = {
  kind: 'whole-results',
  explanation:
    'Looks at every reply to every valid request without a stream, those included that another attempt followed: a result whose JSON ends in the middle, in a reply that is complete, fails, and so does one with something behind it, and one that the connection ends in every attempt, more often than passing outages explain, while others are answered.',
  reads: ({ probes }) => probes,
  smaller: () => ({}),
  judge,
};

/** A success that the transport breaks off in every attempt, more than outages explain, while others are answered. */
function brokenOff(view: EvidenceView, { state, isLast }: ReplyState): Aspect {
  const { attempts = [], response } = state.exchange ?? {};
  const isBroken = ({ ending, status }: Attempt): boolean =>
    ending.kind === 'cut' && status !== null && status >= 200 && status < 300;
  const needed = timesNeeded(decisions.lawfulOutages, levelOf(testsIn(view.plan)));
  if (!isLast || !response?.body.bytes || attempts.length < needed || !attempts.every(isBroken))
    return undefined;
  const [from = '', to = ''] = [attempts[0]?.startedAt, attempts.at(-1)?.startedAt];
  const isOutage = !view
    .exchanges()
    .some(
      ({ id, timing: { startedAt } }) => startedAt > from && startedAt < to && view.kind(id) === 'answered',
    );
  return isOutage
    ? undefined
    : fail({ kind: 'result-broken-off', attempts: attempts.length }, describeState(state));
}

/** What is wrong with a result as a document; undefined where the reply is no result. */
function aspectOf(view: EvidenceView, reply: ReplyState): Aspect {
  const { state } = reply;
  if (isCutResult(state)) return fail('result-cut', describeState(state));
  if (state.kind === 'unclear') return brokenOff(view, reply);
  if (state.kind !== 'answered') return undefined;
  const trail = state.reading.kind === 'result' ? state.reading.trail : undefined;
  return trail === undefined
    ? 'kept'
    : fail('result-trailed', `${describeState(state)}, and behind it ${JSON.stringify(excerpt(trail))}`);
}

function judge(_: WholeResults, view: EvidenceView): Outcome {
  const due = view.plan.requests.filter((request) => !request.stream && isAnswerDue(request));
  const states = everyReply(
    view,
    due.map(({ id }) => id),
  );
  const judged = states.map((reply) => ({ ...reply, aspect: aspectOf(view, reply) }));
  const isWhole = judged.some(({ aspect }) => aspect === 'kept');
  return failureIn(view, judged) ?? (isWhole ? pass() : inconclusive('nothing-answered'));
}
