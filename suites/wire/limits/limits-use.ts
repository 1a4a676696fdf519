import type { RunLimits } from '../../types/limits.ts';
import { type Budget, createBudget } from './budget.ts';
import type { Places } from './pacer.ts';

/** What is used up of limits. Runs that share it keep the limits together. */
export interface LimitsUse {
  readonly budget: Budget;
  readonly places: Places;
}

/** Of limits of which nothing is used up yet. */
export const startLimitsUse = (limits: RunLimits): LimitsUse => ({
  budget: createBudget(limits),
  places: { freeAt: [] },
});
