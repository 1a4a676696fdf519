import { isWithinLock, type LockOut as Seen } from '../reading/lock-outs.ts';
import { callerOf } from '../reading/sent-request.ts';
import { type Attempt, begunMs, type Exchange, isAnyWithin, spanOf } from '../types/exchange.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered } from './evidence-view.ts';
import { describeFirst, describeState, fail, inconclusive, pass } from './shared/findings.ts';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { Plan } from '../types/plan.ts';
import { answersOf, sentOf, streamsOf } from './shared/meant-replies.ts';

export const lockOut: CheckDefinition<'lock-out'> = {
  explanation:
    'It is unspecified: whether valid requests are refused for a while after wrong ones is written down, and nothing is failed.',
  reads: ({ probes }) => probes,
  judge({ requirement, probes }, view) {
    if (!probes.some((id) => isAnswered(view, id)))
      return inconclusive('control-unanswered', describeFirst(view, probes));
    const seen = view.lockOuts();
    const statuses = [...new Set(seen.map(({ status }) => status))];
    const values = statuses.map((status) => described(seen.filter((lock) => lock.status === status)));
    const [first] = seen;
    return {
      findings: [{ requirement, ...pass() }],
      observations: [
        {
          requirement,
          subject: 'valid requests after wrong ones',
          value: values.length === 0 ? 'no lock-out seen' : values.join('; '),
          // How many wrong requests came before, and how fast, is another thing in each run.
          stable: null,
        },
      ],
      ...(first ? { shows: first.exchange } : {}),
    };
  },
};

/** Lock-outs with the same status: the longest, and how many exchanges met one. */
function described(seen: readonly Seen[]): string {
  const lengthOf = ({ fromMs, untilMs }: Seen): number => untilMs - fromMs;
  const [longest] = [...seen].sort((one, other) => lengthOf(other) - lengthOf(one));
  if (longest === undefined) return '';
  const { status, exchange } = longest;
  const further = new Set(seen.map((each) => each.exchange)).size - 1;
  const others = further === 0 ? '' : `, and ${further} more`;
  return `HTTP ${status} for ${(lengthOf(longest) / 1000).toFixed(1)} s at most, seen by ${exchange}${others}`;
}

/** A valid request refused once as an invalid token is, and then answered, was refused for nothing (2.1), unless it was locked out. */
export const steady: CheckDefinition<'steady'> = {
  explanation:
    'Passes where no valid request is refused as an invalid token is, and answered when it is sent again. A lock-out after refused logins is none.',
  reads: ({ probes, invalid, limited }) => [...probes, ...invalid, ...limited],
  readsFurther: ({ protocol }, plan) => validRequests(plan, protocol),
  judge({ protocol, probes, invalid, limited }, view) {
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
      const refused = exchange.attempts.findLast(
        ({ retry, status }) => retry?.kind === 'confirm-refusal' && isAsInvalid(status),
      );
      if (refused === undefined) continue;
      if (view.lockOuts().some((lock) => isWithinLock(lock, exchange, refused))) continue;
      // What came between the refusal and the answer may have outlasted a lock-out.
      if (refused !== exchange.attempts.at(-2) && mayBeLocked(view, exchange, refused)) continue;
      const actual = `HTTP ${refused.status}, then ${describeState(state)}`;
      return fail('token-refused-once', actual, { exchange: id });
    }
    const [control = ''] = probes;
    return isAnswered(view, control)
      ? pass()
      : inconclusive('control-unanswered', describeFirst(view, [control]));
  },
};

const validRequests = (plan: Pick<Plan, 'requests'>, protocol: Protocol): readonly string[] => [
  ...answersOf(plan, protocol),
  ...streamsOf(plan, protocol),
];

/** Whether something wrong was under way between the last answer to its caller and a refused attempt: it may be a lock-out's. */
function mayBeLocked(view: EvidenceView, { request }: Exchange, refused: Attempt): boolean {
  const caller = callerOf(request);
  const { from: refusedMs, to } = spanOf(refused);
  const answered = view
    .exchanges()
    .filter((other) => callerOf(other.request) === caller && isAnswered(view, other.id))
    .map(({ timing }) => begunMs(timing))
    .filter((ms) => ms < refusedMs);
  return isAnyWithin(view.wrongSent(), { from: Math.max(...answered), to });
}
