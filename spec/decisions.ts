/** Every number that decides by chance (principles 9 and 19): a failure needs `errorBudget` divided by the tests of its plan. */
export const decisions = {
  /** The greatest share of runs in which a conformant target may fail anything by chance. */
  errorBudget: 0.001,
  /** The share of valid requests that passing outages may cost a conformant target. */
  lawfulOutages: 0.05,
  /**
   * A lawful target may limit how many requests it takes in a time, which is not shown: with so many in a second, or more, it
   * is asked whether it told more of them to come later than of the others. The powers of two ask every rate; each is a test.
   */
  crowdedSeconds: [2, 4, 8, 16, 32, 64, 128, 256],
  /** The share of replies in which a model may say nothing, which no outage and no fault of the target is (principle 9). */
  lawfulSilence: 0.125,
  /**
   * Where replies may be missing by chance with less than `suspicious`, so many more are asked; they decide no verdict. One by
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
   * Where a difference in texts may be chance with at most `suspicious`, so many more replies are asked, `elsewhere` where controls
   * show it, too: a model that makes it everywhere is asked no more. First of so many endpoints at most, streamed or not; of what
   * is nearest, and of each part of the context that was lost, half as many with each neighbour and without, too, of as many at
   * most. They decide no verdict.
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
   * What replies that show a failure alone have in common is told up to chance `single`; when they were sent, or what some others
   * have, too, up to `further`, the former with `fewest` of both kinds: requests of a kind go in a row. They decide no verdict.
   */
  toldConditions: { single: 0.05, further: 0.01, fewest: 3 },
} as const;
