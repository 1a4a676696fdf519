import { areEventsUnspecified, type TextProtocol } from '../../../spec/vocabulary.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { ArrivalControls } from '../../model/arrival-controls.ts';
import { textIncrements } from '../../reading/text.ts';
import { type StreamTiming, timingOf } from '../../reading/timing.ts';
import { type EvidenceView, streamOf, textOf } from '../evidence-view.ts';
import { bare, type Carried, carriedBy } from './completeness.ts';
import { isDamaged } from './stream-shape.ts';

/** A reply of less than this part of the long one is short. */
const shortBelow = 0.25;

/** The long stream of one attempt. */
export interface LongStream {
  readonly text: string;
  /** How it carries the reply that the same request gets without a stream. */
  readonly carried: Carried;
  readonly timing: StreamTiming;
  readonly exchange: Exchange;
}

/** The stream of an attempt; undefined where there is none, or none with text. */
export function longStream(
  view: EvidenceView,
  id: string,
  protocol: TextProtocol,
  { unstreamed, asked }: ArrivalControls,
): LongStream | undefined {
  const state = view.state(id);
  const stream = streamOf(state);
  if (state.kind === 'unclear' || stream === undefined) return undefined;
  const increments = textIncrements(stream, protocol);
  if (increments.length === 0) return undefined;
  const { exchange } = state;
  const pieces = increments.map(({ text }) => text);
  const read = new Set(increments.map(({ index }) => index));
  // The events of Messages are not shown (6.1): a fragment may come in one of another shape.
  const others = areEventsUnspecified(protocol) ? stream.events.filter(({ index }) => !read.has(index)) : [];
  const isInOthers = (lost: readonly string[] | null): boolean =>
    others.some(({ raw }) => lost === null || lost.some((letters) => bare(raw).includes(letters)));
  const isExplained = (lost: readonly string[] | null) => isDamaged(stream, protocol) || isInOthers(lost);
  return {
    text: pieces.join(''),
    carried: carriedBy(pieces, textOf(view.state(unstreamed), protocol), asked, isExplained),
    timing: timingOf(increments, exchange.timing),
    exchange,
  };
}

/** The middle value of an unsorted list; 0 of none. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** What short replies take, and how much that varies: the noise floor of this run, in milliseconds. */
export interface NoiseFloor {
  readonly shortMs: number;
  readonly noiseMs: number;
}

/**
 * What reading the long prompt takes is no generation, so that its own short reply is the better measure: the
 * quickest, where it was asked for again. Nothing of ours is taken off a control, for the target may have been
 * as long at it while our machine stood still.
 */
export function noiseFloor(
  view: EvidenceView,
  { short, bounded, unstreamed }: ArrivalControls,
  protocol: TextProtocol,
): NoiseFloor {
  const times = short.flatMap((id) => took(view, id));
  const middle = median(times);
  const length = (id: string): number => textOf(view.state(id), protocol).length;
  const own = bounded
    .filter((id) => length(id) < shortBelow * length(unstreamed))
    .flatMap((id) => took(view, id));
  return {
    shortMs: own.length > 0 ? Math.min(...own) : middle,
    noiseMs: Math.max(5, 3 * median(times.map((time) => Math.abs(time - middle)))),
  };
}

function took(view: EvidenceView, id: string): readonly number[] {
  const state = view.state(id);
  return state.kind === 'answered' ? [state.exchange.timing.endMs] : [];
}

/** Ids of the exchanges that the arrival of a stream is compared with. */
export const arrivalReads = ({ unstreamed, short, bounded }: ArrivalControls): readonly string[] => [
  unstreamed,
  ...short,
  ...bounded,
];
