/** A piece of text that came in one event of a stream. */
export interface TextIncrement {
  /** Of the event. */
  readonly index: number;
  /** When the event was complete, in milliseconds from send. */
  readonly atMs: number;
  /** Never empty. */
  readonly text: string;
}
