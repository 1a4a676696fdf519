/** How `verify` asks a live gateway. */
export interface LiveOptions {
  /** Config file of the gateway that is asked. */
  readonly against?: string;
  /** Exchanges that are asked. */
  readonly sample?: number;
  readonly seed?: number;
}
