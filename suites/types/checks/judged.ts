/** Judges one requirement. */
export interface Single {
  readonly requirement: string;
}

export interface Probed extends Single {
  readonly probes: readonly string[];
}
