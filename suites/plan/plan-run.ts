import type { Target } from '../../fixtures/target/target.ts';
import type { Plan } from '../model/plan.ts';
import type { RunOptions } from '../model/run.ts';
import { scopeOf } from '../model/scope.ts';
import { planFor } from './plan.ts';

/** The plan of a run against a target: its cases and every request that may be sent, each once. */
export const planRun = (
  target: Pick<Target, 'models' | 'tokens'>,
  options: Pick<RunOptions, 'seed' | 'selection'>,
): Plan => planFor(scopeOf(target), options.seed, options.selection);
