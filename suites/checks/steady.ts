import type { Steady } from '../types/checks/requests.ts';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { Outcome } from '../types/finding.ts';
import type { Plan } from '../types/plan.ts';
import { isWithinLock } from '../reading/lock-outs.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered } from './evidence-view.ts';
import { describeFirst, describeState } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { answersOf, sentOf, streamsOf } from './shared/selections.ts';

/**
 * The documented credential is taken on every request (2.1). A valid request that was refused once as an
 * invalid token is, and answered when it was sent again, was refused for nothing; one that was refused
 * from one answer of its caller to the next, after a wrong request, was locked out.
 */
export const steady: CheckDefinition<Steady> = {
  kind: 'steady',
  explanation:
    'Passes where no valid request is refused as an invalid token is, and answered when it is sent again. A lock-out after refused logins is none.',
  reads: ({ probes, invalid, limited }) => [...probes, ...invalid, ...limited],
  readsFurther: ({ protocol }, plan) => validRequests(plan, protocol),
  judge,
};

const validRequests = (plan: Pick<Plan, 'requests'>, protocol: Protocol): readonly string[] => [
  ...answersOf(plan, protocol),
  ...streamsOf(plan, protocol),
];

function judge({ protocol, probes, invalid, limited }: Steady, view: EvidenceView): Outcome {
  const statuses = (ids: readonly string[]) => ids.map((id) => view.state(id).exchange?.response?.status);
  const ofLimited = new Set(statuses(limited));
  const ofInvalid = new Set(statuses(invalid));
  // One that differs from the others may be a filter's or a lock-out's.
  const isAsInvalid = (status: number | null): boolean =>
    status !== null && ofInvalid.size === 1 && ofInvalid.has(status) && !ofLimited.has(status);
  for (const id of sentOf(view, validRequests(view.plan, protocol))) {
    const state = view.state(id);
    if (state.kind !== 'answered') continue;
    const { exchange } = state;
    const refused = exchange.attempts.find(
      (attempt) =>
        attempt.retry?.kind === 'confirm-refusal' &&
        isAsInvalid(attempt.status) &&
        !view.lockOuts().some((lock) => isWithinLock(lock, exchange, attempt)),
    );
    if (refused === undefined) continue;
    const actual = `HTTP ${refused.status}, then ${describeState(state)}`;
    return fail('token-refused-once', actual, { exchange: id });
  }
  const [control = ''] = probes;
  return isAnswered(view, control)
    ? pass()
    : inconclusive('control-unanswered', describeFirst(view, [control]));
}
