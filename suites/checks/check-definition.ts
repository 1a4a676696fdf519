import type { Judgement, Outcome } from '../types/finding.ts';
import type { Plan } from '../types/plan.ts';
import type { EvidenceView } from './evidence-view.ts';

/** Requests that may be refused, and the controls that such a refusal rests on (principle 4). */
export interface ControlPair {
  readonly probes: readonly string[];
  readonly controls: readonly string[];
}

/** All about one kind of check. `Data` is what a case says of it; names of exchanges are ids of planned requests. */
export interface CheckDefinition<Data extends { readonly kind: string }> {
  readonly kind: Data['kind'];
  /** What it looks at, for someone who asks how a verdict came about. */
  readonly explanation: string;
  /** Ids of the exchanges that it names, the one that it is about first. */
  reads(data: Data): readonly string[];
  /** Ids of further exchanges that it reads where the plan holds them. */
  readsFurther?(data: Data, plan: Pick<Plan, 'requests'>): readonly string[];
  /** Absent where nothing rests on a refusal. */
  controlPairs?(data: Data): readonly ControlPair[];
  /** The controls from which a smaller request that shows the same differs in one thing, and members it keeps; absent where none can. */
  smaller?(data: Data): { readonly controls?: readonly string[]; readonly keeps?: readonly string[] };
  /** Ids of the requests whose timing it reads; absent where it reads none. */
  timed?(data: Data): readonly string[];
  /** Pure. An outcome alone is that of the check's requirement, or where it names none, of each of the case (`requirements`). */
  judge(data: Data, view: EvidenceView, requirements: readonly string[]): Outcome | Judgement;
}

export type DataOf<Definition> = Definition extends CheckDefinition<infer Data> ? Data : never;
