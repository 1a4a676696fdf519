import { failureWords } from './failures.ts';
import { inconclusiveWords } from './inconclusive.ts';
import { untestedWords } from './untested.ts';
import type { ReasonsOf, Words } from './words.ts';

export type FailureReason = ReasonsOf<typeof failureWords>;
export type InconclusiveReason = ReasonsOf<typeof inconclusiveWords>;
export type UntestedReason = ReasonsOf<typeof untestedWords>;

/** Why a finding is not a pass. */
export type Reason = FailureReason | InconclusiveReason | UntestedReason;

const catalogue = { ...failureWords, ...inconclusiveWords, ...untestedWords };

/** The words of a reason. They are for people: nothing is decided by them. */
export const wordsOf = (reason: Reason): Words =>
  // The kind tells which data the entry takes, which the type of a union of functions does not.
  (catalogue[reason.kind] as (data: Reason) => Words)(reason);
