/** What a check of one requirement is given. */
export interface Single<Kind extends string> {
  readonly kind: Kind;
  readonly requirement: string;
}

/** The same with the requests that it judges. */
export interface Probed<Kind extends string> extends Single<Kind> {
  readonly probes: readonly string[];
}
