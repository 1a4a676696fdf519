/** The most requests in any span of time. */
export interface Rate {
  readonly requests: number;
  readonly windowMs: number;
}

/** What all attempts of a run together may use up, and how fast; what is left out is not limited. */
export interface RunLimits {
  /** Attempts. */
  readonly maxRequests?: number;
  /** Generations that may be billed, images counted each. */
  readonly maxGenerations?: number;
  /** In the currency of the prices. */
  readonly maxCost?: number;
  readonly rate?: Rate;
}
