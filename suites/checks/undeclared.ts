import type { Undeclared } from '../types/checks/requests.ts';
import type { CheckDefinition } from './check-definition.ts';
import { untested } from './shared/findings.ts';

export const undeclared: CheckDefinition<Undeclared> = {
  kind: 'undeclared',
  explanation: 'The target declares nothing to test it with.',
  reads: () => [],
  judge: ({ reason }) => untested({ kind: 'undeclared', why: reason }),
};
