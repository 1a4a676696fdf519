import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { Outcome } from '../types/finding.ts';
import type { ArrivalControls } from '../types/arrival-controls.ts';
import type { CheckDefinition } from './definition.ts';
import { type State, textOf } from './evidence-view.ts';
import { arrivalOf, enoughStreams, isSteady, isTelling } from './shared/arrival.ts';
import { shortestComparable, repliesNeeded } from './shared/completeness.ts';
import { describeFirst, describeState } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { longRefused } from './shared/long-prompt.ts';
import { noStream } from './shared/no-stream.ts';
import {
  arrivalReads,
  type LongStream,
  longStream,
  type NoiseFloor,
  noiseFloor,
} from './shared/long-streams.ts';

/** The stream carries the reply, and carries it as it is made (1, 4.2, 6; principle 8). */
export interface Incremental {
  readonly kind: 'incremental';
  readonly protocol: TextProtocol;
  /** Attempts of the same long stream. */
  readonly probes: readonly string[];
  readonly controls: ArrivalControls;
}

export const incremental: CheckDefinition<Incremental> = {
  kind: 'incremental',
  explanation:
    'Looks at when the text arrived: all of it at the end of a slow generation is buffered, too fast or too short to tell is inconclusive.',
  reads: ({ probes, controls }) => [...probes, ...arrivalReads(controls)],
  timed: ({ probes, controls }) => [...probes, ...controls.short, ...controls.bounded],
  judge({ protocol, probes, controls }, view) {
    const streams = probes
      .map((id) => longStream(view, id, protocol, controls))
      .filter((stream) => stream !== undefined);
    const long = [...probes.slice(0, 1), controls.unstreamed];
    const none =
      streams.length > 0
        ? undefined
        : (noStream(view, probes) ??
          longRefused(view, long, controls.short) ??
          inconclusive('no-stream-with-text', describeFirst(view, probes)));
    const complete =
      none ??
      completeness(protocol, streams, { asked: controls.asked, unstreamed: view.state(controls.unstreamed) });
    const arrival = none ?? pace(streams, noiseFloor(view, controls, protocol));
    return {
      findings: [
        { requirement: `${protocol}.stream.complete`, ...complete },
        { requirement: `${protocol}.stream.incremental`, ...arrival },
      ],
    };
  },
};

/** The stream carries the reply, all of it and once (1, 4.1 to 4.3). */
function completeness(
  protocol: TextProtocol,
  streams: readonly LongStream[],
  { asked, unstreamed }: { readonly asked: string; readonly unstreamed: State },
): Outcome {
  if (unstreamed.kind !== 'answered') return inconclusive('unstreamed-unanswered', describeState(unstreamed));
  const characters = textOf(unstreamed, protocol).length;
  if (characters < shortestComparable)
    return inconclusive('reply-too-short', `${characters} characters`, 'model-behaviour');
  const carried = streams.map((stream) => stream.carried);
  if (carried.includes('whole')) return pass();
  const texts = streams.map(({ text }) => text);
  const actual = `${texts.map((text) => text.length).join(', ')} characters`;
  if (carried.includes('other')) return inconclusive('stream-of-other-text', actual, 'model-behaviour');
  const attempts = streams.length;
  const needed = repliesNeeded(texts, asked);
  if (attempts < needed) return inconclusive({ kind: 'too-few-streams', streams: attempts, needed }, actual);
  const flaw = carried.find((each) => each !== 'whole' && each !== 'other') ?? 'part';
  return fail({ kind: 'stream-incomplete', flaw, attempts, characters }, actual);
}

function pace(streams: readonly LongStream[], floor: NoiseFloor): Outcome {
  const arrivals = streams.map((stream) => arrivalOf(stream, floor));
  if (arrivals.includes('spread')) return pass();
  const settled = streams.filter((_, index) => isTelling(arrivals[index] ?? 'stalled'));
  const allAtOnce = settled.length > 0 && !arrivals.includes('too fast');
  const actual = describePace(streams, floor);
  if (allAtOnce && settled.length >= enoughStreams && isSteady(settled, floor))
    return fail({ kind: 'stream-buffered', attempts: settled.length }, actual);
  if (arrivals.includes('too short')) return inconclusive('stream-too-short', actual, 'model-behaviour');
  return allAtOnce && streams.length < enoughStreams
    ? inconclusive('too-few-buffered-streams', actual)
    : inconclusive('too-fast', actual, 'too-fast');
}

function describePace([first]: readonly LongStream[], { shortMs, noiseMs }: NoiseFloor): string {
  if (first === undefined) return 'no stream';
  const ms = (value: number | null) => `${Math.round(value ?? 0)} ms`;
  const { firstMs, lastMs, count } = first.timing;
  return `text from ${ms(firstMs)} to ${ms(lastMs)} in ${count} events; a short reply takes ${ms(shortMs)} ± ${ms(noiseMs)}`;
}
