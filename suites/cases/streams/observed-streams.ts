import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { ObservedAspect } from '../../model/case.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { acceptAnyId } from '../builder/request-ids.ts';

/** What each protocol calls the events that are unspecified. */
const otherEvents: Readonly<Record<TextProtocol, string>> = {
  responses: 'stream.other-events',
  messages: 'stream.event-types',
  chat: 'stream.chunk.extra',
};

interface StreamObservation {
  /** Behind `streams.<protocol>.`. */
  readonly id: string;
  readonly title: string;
  /** Id of the requirement behind the protocol. */
  readonly aspect: string;
  readonly subject: string;
  readonly see: ObservedAspect;
  readonly probe: () => string;
}

const observations = (builder: CaseBuilder, protocol: TextProtocol): readonly StreamObservation[] => [
  {
    id: 'framing',
    title: `how ${protocol} frames its stream`,
    aspect: 'stream.framing',
    subject: `framing of a ${protocol} stream`,
    see: 'framing',
    probe: () => builder.streamed(protocol),
  },
  {
    id: 'events',
    title: `which events ${protocol} sends`,
    aspect: otherEvents[protocol],
    subject: `events of a ${protocol} stream`,
    see: 'event-types',
    probe: () => builder.streamed(protocol),
  },
  {
    id: 'accept',
    title: `what ${protocol} replies to Accept: */* without stream`,
    aspect: 'stream.accept',
    subject: `${protocol} given Accept: */* and no stream`,
    see: 'answer-or-refusal',
    probe: () => builder.send(acceptAnyId(protocol), protocol, { accept: '*/*', expect: 'either' }),
  },
];

/** What of a stream is not shown, and observed (6). */
export function observedStreamCases(builder: CaseBuilder, protocol: TextProtocol): void {
  for (const { id, title, aspect, subject, see, probe } of observations(builder, protocol)) {
    const requirement = `${protocol}.${aspect}`;
    builder.add(
      { id: `streams.${protocol}.${id}`, title, suite: 'streams', requirements: [requirement] },
      protocol,
      () => ({ kind: 'observe', requirement, section: '6', subject, see, protocol, probes: [probe()] }),
    );
  }
}
