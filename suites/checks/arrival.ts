import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { Check } from '../model/case.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding, Judgement } from '../model/finding.ts';
import type { ArrivalControls } from '../model/arrival-controls.ts';
import { replyText, textIncrements } from '../reading/text.ts';
import { type StreamTiming, timingOf } from '../reading/timing.ts';
import { type EvidenceView, streamOf } from './evidence-view.ts';
import { bare, type Carrying, carriedBy, completeness } from './completeness.ts';
import { longRefused } from './long-prompt.ts';
import { fail, inconclusive, pass, describeState } from './findings.ts';
import { isTorn } from './stream.ts';

/** Milliseconds of generation that no unsteadiness of a machine makes up. */
const beyondNoise = 1000;
/** So many streams must come at once, each with no stall of ours to explain it, before one is called buffered. */
const enough = 3;
/** Milliseconds that generation must take at least before its absence from a stream means anything. */
const slowFrom = 80;
/** A reply of less than this part of the long one is short. */
const shortBelow = 0.25;
/** Milliseconds within which a burst comes, however many pieces it is cut into. */
const burstMs = 20;
/** Milliseconds that the text must take to come where the generation is too fast to be held against a short one. */
const plainlySpread = 60;
/** The text of a stream spread over this part of the generation is on its way while it is made. */
const spreadFrom = 0.1;

/** The long stream of one attempt. */
interface Streamed extends Carrying {
  readonly timing: StreamTiming;
  readonly exchange: Exchange;
}

function streamed(
  view: EvidenceView,
  id: string,
  protocol: TextProtocol,
  { unstreamed, asked }: ArrivalControls,
): Streamed | undefined {
  const state = view.state(id);
  const stream = streamOf(state);
  if (state.kind === 'unclear' || stream === undefined) return undefined;
  const increments = textIncrements(stream, protocol);
  if (increments.length === 0) return undefined;
  const { exchange } = state;
  const pieces = increments.map(({ text }) => text);
  const read = new Set(increments.map(({ index }) => index));
  // The events of Messages are not shown (6.1): a fragment may come in one of another shape.
  const others = protocol === 'messages' ? stream.events.filter(({ index }) => !read.has(index)) : [];
  const isElsewhere = (lost: readonly string[] | null): boolean =>
    others.some(({ raw }) => lost === null || lost.some((letters) => bare(raw).includes(letters)));
  const isExplained = (lost: readonly string[] | null) => isTorn(stream, protocol) || isElsewhere(lost);
  return {
    text: pieces.join(''),
    carried: carriedBy(pieces, textOf(view, unstreamed, protocol), asked, isExplained),
    timing: timingOf(increments, exchange.timing),
    exchange,
  };
}

const textOf = (view: EvidenceView, id: string, protocol: TextProtocol): string => {
  const state = view.state(id);
  return state.kind === 'answered' ? replyText(state.reading, protocol) : '';
};

/** The middle value of an unsorted list; 0 of none. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** What short replies take, and how much that varies: the noise floor of this run, in milliseconds. */
interface Floor {
  readonly shortMs: number;
  readonly noiseMs: number;
}

/**
 * What reading the long prompt takes is no generation, so that its own short reply is the better measure: the
 * quickest, where it was asked for again. Nothing of ours is taken off a control, for the target may have been
 * as long at it while our machine stood still.
 */
