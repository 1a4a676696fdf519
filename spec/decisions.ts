/** Every number that decides by chance (principles 9 and 19): a failure needs `errorBudget` divided by the tests of its plan. */
export const decisions = {
  /** The greatest share of runs in which a conformant target may fail anything by chance. */
  errorBudget: 0.001,
  /** The share of valid requests that passing outages may cost a conformant target. */
  lawfulOutages: 0.05,
  /** The share of replies in which a model may say nothing, which no outage and no fault of the target is (principle 9). */
  lawfulSilence: 0.125,
  /**
   * Where replies may be missing by chance with less than `suspicious`, so many further requests are asked: a few where
   * more are missing than passing outages come to, more where that goes on. They decide no verdict. The few go one by
   * one, unless answers are missing beside others alone: what is missing at the same time is one outage.
   */
  secondSamples: [
    { suspicious: 0.35, requests: 16, isOneByOne: true },
    { suspicious: 0.2, requests: 32, isOneByOne: true },
    { suspicious: 0.1, requests: 120, isOneByOne: false },
  ],
  /**
   * A model does not see where its text is cut into fragments: where each of so many begins with all of the one before it,
   * it is the gateway that says the text again. A model that says so by itself would have to know the cuts.
   */
  growingFragments: 5,
  /** The parts of the error budget for compared texts and for lost context; counts of answers have the rest. */
  shareOfTexts: 0.25,
  shareOfContext: 0.25,
  /**
   * Where a difference in texts may be chance with at most `suspicious`, a second sample of so many replies is asked: a few
   * in the situations that show it, more where that goes on. `elsewhere` is the same where controls show it, too: a model
   * that makes it everywhere is asked no more. The first is of so many endpoints at most, streamed or not; of one
   * of these half as many are asked with each neighbour and without, too. They decide no verdict.
   */
  textSampleEndpoints: 3,
  textSamples: [
    { requests: 8, suspicious: 0.5, elsewhere: 0.001 },
    { requests: 24, suspicious: 0.5, elsewhere: 0.02 },
    { requests: 32, suspicious: 0.1, elsewhere: 0.02 },
    { requests: 32, suspicious: 0.02, elsewhere: 0.02 },
    { requests: 64, suspicious: 0.001, elsewhere: 0.001 },
    { requests: 64, suspicious: 0.00001, elsewhere: 0.00001 },
  ],
  /** Generations that are billed at most for smaller requests behind the verdicts. They decide no verdict. */
  smallerRequests: 60,
  /**
   * What replies that show a failure have in common, and no others, is told where chance makes one such thing with at most
   * `single`; when they were sent, or what only some others have, too, with at most `further`. When they were sent is told
   * only where `fewest` of both kinds were: requests of a kind go one after another. They decide no verdict.
   */
  toldConditions: { single: 0.05, further: 0.01, fewest: 3 },
} as const;
