import type { Check } from '../model/case.ts';
import type { Judgement } from '../model/finding.ts';
import { answersOf, streamsOf } from '../plan/reads.ts';
import type { EvidenceView } from './evidence-view.ts';
import { fail, inconclusive, pass, describeState } from './findings.ts';

/** The control still works after the requests that must be refused (principle 4). */
export function stillServed(check: Extract<Check, { kind: 'still-served' }>, view: EvidenceView): Judgement {
  const { requirement, before, after } = check;
  const [first, last] = [view.state(before), view.state(after)];
  if (last.kind === 'answered') return { findings: [pass(requirement)] };
  const lost =
    last.exchange === undefined
      ? 'a valid request that was answered before was not sent again after the requests that must be refused'
      : 'a valid request that was answered before no longer is, after the requests that must be refused';
  const message = first.kind === 'answered' ? lost : 'the control was never answered';
  return { findings: [inconclusive(requirement, message, describeState(last))] };
}

/**
 * The documented credential is taken on every request (2.1). A valid request that was refused once as an
 * invalid token is, and answered when it was sent again, was refused for nothing.
 */
export function steady(check: Extract<Check, { kind: 'steady' }>, view: EvidenceView): Judgement {
  const { requirement, protocol, probes, invalid, limited } = check;
  const statuses = (ids: readonly string[]) => ids.map((id) => view.state(id).exchange?.response?.status);
  const asInvalid = new Set(statuses(invalid).filter((status) => !statuses(limited).includes(status)));
  const valid = [
    ...answersOf(view.plan, protocol),
    ...(protocol === 'images' ? [] : streamsOf(view.plan, protocol)),
  ];
  for (const id of valid) {
    const state = view.state(id);
    if (state.kind !== 'answered') continue;
    const refused = state.exchange.attempts.find(
      ({ retry, status }) => retry?.kind === 'confirm-refusal' && asInvalid.has(status ?? undefined),
    );
    if (refused === undefined) continue;
    const message = `a valid request is refused once as an invalid token is, and answered when sent again`;
    const actual = `HTTP ${refused.status}, then ${describeState(state)}`;
    return {
      findings: [
        fail(requirement, { message, expected: 'the token accepted on every request', actual, exchange: id }),
      ],
      shows: id,
    };
  }
  const [control = ''] = probes;
  const state = view.state(control);
  return {
    findings: [
      state.kind === 'answered'
        ? pass(requirement)
        : inconclusive(requirement, 'the control is not answered', describeState(state)),
    ],
  };
}
