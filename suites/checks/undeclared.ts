import type { CheckDefinition } from './check-definition.ts';
import { untested } from './shared/findings.ts';

/** The target declares nothing to test it with. */
export interface Undeclared {
  readonly kind: 'undeclared';
  /** What is not declared, in words. */
  readonly reason: string;
}

export const undeclared: CheckDefinition<Undeclared> = {
  kind: 'undeclared',
  explanation: 'The target declares nothing to test it with.',
  reads: () => [],
  judge: ({ reason }) => untested({ kind: 'undeclared', why: reason }),
};
