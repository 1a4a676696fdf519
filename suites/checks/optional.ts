import type { CheckDefinition } from './definition.ts';
import { describeFirst, describeState } from './shared/describe.ts';
import { fail, inconclusive, oneFinding, pass } from './shared/findings.ts';

/** A request without the parameter is answered; where none is, one of a pair that differs only in it tells. */
export interface Optional {
  readonly kind: 'optional';
  readonly requirement: string;
  readonly smallest: readonly string[];
  readonly pairs: readonly { readonly without: string; readonly full: string }[];
}

/** A parameter may be left out: of the smallest request, or where that is refused, of one that is answered. */
export const optional: CheckDefinition<Optional> = {
  kind: 'optional',
  explanation: 'Passes where a request without the parameter is answered.',
  reads: ({ smallest, pairs }) => [...smallest, ...pairs.flatMap(({ without, full }) => [without, full])],
  judge({ requirement, smallest, pairs }, view) {
    const isAnswered = (id: string): boolean => view.state(id).kind === 'answered';
    if (smallest.some(isAnswered)) return oneFinding(pass(requirement));
    const pair = pairs.find(({ full }) => isAnswered(full));
    if (pair === undefined) {
      const actual = describeFirst(view, smallest);
      return oneFinding(inconclusive(requirement, { kind: 'smallest-and-full-unanswered' }, { actual }));
    }
    const { without, full } = pair;
    const state = view.state(without);
    if (state.kind === 'answered') return oneFinding(pass(requirement));
    const actual = describeState(state);
    return state.kind === 'unclear'
      ? oneFinding(inconclusive(requirement, { kind: 'no-conclusive-reply' }, { actual }))
      : oneFinding(
          fail(requirement, { reason: { kind: 'optional-parameter-required', full }, actual }),
          without,
        );
  },
};
