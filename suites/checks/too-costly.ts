import type { TooCostly } from '../types/checks/requests.ts';
import type { CheckDefinition } from './check-definition.ts';
import { untested } from './shared/findings.ts';

export const tooCostly: CheckDefinition<TooCostly> = {
  kind: 'too-costly',
  explanation: 'Left out: the run was asked to skip what costs most.',
  reads: () => [],
  judge: ({ value }) => untested({ kind: 'too-costly', value }),
};
