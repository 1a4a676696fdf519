import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { ArrivalControls } from '../../types/arrival-controls.ts';
import { textIncrements } from '../../reading/text.ts';
import { timingOf } from '../../reading/timing.ts';
import { type EvidenceView, streamOf, textOf } from '../evidence-view.ts';

/** A reply of less than this part of the long one is short. */
const shortBelow = 0.25;

export type LongStream = NonNullable<ReturnType<typeof longStream>>;

/** The stream of an attempt; undefined where there is none, or none with text. */
export function longStream(view: EvidenceView, id: string, protocol: TextProtocol) {
  const state = view.state(id);
  const stream = streamOf(state);
  if (state.kind === 'unclear' || stream === undefined) return undefined;
  const increments = textIncrements(stream, protocol);
  if (increments.length === 0) return undefined;
  const { exchange } = state;
  const text = increments.map((each) => each.text).join('');
  return { text, timing: timingOf(increments, exchange.timing), exchange };
}

/** What short replies take, infinite where that is not known, and how much that varies: the noise floor, in milliseconds. */
export type NoiseFloor = ReturnType<typeof noiseFloor>;

/** A timed reply: how long it took, in milliseconds, and the length of its text, in characters. */
interface Sample {
  readonly ms: number;
  readonly length: number;
}

/** Milliseconds for each character: the middle of what any two replies of different length say. */
function perCharacter(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((one, at) =>
    samples
      .slice(at + 1)
      .filter((other) => other.length !== one.length)
      .map((other) => (other.ms - one.ms) / (other.length - one.length)),
  );
  return Math.max(0, median(slopes));
}

/** The quickest short reply to the long prompt, else the middle of the others. */
function shortestOf(own: readonly Sample[], samples: readonly Sample[]): number {
  const timesOf = (replies: readonly Sample[]): readonly number[] => replies.map(({ ms }) => ms);
  if (own.length > 0 || samples.length === 0) return Math.min(...timesOf(own));
  return median(timesOf(samples));
}

/**
 * Short replies differ in length, whose generation is no noise and stays in what they take: taken off wrongly it would count as
 * generation of the long reply. What reading the long prompt takes is none, so its own short reply is the better measure.
 * Nothing of ours is taken off a control: the target may have been as long at it while our machine stood still.
 */
export function noiseFloor(
  view: EvidenceView,
  { short, streamed, bounded, unstreamed }: ArrivalControls,
  protocol: TextProtocol,
) {
  const sampleOf = (id: string): readonly Sample[] => {
    const state = view.state(id);
    return state.kind === 'answered'
      ? [{ ms: state.exchange.timing.endMs, length: textOf(state, protocol).length }]
      : [];
  };
  const samples = short.flatMap(sampleOf);
  const spreadAt = (rate: number): number => {
    // What a reply took before its text, where each character takes so many milliseconds.
    const times = samples.map(({ ms, length }: Sample): number => Math.max(0, ms - rate * length));
    return median(times.map((time) => Math.abs(time - median(times))));
  };
  // Where all take as long whatever they say, differences of length say nothing.
  const slope = perCharacter(samples);
  const [spread, spreadOfAll] = [spreadAt(slope), spreadAt(0)];
  const longest = shortBelow * textOf(view.state(unstreamed), protocol).length;
  const answered = bounded.flatMap(sampleOf);
  const own = answered.filter(({ length }) => length < longest);
  // Where a prompt as long was refused, what reading it takes is not known.
  // What every stream takes is no generation, either.
  const streams = streamed.flatMap(sampleOf).filter(({ length }) => length < longest);
  const leastMs = streams.length > 0 ? Math.min(...streams.map(({ ms }) => ms)) : 0;
  const isRead = answered.length > 0 || bounded.every((id) => view.state(id).exchange === undefined);
  return {
    shortMs: isRead ? Math.max(leastMs, shortestOf(own, samples)) : Number.POSITIVE_INFINITY,
    noiseMs: Math.max(5, 3 * (spread < spreadOfAll / 2 ? spread : spreadOfAll)),
  };
}

/** Ids of the exchanges that the arrival of a stream is compared with. */
export const arrivalReads = ({
  unstreamed,
  short,
  streamed,
  bounded,
}: ArrivalControls): readonly string[] => [unstreamed, ...short, ...streamed, ...bounded];

/** The middle value of an unsorted list; 0 of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
