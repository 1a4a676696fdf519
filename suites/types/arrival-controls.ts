export interface ArrivalControls {
  /** The same request without a stream. */
  readonly unstreamed: string;
  /** Short requests with short replies, timed: what the target needs before it says anything. */
  readonly short: readonly string[];
  /** Short streams: they differ from a long one in its length alone. */
  readonly streamed: readonly string[];
  /** A request as long with a short reply, timed. */
  readonly bounded: readonly string[];
}

/** A streamed row whose text came at once where its like came as it was made, and what it is compared with. */
export interface RowPace {
  readonly row: string;
  /** Every streamed row. */
  readonly rows: readonly string[];
  /** A long stream of the plain request: what each character takes. */
  readonly long: string;
}
