import type { SameModel as Families } from '../types/scope.ts';
import type { CheckDefinition } from './check-definition.ts';
import { untested } from './shared/findings.ts';

/** Two families have the same model name: one must be served what the other must be refused. */
export interface SameModel {
  readonly kind: 'same-model';
  readonly families: Families;
}

export const sameModel: CheckDefinition<SameModel> = {
  kind: 'same-model',
  explanation:
    'Two families are declared with the same model name, and one must be served where the other must be refused.',
  reads: () => [],
  judge: ({ families }) => untested({ kind: 'same-model', families }),
};
