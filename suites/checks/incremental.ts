import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { Finding, Judgement } from '../model/finding.ts';
import type { StreamFlaw } from '../model/reasons/failures.ts';
import type { ArrivalControls } from '../model/arrival-controls.ts';
import { replyText } from '../reading/text.ts';
import type { CheckDefinition } from './definition.ts';
import type { EvidenceView, State } from './evidence-view.ts';
import { arrivalOf, enoughStreams, isSteady } from './shared/arrival.ts';
import { shortestComparable } from './shared/completeness.ts';
import { describeFirst, describeState } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { longRefused } from './shared/long-prompt.ts';
import {
  arrivalReads,
  type LongStream,
  longStream,
  type NoiseFloor,
  noiseFloor,
} from './shared/long-streams.ts';

/** The stream carries the reply, and carries it as it is made. */
export interface Incremental {
  readonly kind: 'incremental';
  readonly protocol: TextProtocol;
  /** Attempts of the same long stream. */
  readonly probes: readonly string[];
  readonly controls: ArrivalControls;
}

/** The stream carries the reply, and carries it as it is made (1, 4.2, 6; principle 8). */
export const incremental: CheckDefinition<Incremental> = {
  kind: 'incremental',
  explanation:
    'Looks at when the text arrived: all of it at the end of a slow generation is buffered, too fast to tell is inconclusive.',
  reads: ({ probes, controls }) => [...probes, ...arrivalReads(controls)],
  timed: ({ probes, controls }) => [...probes, ...controls.short, ...controls.bounded],
  judge,
};

function judge({ protocol, probes, controls }: Incremental, view: EvidenceView): Judgement {
  const streams = probes
    .map((id) => longStream(view, id, protocol, controls))
    .filter((stream) => stream !== undefined);
  if (streams.length > 0) {
    return {
      findings: [
        completeness(protocol, streams, view.state(controls.unstreamed)),
        pace(protocol, streams, noiseFloor(view, controls, protocol)),
      ],
    };
  }
  const long = [...probes.slice(0, 1), controls.unstreamed];
  const withoutStream = (aspect: string): Finding => {
    const requirement = `${protocol}.stream.${aspect}`;
    const actual = describeFirst(view, probes);
    return (
      longRefused(requirement, view, long, controls.short) ??
      inconclusive(requirement, { kind: 'no-stream-with-text' }, { actual })
    );
  };
  return { findings: [withoutStream('complete'), withoutStream('incremental')] };
}

/** The stream carries the reply, all of it and once (1, 4.1 to 4.3). */
function completeness(protocol: TextProtocol, streams: readonly LongStream[], unstreamed: State): Finding {
  const requirement = `${protocol}.stream.complete`;
  if (unstreamed.kind !== 'answered') {
    const actual = describeState(unstreamed);
    return inconclusive(requirement, { kind: 'unstreamed-unanswered' }, { actual });
  }
  const characters = replyText(unstreamed.reading, protocol).length;
  const nonGating = 'model-behaviour';
  if (characters < shortestComparable) {
    const actual = `${characters} characters`;
    return inconclusive(requirement, { kind: 'reply-too-short' }, { actual, nonGating });
  }
  if (streams.some(({ carried }) => carried === 'whole')) return pass(requirement);
  const actual = `${streams.map(({ text }) => text.length).join(', ')} characters`;
  if (streams.some(({ carried }) => carried === 'other'))
    return inconclusive(requirement, { kind: 'stream-of-other-text' }, { actual, nonGating });
  const attempts = streams.length;
  if (attempts < enoughStreams) return inconclusive(requirement, { kind: 'too-few-streams' }, { actual });
  const flaw = streams.map(({ carried }) => carried).find(isFlaw) ?? 'part';
  return fail(requirement, { reason: { kind: 'stream-incomplete', flaw, attempts, characters }, actual });
}

const isFlaw = (carried: LongStream['carried']): carried is StreamFlaw =>
  carried !== 'whole' && carried !== 'other';

function pace(protocol: TextProtocol, streams: readonly LongStream[], floor: NoiseFloor): Finding {
  const requirement = `${protocol}.stream.incremental`;
  const arrivals = streams.map((stream) => arrivalOf(stream, floor));
  if (arrivals.includes('spread')) return pass(requirement);
  const settled = streams.filter((_, index) => arrivals[index] !== 'stalled');
  const allAtOnce =
    settled.length > 0 && arrivals.every((arrival) => arrival === 'at once' || arrival === 'stalled');
  const actual = describePace(streams, floor);
  if (allAtOnce && settled.length >= enoughStreams && isSteady(settled, floor))
    return fail(requirement, { reason: { kind: 'stream-buffered', attempts: settled.length }, actual });
  if (allAtOnce && streams.length < enoughStreams)
    return inconclusive(requirement, { kind: 'too-few-buffered-streams' }, { actual });
  return inconclusive(requirement, { kind: 'too-fast' }, { actual, nonGating: 'too-fast' });
}

function describePace([first]: readonly LongStream[], { shortMs, noiseMs }: NoiseFloor): string {
  if (first === undefined) return 'no stream';
  const ms = (value: number | null) => `${Math.round(value ?? 0)} ms`;
  const { firstMs, lastMs, count } = first.timing;
  return `text from ${ms(firstMs)} to ${ms(lastMs)} in ${count} events; a short reply takes ${ms(shortMs)} ± ${ms(noiseMs)}`;
}
