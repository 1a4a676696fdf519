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
export type StreamTiming = ReturnType<typeof timingOf>;

/** When the text came that the increments of an exchange's stream carry. */
export function timingOf(
  increments: readonly Pick<TextIncrement, 'atMs'>[],
  { endMs }: Pick<Exchange['timing'], 'endMs'>,
) {
  /** Of the first text and the last; null where none came. */
  const firstMs = increments[0]?.atMs ?? null;
  /** At how many different times the text came. */
  const arrivals = new Set(increments.map(({ atMs }) => atMs)).size;
  const lastMs = increments.at(-1)?.atMs ?? null;
  const spanMs = firstMs === null || lastMs === null ? 0 : Math.round((lastMs - firstMs) * 100) / 100;
  return { firstMs, lastMs, spanMs, totalMs: endMs, count: increments.length, arrivals };
}
