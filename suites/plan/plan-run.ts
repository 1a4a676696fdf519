import { withExtension } from '../../spec/extension.ts';
import type { Plan } from '../types/plan.ts';
import { type Depth, depthIn } from '../types/profile.ts';
import type { RunOptions } from '../types/run.ts';
import { type PlannedTarget, scopeOf } from '../types/scope.ts';
import { planFor } from './plan.ts';

/** The plan of a run against a target: its cases and every request that may be sent, each once. */
export const planRun = (
  target: PlannedTarget,
  { seed, selection, ...depth }: Pick<RunOptions, 'seed' | 'selection'> & Depth,
): Plan =>
  planFor(
    withExtension(depth.extension, () => scopeOf(target)),
    seed,
    selection,
    depthIn(depth),
  );
