import type { Attempt } from '../../model/exchange.ts';
import type { State } from '../evidence-view.ts';

/** Why a request that is not sent leaves nothing to test: its token could not be changed, or nothing depends on it. */
export function nothingToTest(state: State): 'token-unalterable' | 'not-needed' | undefined {
  if (state.kind !== 'unclear' || state.why.kind !== 'not-sent') return undefined;
  const { kind } = state.why.unsent;
  if (kind === 'no-near-miss') return 'token-unalterable';
  return kind === 'stand-in-not-needed' ? 'not-needed' : undefined;
}

/** Whether a request was sent again after this attempt to see that its refusal stands. */
export const isConfirmed = ({ retry }: Attempt): boolean => retry?.kind === 'confirm-refusal';
