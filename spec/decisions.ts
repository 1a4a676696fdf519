/**
 * Every number that decides a verdict by chance, with what it is for (principles 9 and 19). The rest follows from them:
 * a failure needs an exact test at `errorBudget` divided by the number of such tests in the plan.
 */
export const decisions = {
  /** The greatest share of runs in which a conformant target may fail anything by chance. */
  errorBudget: 0.001,
  /** The share of valid requests that passing outages may cost a conformant target. */
  lawfulOutages: 0.05,
  /** Where replies may be missing by chance with less than this, a second sample is asked: it decides no verdict. */
  suspicious: 0.02,
  /** The requests of a second sample. */
  secondSample: 120,
} as const;
