import type { CheckKind, CheckOf } from '../types/checks/check.ts';
import type { Judgement, Outcome } from '../types/finding.ts';
import type { Plan } from '../types/plan.ts';
import type { EvidenceView } from './evidence-view.ts';

/** Requests that may be refused, and the controls that such a refusal rests on (principle 4). */
export interface ControlPair {
  readonly probes: readonly string[];
  readonly controls: readonly string[];
}

/** All about one kind of check. Its data is what a case says of it; names of exchanges are ids of planned requests. */
export interface CheckDefinition<Kind extends CheckKind> {
  /** What it looks at, for someone who asks how a verdict came about. */
  readonly explanation: string;
  /** Ids of the exchanges that it names, the one that it is about first. */
  reads(data: CheckOf<Kind>): readonly string[];
  /** Ids of further exchanges that it reads where the plan holds them. */
  readsFurther?(data: CheckOf<Kind>, plan: Pick<Plan, 'requests'>): readonly string[];
  /** Absent where nothing rests on a refusal. */
  controlPairs?(data: CheckOf<Kind>): readonly ControlPair[];
  /** The controls from which a smaller request that shows the same differs in one thing, and members it keeps; absent where none can. */
  smaller?(data: CheckOf<Kind>): {
    readonly controls?: readonly string[];
    readonly keeps?: readonly string[];
  };
  /** Ids of the requests whose timing it reads; absent where it reads none. */
  timed?(data: CheckOf<Kind>): readonly string[];
  /** Pure. An outcome alone is that of the check's requirement, or where it names none, of each of the case (`requirements`). */
  judge(data: CheckOf<Kind>, view: EvidenceView, requirements: readonly string[]): Outcome | Judgement;
}
