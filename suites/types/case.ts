import type { Cell, Family } from '../../spec/vocabulary.ts';
// The type alone: at run time the model knows no check.
import type { Check } from './checks/check.ts';
import type { SuiteName } from './suite-names.ts';
import type { SameModel } from './scope.ts';

/** A cell with a model behind the first of its family; without one it is that of the first. */
export interface ModelCell extends Cell {
  readonly model?: string;
}

/** A model behind the first of its family. */
export interface ModelName {
  readonly family: Family;
  readonly name: string;
}

/** One statement of the interface, tried: what it judges, and by which check. */
export interface Case {
  /** A stable slug, never a running number. */
  readonly id: string;
  readonly title: string;
  readonly suite: SuiteName;
  /** The model that it judges; absent where that is the first of each family. */
  readonly model?: ModelName;
  readonly cell?: ModelCell;
  readonly requirements: readonly string[];
  readonly check: Check;
  /** Where all of these cells are refused, what rests on them is untested: one of the families need not be served. */
  readonly unlessRefused?: { readonly cells: readonly string[]; readonly families: SameModel };
}
