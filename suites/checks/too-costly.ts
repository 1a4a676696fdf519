import type { CheckDefinition } from './check-definition.ts';
import { untested } from './shared/findings.ts';

/** The run was asked to leave out what costs most. */
export interface TooCostly {
  readonly kind: 'too-costly';
  /** The value that was not asked, such as `n = 10`. */
  readonly value: string;
}

export const tooCostly: CheckDefinition<TooCostly> = {
  kind: 'too-costly',
  explanation: 'Left out: the run was asked to skip what costs most.',
  reads: () => [],
  judge: ({ value }) => untested({ kind: 'too-costly', value }),
};
