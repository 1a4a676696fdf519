import type { Exchange } from '../types/exchange.ts';

/** A piece of text that came in one event of a stream. */
export interface TextIncrement {
  /** Of the event. */
  readonly index: number;
  /** When the event was complete, in milliseconds from send. */
  readonly atMs: number;
  /** Never empty. */
  readonly text: string;
}

/** When the text of a stream came; milliseconds from send. */
export interface StreamTiming {
  /** Of the first text; null where none came. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** From the first text to the last; 0 where none came. */
  readonly spanMs: number;
  /** From send to the end of the exchange. */
  readonly totalMs: number;
  /** How many events brought text. */
  readonly count: number;
  /** At how many different times they came. */
  readonly arrivals: number;
}

/** When the text came that the increments of an exchange's stream carry. */
export function timingOf(
  increments: readonly Pick<TextIncrement, 'atMs'>[],
  { endMs }: Pick<Exchange['timing'], 'endMs'>,
): StreamTiming {
  const firstMs = increments[0]?.atMs ?? null;
  const arrivals = new Set(increments.map(({ atMs }) => atMs)).size;
  const lastMs = increments.at(-1)?.atMs ?? null;
  const spanMs = firstMs === null || lastMs === null ? 0 : Math.round((lastMs - firstMs) * 100) / 100;
  return { firstMs, lastMs, spanMs, totalMs: endMs, count: increments.length, arrivals };
}
