import type { Optional } from '../types/checks/requests.ts';
import { isAnswered } from './evidence-view.ts';
import type { CheckDefinition } from './check-definition.ts';
import { describeFirst, describeState } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';

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
