import type { Accepted, AcceptedSomehow, Optional } from '../types/checks/requests.ts';
import type { CheckDefinition } from './check-definition.ts';
import { noStream } from './shared/no-stream.ts';
import { validRequestOutcome } from './shared/valid-request.ts';
import { isAnswered } from './evidence-view.ts';
import { describeFirst, describeState } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';

export const accepted: CheckDefinition<Accepted> = {
  kind: 'accepted',
  explanation:
    'Passes where the request is answered; judged only where its control, a plain valid request, is answered.',
  reads: ({ probe, controls, after, combinations = [], parts = [] }) => [
    ...combinations,
    probe,
    ...controls,
    ...(after ? [after] : []),
    ...parts,
  ],
  smaller: ({ controls }) => ({ controls }),
  judge(check, view) {
    const outcome = validRequestOutcome(check, view);
    return outcome.verdict === 'inconclusive' ? (noStream(view, check.controls) ?? outcome) : outcome;
  },
};

export const acceptedSomehow: CheckDefinition<AcceptedSomehow> = {
  kind: 'accepted-somehow',
  explanation:
    'Passes where one of several spellings of the request is answered; none answered decides nothing.',
  reads: ({ probes, controls }) => [...probes, ...controls],
  judge({ probes }, view) {
    if (probes.some((id) => isAnswered(view, id))) return pass();
    return inconclusive('no-known-form-accepted', describeFirst(view, probes));
  },
};

export const optional: CheckDefinition<Optional> = {
  kind: 'optional',
  explanation: 'Passes where a request without the parameter is answered.',
  reads: ({ smallest, pairs }) => [...smallest, ...pairs.flatMap(({ without, full }) => [without, full])],
  judge({ smallest, pairs }, view) {
    if (smallest.some((id) => isAnswered(view, id))) return pass();
    const pair = pairs.find(({ full }) => isAnswered(view, full));
    if (pair === undefined)
      return inconclusive('smallest-and-full-unanswered', describeFirst(view, smallest));
    const { without, full } = pair;
    const state = view.state(without);
    if (state.kind === 'answered') return pass();
    const actual = describeState(state);
    return state.kind === 'unclear'
      ? inconclusive('no-conclusive-reply', actual)
      : fail({ kind: 'optional-parameter-required', full }, actual, { exchange: without });
  },
};
