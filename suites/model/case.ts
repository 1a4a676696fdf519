import type { Cell } from '../../spec/vocabulary.ts';
// The type alone: at run time the model knows no check.
import type { Check } from '../checks/registry.ts';
import type { SuiteName } from './report.ts';
import type { SameModel } from './scope.ts';

/** One statement of the interface, tried: what it judges, and by which check. */
export interface Case {
  /** A stable slug, never a running number. */
  readonly id: string;
  readonly title: string;
  readonly suite: SuiteName;
  readonly cell?: Cell;
  readonly requirements: readonly string[];
  readonly check: Check;
  /** Where all of these cells are refused, what rests on them is untested: one of the families need not be served. */
  readonly unlessRefused?: { readonly cells: readonly string[]; readonly families: SameModel };
}
