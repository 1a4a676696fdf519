import type { UnsentReason } from '../../types/reasons/exchange-reasons.ts';
import type { State } from '../evidence-view.ts';

/** Reasons for which a request was not sent that say nothing about the target: the run ended, or had no time for it. */
const cutShort: Readonly<Partial<Record<UnsentReason['kind'], true>>> = {
  stopped: true,
  'duration-spent': true,
  'budget-spent': true,
  unreachable: true,
  'wrong-scheme': true,
  'mistake-found': true,
  'target-given-up': true,
  'no-reply-in-time': true,
  'internal-error': true,
};

/** Whether nothing conclusive came of a request, and another run may well show more of it. */
export function isUnasked(state: State): boolean {
  if (state.kind !== 'unclear') return false;
  const { why } = state;
  return why.kind !== 'not-sent' || cutShort[why.unsent.kind] === true;
}
