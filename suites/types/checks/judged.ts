export interface Single<Kind extends string> {
  readonly kind: Kind;
  readonly requirement: string;
}

export interface Probed<Kind extends string> extends Single<Kind> {
  readonly probes: readonly string[];
}
