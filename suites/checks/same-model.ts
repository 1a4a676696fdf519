import type { SameModelCheck } from '../types/checks/requests.ts';
import type { CheckDefinition } from './check-definition.ts';
import { untested } from './shared/findings.ts';

export const sameModel: CheckDefinition<SameModelCheck> = {
  kind: 'same-model',
  explanation:
    'Two families are declared with the same model name, and one must be served where the other must be refused.',
  reads: () => [],
  judge: ({ families }) => untested({ kind: 'same-model', families }),
};
