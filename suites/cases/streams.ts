import { type TextProtocol, textProtocols } from '../../spec/vocabulary.ts';
import type { ObservedAspect } from '../checks/shared/observers.ts';
import type { ArrivalControls } from '../model/plan.ts';
import { asking, hello, longBody } from './builder/bodies.ts';
import type { CaseBuilder } from './builder/case-builder.ts';

/** What every event of a protocol must hold, behind what holds for every stream. */
const shapes: Readonly<Record<TextProtocol, readonly string[]>> = {
  responses: ['stream.event-type', 'stream.delta'],
  messages: [],
  chat: ['stream.chunk.choices', 'stream.chunk.delta', 'stream.chunk.content'],
};

const everyStream = ['stream.given', 'stream.well-formed', 'stream.text', 'stream.end'];

/** How often a long stream may be asked for: more often than the check needs, since our own machine may stall. */
const attempts = [1, 2, 3, 4, 5] as const;

/** Streams: given when asked for and only then, their shape, their text, their pace (4.1 to 4.3, 6). */
export function streamCases(builder: CaseBuilder): void {
  for (const protocol of textProtocols) {
    const ids = (names: readonly string[]) => names.map((name) => `${protocol}.${name}`);
    const shape = ids([...everyStream, ...shapes[protocol]]);
    builder.add(
      {
        id: `streams.${protocol}.shape`,
        title: `every stream of ${protocol} is given, readable and whole`,
        suite: 'streams',
        requirements: shape,
      },
      protocol,
      () => ({ kind: 'stream', protocol, probes: [builder.streamed(protocol)] }),
    );
    const arrival = ids(['stream.complete', 'stream.incremental']);
    builder.add(
      {
        id: `streams.${protocol}.arrival`,
        title: `a stream of ${protocol} brings the whole reply as it is made`,
        suite: 'streams',
        requirements: arrival,
      },
      protocol,
      () => {
        const controls = arrivalControls(builder, protocol);
        return { kind: 'incremental', protocol, probes: longStreams(builder, protocol, controls), controls };
      },
    );
    unaskedCases(builder, protocol);
    observeCases(builder, protocol);
  }
}

/** No stream where `stream` is left out, which is its default; and none where it is false, which would not be taken. */
function unaskedCases(builder: CaseBuilder, protocol: TextProtocol): void {
  const [absent, declined] = [`${protocol}.param.stream.default`, `${protocol}.param.stream.accepted`];
  const entry = { suite: 'streams', title: `${protocol} streams only when asked to` } as const;
  builder.add({ ...entry, id: `streams.${protocol}.default`, requirements: [absent] }, protocol, () => ({
    kind: 'unstreamed',
    requirement: absent,
    protocol,
    declined: false,
    probes: builder.cells(protocol),
  }));
  builder.add(
    {
      ...entry,
      id: `streams.${protocol}.declined`,
      title: `${protocol} does not stream when asked not to`,
      requirements: [declined],
    },
    protocol,
    () => ({
      kind: 'unstreamed',
      requirement: declined,
      protocol,
      declined: true,
      probes: [builder.control(protocol)],
    }),
  );
}

/** As many samples as a noise floor needs, of requests that are planned anyway. */
const shortReplies = (builder: CaseBuilder, protocol: TextProtocol): readonly string[] =>
  [...builder.requests.values()]
    .filter(
      (request) => request.protocol === protocol && request.expect === 'answer' && request.stage === 'valid',
    )
    .filter((request) => !request.stream && request.callers.length === builder.callers(protocol).length)
    .map(({ id }) => id)
    .filter((id) => !/[.](long|limit|full)\b/.test(id))
    .slice(0, 6);

const arrivalControls = (builder: CaseBuilder, protocol: TextProtocol): ArrivalControls => ({
  unstreamed: builder.long(protocol),
  short: shortReplies(builder, protocol),
  bounded: boundedReplies(builder, protocol),
  asked: builder.data.longText,
});

/** Responses knows no bound on its output: a prompt as long as the text that asks for one word. */
const longPrompt = (builder: CaseBuilder): string =>
  builder.send('responses.long.prompt', 'responses', {
    json: asking(
      'responses',
      `${hello} The sentences after this one are sample text. ${builder.data.longText}`,
    ),
  });

/** A long prompt with a short reply, sent again where our own machine stalled. */
function boundedReplies(builder: CaseBuilder, protocol: TextProtocol): readonly string[] {
  const first = protocol === 'responses' ? longPrompt(builder) : builder.limited(protocol, 1);
  const json = builder.requests.get(first)?.body?.json ?? null;
  const sent = [first];
  for (const attempt of attempts.slice(1)) {
    const when = [{ kind: 'stalled', exchange: sent.at(-1) ?? first }] as const;
    sent.push(builder.send(`${first}.timed.${attempt}`, protocol, { json, billed: 0, when }));
  }
  return sent;
}

function longStreams(
  builder: CaseBuilder,
  protocol: TextProtocol,
  controls: ArrivalControls,
): readonly string[] {
  const id = (attempt: number) => `${protocol}.stream.long.${attempt}`;
  return attempts.map((attempt) =>
    builder.send(id(attempt), protocol, {
      json: { ...longBody(protocol, builder.data.longText), stream: true },
      billed: attempt === 1 ? 1 : 0,
      ...(attempt === 1
        ? {}
        : {
            when: [{ kind: 'stream-in-doubt', exchanges: attempts.slice(0, attempt - 1).map(id), controls }],
          }),
    }),
  );
}

/** What each protocol calls the events that the document leaves open. */
const otherEvents: Readonly<Record<TextProtocol, string>> = {
  responses: 'stream.other-events',
  messages: 'stream.event-types',
  chat: 'stream.chunk.extra',
};

/** What of a stream is not shown, and seen all the same (6). */
function observeCases(builder: CaseBuilder, protocol: TextProtocol): void {
  const observations: readonly {
    readonly id: string;
    readonly title: string;
    readonly slug: string;
    readonly subject: string;
    readonly aspect: ObservedAspect;
    readonly probe: () => string;
  }[] = [
    {
      id: 'framing',
      title: `how ${protocol} frames its stream`,
      slug: 'stream.framing',
      subject: `framing of a ${protocol} stream`,
      aspect: 'framing',
      probe: () => builder.streamed(protocol),
    },
    {
      id: 'events',
      title: `which events ${protocol} sends`,
      slug: otherEvents[protocol],
      subject: `events of a ${protocol} stream`,
      aspect: 'event-types',
      probe: () => builder.streamed(protocol),
    },
    {
      id: 'accept',
      title: `what ${protocol} gives to Accept: */* without stream`,
      slug: 'stream.accept',
      subject: `${protocol} given Accept: */* and no stream`,
      aspect: 'answer-or-refusal',
      probe: () => builder.send(`${protocol}.accept-any`, protocol, { accept: '*/*', expect: 'either' }),
    },
  ];
  for (const { id, title, slug, subject, aspect, probe } of observations) {
    const requirement = `${protocol}.${slug}`;
    builder.add(
      { id: `streams.${protocol}.${id}`, title, suite: 'streams', requirements: [requirement] },
      protocol,
      () => ({ kind: 'observe', requirement, section: '6', subject, aspect, protocol, probes: [probe()] }),
    );
  }
}
