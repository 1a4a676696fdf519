import type { Attempt } from '../../model/exchange.ts';
import { spare, unalterable } from '../../model/plan.ts';
import { confirming } from '../../wire/retry.ts';
import type { State } from '../evidence-view.ts';

/** Why a request that is not sent leaves nothing to test: its token could not be changed, or nothing depends on it. */
export function nothingToTest(state: State): 'token-unalterable' | 'not-needed' | undefined {
  if (state.kind !== 'unclear' || state.exchange !== undefined) return undefined;
  if (state.why.endsWith(unalterable)) return 'token-unalterable';
  return state.why.endsWith(spare) ? 'not-needed' : undefined;
}

/** Whether a request was sent again after this attempt to see that its refusal stands. */
export const isConfirmed = ({ again }: Attempt): boolean => again === confirming;