function floorOf(
  view: EvidenceView,
  { short, bounded, unstreamed }: ArrivalControls,
  protocol: TextProtocol,
): Floor {
  const times = short.flatMap((id) => took(view, id));
  const middle = median(times);
  const length = (id: string): number => textOf(view, id, protocol).length;
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

/** Whether our own machine stood still so long while an exchange ran that its timing says little. */
export const isStalled = (view: EvidenceView, id: string): boolean =>
  (view.state(id).exchange?.timing.stallMs ?? 0) >= slowFrom / 4;

type Arrival = 'spread' | 'at once' | 'too fast' | 'stalled';

/** How the text of a stream came; `stalled` where only a stall of our own machine leaves that open. */
function arrivalOf({ timing, exchange }: Streamed, floor: Floor): Arrival {
  const arrival = arrivalWithin(timing, floor, exchange.timing.stallMs);
  return arrival === 'too fast' && arrivalWithin(timing, floor, 0) !== arrival ? 'stalled' : arrival;
}

/** What a long reply takes beyond a short one of the same target: a constant delay before any reply is not generation. */
const generationOf = (timing: StreamTiming, { shortMs }: Floor): number => (timing.lastMs ?? 0) - shortMs;

/** How the text came, where our own machine may have made up so many milliseconds of the generation and of its spread. */
function arrivalWithin(timing: StreamTiming, floor: Floor, stall: number): Exclude<Arrival, 'stalled'> {
  const generation = generationOf(timing, floor) - stall;
  const decidable = generation >= Math.max(slowFrom, 3 * floor.noiseMs);
  // Text that comes over half of an exchange is on its way, whatever the short replies take.
  const unclear = Math.min(floor.noiseMs, (timing.lastMs ?? 0) / 2);
  const least = decidable ? Math.max(10, spreadFrom * generation) : Math.max(plainlySpread, unclear);
  if (timing.spanMs - stall >= least) return 'spread';
  return decidable && isBurst(timing, generation) ? 'at once' : 'too fast';
}

/** The stream carries the reply, and carries it as it is made (1, 4.2, 6; principle 8). */
export function incremental(check: Extract<Check, { kind: 'incremental' }>, view: EvidenceView): Judgement {
  const { protocol, probes, controls } = check;
  const streams = probes
    .map((id) => streamed(view, id, protocol, controls))
    .filter((stream) => stream !== undefined);
  const [first] = probes;
  if (streams.length === 0) {
    const actual = first ? describeState(view.state(first)) : 'not sent';
    const long = [...(first ? [first] : []), controls.unstreamed];
    const nothing = (aspect: string) => {
      const requirement = `${protocol}.stream.${aspect}`;
      const open = inconclusive(requirement, 'no stream with text', actual);
      return longRefused(requirement, view, long, controls.short) ?? open;
    };
    return { findings: [nothing('complete'), nothing('incremental')] };
  }
  return {
    findings: [
      completeness(protocol, streams, view.state(controls.unstreamed), enough),
      pace(protocol, streams, floorOf(view, controls, protocol)),
    ],
  };
}

/** A network cuts a burst into few pieces; many that each come for themselves are fast, and made one by one. */
const isBurst = ({ spanMs, count, arrivals }: StreamTiming, generation: number): boolean =>
  spanMs < (spreadFrom / 2) * generation && (spanMs < burstMs || arrivals <= count / 3);

function pace(protocol: TextProtocol, streams: readonly Streamed[], floor: Floor): Finding {
  const requirement = `${protocol}.stream.incremental`;
  const arrivals = streams.map((stream) => arrivalOf(stream, floor));
  const settled = streams.filter((_, index) => arrivals[index] !== 'stalled');
  const allAtOnce =
    settled.length > 0 && arrivals.every((arrival) => arrival === 'at once' || arrival === 'stalled');
  if (arrivals.includes('spread')) return pass(requirement);
  const [first] = streams;
  const ms = (value: number | null | undefined) => `${Math.round(value ?? 0)} ms`;
  const actual = first
    ? `text from ${ms(first.timing.firstMs)} to ${ms(first.timing.lastMs)} in ${first.timing.count} events; a short reply takes ${ms(floor.shortMs)} ± ${ms(floor.noiseMs)}`
    : 'no stream';
  if (allAtOnce && settled.length >= enough && isSteady(settled, floor)) {
    const message = `the whole text arrives at once at the end of the generation, in each of ${settled.length} attempts`;
    return fail(requirement, { message, expected: 'text on its way while it is generated', actual });
  }
  if (allAtOnce && streams.length < enough) {
    return inconclusive(requirement, 'buffered as far as seen, and not every attempt gave a stream', actual);
  }
  return inconclusive(
    requirement,
    'the generation is too fast to tell whether it is passed on as it is made',
    actual,
    'too-fast',
  );
}

/** What differs from attempt to attempt by more than all of it takes at least is noise and no generation. */
function isSteady(streams: readonly Streamed[], floor: Floor): boolean {
  const took = streams.map(({ timing }) => generationOf(timing, floor));
  const least = Math.min(...took);
  return least >= Math.min(beyondNoise, Math.max(...took) - least);
}

/**
 * Whether the streams so far look buffered or cut short, or our own machine stalled: the question a
 * further attempt is to settle. One that stalled is made up for by another.
 */
export function isInDoubt(view: EvidenceView, ids: readonly string[], controls: ArrivalControls): boolean {
  const protocol = view.request(ids.at(-1) ?? '')?.protocol;
  if (protocol === undefined || protocol === 'images') return false;
  const streams = ids.flatMap((id) => streamed(view, id, protocol, controls) ?? []);
  if (streams.length < ids.length) return false;
  const floor = floorOf(view, controls, protocol);
  const arrivals = streams.map((stream) => arrivalOf(stream, floor));
  const arrival = arrivals.at(-1);
  const open = arrival === 'at once' || arrival === 'stalled' || streams.at(-1)?.carried !== 'whole';
  return open && arrivals.filter((each) => each !== 'stalled').length < enough;
}
