import { families, groups } from '../../spec/vocabulary.ts';
import type { Plan } from '../types/plan.ts';
import { type Depth, fullDepth } from '../types/profile.ts';
import type { Selection } from '../types/run.ts';
import type { Scope } from '../types/scope.ts';
import { everything, planFor } from './plan.ts';

/** Whether Stryker runs the tests: it asks which of them run the code of a mutant, so each has to plan anew. */
export const isMutated = process.env.STRYKER_MUTATOR_WORKER !== undefined;

const known = new Map<string, Plan>();

/** A plan that tests read and never change, made once in a process; a test of how a plan is made calls `planFor`. */
export function planned(
  scope: Scope = { families, groups, rateLimited: true },
  selection: Partial<Selection> = {},
  depth: Depth = fullDepth,
  seed = 1,
): Plan {
  const selected = { ...everything, ...selection };
  const key = JSON.stringify([scope, selected, depth, seed]);
  const plan = known.get(key) ?? planFor(scope, seed, selected, depth);
  if (!isMutated) known.set(key, plan);
  return plan;
}
