import { failures } from './failures.ts';
import { inconclusives } from './inconclusive.ts';
import { untesteds } from './untested.ts';
import type { ReasonsOf, Words } from './words.ts';

export type FailureReason = ReasonsOf<typeof failures>;
export type InconclusiveReason = ReasonsOf<typeof inconclusives>;
export type UntestedReason = ReasonsOf<typeof untesteds>;

/** Why a finding is not a pass. */
export type Reason = FailureReason | InconclusiveReason | UntestedReason;

const catalogue = { ...failures, ...inconclusives, ...untesteds };

/** The words of a reason. They are for people: nothing is decided by them. */
export const wordsOf = (reason: Reason): Words =>
  // The kind tells which data the entry takes, which the type of a union of functions does not.
  (catalogue[reason.kind] as (data: Reason) => Words)(reason);
