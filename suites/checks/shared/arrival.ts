import { isTextProtocol } from '../../../spec/vocabulary.ts';
import type { ArrivalControls, RowPace } from '../../types/arrival-controls.ts';
import { textIncrements } from '../../reading/text.ts';
import { type StreamTiming, timingOf } from '../../reading/timing.ts';
import { type EvidenceView, isAnswered, streamOf } from '../evidence-view.ts';
import { type LongStream, longStream, type NoiseFloor, noiseFloor } from './long-streams.ts';

/** A text of fewer characters tells nothing of how it was passed on. */
const shortest = 100;
/** Milliseconds of generation that no unsteadiness of a machine makes up. */
const beyondNoise = 1000;
/** The streams that must arrive at once, none explained by a stall of ours, before one is called buffered. */
export const enoughStreams = 3;
/** Milliseconds that generation must take at least before its absence from a stream means anything. */
const slowFrom = 80;
/** Milliseconds within which a burst comes, however many pieces it is cut into. */
const burstMs = 20;
/** Milliseconds that the text must take to arrive where the generation is too fast to compare with a short one. */
const plainlySpread = 60;
/** The text of a stream spread over this part of the generation arrives while it is made. */
const spreadFrom = 0.1;

/** Whether our own machine stood still so long while an exchange ran that its timing says little. */
export const isStalled = (view: EvidenceView, id: string): boolean =>
  (view.state(id).exchange?.timing.stallMs ?? 0) >= slowFrom / 4;

export type Arrival = 'spread' | 'at once' | 'too fast' | 'stalled' | 'too short';

/** How the text came: `stalled` where our own machine leaves it open, `too short` where a model may have thought in silence. */
export function arrivalOf({ text, timing, exchange }: LongStream, floor: NoiseFloor): Arrival {
  const arrival = arrivalWithin(timing, floor, exchange.timing.stallMs);
  if (arrival !== 'spread' && text.length < shortest) return 'too short';
  return arrival === 'too fast' && arrivalWithin(timing, floor, 0) !== arrival ? 'stalled' : arrival;
}

export const isTelling = (arrival: Arrival): boolean => arrival !== 'stalled' && arrival !== 'too short';

/** What a long reply takes beyond a short one of the same target: a constant delay before any reply is not generation. */
const generationOf = (timing: StreamTiming, { shortMs }: NoiseFloor) => (timing.lastMs ?? 0) - shortMs;

/** How the text came, where our own machine may have made up so many milliseconds of the generation and of its spread. */
function arrivalWithin(timing: StreamTiming, floor: NoiseFloor, stall: number) {
  const generation = generationOf(timing, floor) - stall;
  const decidable = generation >= Math.max(slowFrom, 3 * floor.noiseMs);
  // Text that arrives over half of an exchange is incremental, whatever the short replies take.
  const unclear = Math.min(floor.noiseMs, (timing.lastMs ?? 0) / 2);
  const least = decidable ? Math.max(10, spreadFrom * generation) : Math.max(plainlySpread, unclear);
  if (timing.spanMs - stall >= least) return 'spread';
  return decidable && isBurst(timing, generation) ? 'at once' : 'too fast';
}

/** A network cuts a burst into few pieces; many that each come for themselves are fast, and made one by one. */
const isBurst = ({ spanMs, count, arrivals }: StreamTiming, generation: number): boolean =>
  spanMs < (spreadFrom / 2) * generation && (spanMs < burstMs || arrivals <= count / 3);

/** Streams that came at once at the end of a generation, each of them that says anything, and enough of them. */
export function allAtOnce(streams: readonly LongStream[], floor: NoiseFloor): boolean {
  const arrivals = streams.map((stream) => arrivalOf(stream, floor));
  const settled = streams.filter((_, index) => isTelling(arrivals[index] ?? 'stalled'));
  const areAtOnce = !arrivals.includes('spread') && !arrivals.includes('too fast');
  return areAtOnce && settled.length >= enoughStreams && isSteady(settled, floor);
}

/** What differs from attempt to attempt by more than all of it takes at least is noise and no generation; our own stalls are neither. */
function isSteady(streams: readonly LongStream[], floor: NoiseFloor): boolean {
  const took = streams.map(({ timing }) => generationOf(timing, floor));
  const least = Math.min(...took);
  const most = Math.max(...streams.map(({ exchange }, at) => (took[at] ?? 0) - exchange.timing.stallMs));
  return least >= Math.min(beyondNoise, most - least);
}

/** Whether the streams so far look buffered, or our own machine stalled: what a further attempt is to settle. */
export function isStreamInconclusive(view: EvidenceView, ids: readonly string[], controls: ArrivalControls) {
  const protocol = view.request(ids.at(-1) ?? '')?.protocol;
  if (protocol === undefined || !isTextProtocol(protocol)) return false;
  const streams = ids.flatMap((id) => longStream(view, id, protocol) ?? []);
  if (streams.length < ids.length) return false;
  const floor = noiseFloor(view, controls, protocol);
  const arrivals = streams.map((stream) => arrivalOf(stream, floor));
  const arrival = arrivals.findLast((each) => each !== 'too short');
  const isOpen = arrival === 'at once' || arrival === 'stalled';
  return isOpen && arrivals.filter(isTelling).length < enoughStreams;
}

/** Milliseconds that the text of a row must take at the pace of the long stream to tell anything. */
const tellingFrom = 25;
/** What comes in less than this part of that time may be held back. */
const atOnceBelow = 0.25;
/** What takes at least this part of it comes as it is made. */
const madeFrom = 0.5;

/** The text of a stream: its characters, and the milliseconds from the first of them to the last. */
function paceOf(view: EvidenceView, id: string): { readonly length: number; readonly spanMs: number } {
  const state = view.state(id);
  const protocol = view.request(id)?.protocol;
  const stream = streamOf(state);
  if (!isAnswered(view, id) || state.exchange === undefined || stream === undefined || !protocol)
    return { length: 0, spanMs: 0 };
  const increments = isTextProtocol(protocol) ? textIncrements(stream, protocol) : [];
  const length = increments.reduce((sum, { text }) => sum + text.length, 0);
  return { length, spanMs: timingOf(increments, state.exchange.timing).spanMs };
}

/** Whether a row came at once, where another one and the long stream took a while: short as it is, a long text is asked there. */
export function isRowAtOnce(view: EvidenceView, { row, rows, long }: RowPace): boolean {
  const plain = paceOf(view, long);
  if (plain.spanMs < plainlySpread) return false;
  const partOf = (id: string): number | undefined => {
    const { length, spanMs } = paceOf(view, id);
    const expected = (length * plain.spanMs) / plain.length;
    return expected < tellingFrom ? undefined : spanMs / expected;
  };
  const part = partOf(row);
  return part !== undefined && part < atOnceBelow && rows.some((id) => (partOf(id) ?? 0) >= madeFrom);
}
