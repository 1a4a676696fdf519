import { protocolFacts } from '../../../spec/protocols.ts';
import { type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import { type CaseBuilder, addObservation } from '../builder/case-builder.ts';
import {
  cellId,
  behindBrokenOffId,
  brokenOffId,
  longStreamId,
  timedAgainId,
} from '../../types/request-ids.ts';
import { longMinimal, longBody } from '../builder/bodies.ts';
import { probeCases } from '../probes/probe-cases.ts';
import { situationStreams } from './situation-streams.ts';
import type { ArrivalControls } from '../../types/arrival-controls.ts';
import { ownText } from '../builder/shared-requests.ts';
import type { PlannedRow } from '../combinations/row-requests.ts';
import { has, isAt } from '../combinations/text-rows.ts';

/** How often a long stream may be asked for: more often than the check needs, since our own machine may stall. */
const lastAttempt = 5;

const samplesNeeded = 4;

const arrivalControls = (builder: CaseBuilder, protocol: TextProtocol): ArrivalControls => ({
  unstreamed: builder.long(protocol),
  short: shortReplies(builder, protocol, false),
  streamed: shortReplies(builder, protocol, true),
  bounded: boundedReplies(builder, protocol),
});

/** Rows with short replies; those with short prompts first, and of the rest only as many as are needed. */
function shortReplies(builder: CaseBuilder, protocol: TextProtocol, stream: boolean): readonly string[] {
  const { rows } = builder.rows(protocol);
  const short = rows.filter((row) => row.stream === stream && !isAt(row, 'limit') && !has(row, 'previous'));
  const isLong = (row: PlannedRow): boolean => has(row, 'length') || row.styles?.long !== undefined;
  const byPrompt = short.toSorted((one, other) => Number(isLong(one)) - Number(isLong(other)));
  return byPrompt.map(({ id }) => id).slice(0, samplesNeeded);
}

/** A long prompt with a short reply, which `max_tokens` ends or which is a word; sent again where our own machine stalled. */
function boundedReplies(builder: CaseBuilder, protocol: TextProtocol): readonly string[] {
  const unstreamed = builder.rows(protocol).rows.filter((row) => !row.stream && !has(row, 'previous'));
  const bounded =
    unstreamed.find((row) => isAt(row, 'limit')) ?? unstreamed.find((row) => has(row, 'length'));
  if (bounded === undefined) return [];
  const { body, callers = [] } = builder.requests.get(bounded.id) ?? {};
  const sent = [bounded.id];
  for (let attempt = 2; attempt <= lastAttempt; attempt += 1) {
    const when = [{ kind: 'stalled', exchange: sent.at(-1) ?? bounded.id }] as const;
    const request = { json: body?.json ?? null, callers, billed: 0, when };
    sent.push(builder.send(timedAgainId(bounded.id, attempt), protocol, request));
  }
  return sent;
}

/** Long streams; each but the first only where those before it leave the verdict open. */
function longStreams(builder: CaseBuilder, protocol: TextProtocol, controls: ArrivalControls) {
  const { text, says } = ownText(builder);
  const json = { ...longBody(protocol, text), stream: true };
  const sent = [builder.send(longStreamId(protocol, 1), protocol, { json, says, billed: 1 })];
  for (let attempt = 2; attempt <= lastAttempt; attempt += 1) {
    const when = [{ kind: 'stream-inconclusive', exchanges: [...sent], controls }] as const;
    sent.push(builder.send(longStreamId(protocol, attempt), protocol, { json, says, billed: 0, when }));
  }
  return sent;
}

const everyStream = ['stream.given', 'stream.well-formed', 'stream.text', 'stream.end'];

export const streamRequirements = (protocol: TextProtocol): readonly string[] =>
  [...everyStream, ...protocolFacts[protocol].stream.eventRequirements].map(
    (aspect) => `${protocol}.${aspect}`,
  );

/** Streams: given when asked for and only then, their shape, their text, their pace (4.1 to 4.3, 6). */
export function streamCases(builder: CaseBuilder): void {
  for (const protocol of textProtocols) {
    builder.add({
      id: `streams.${protocol}.shape`,
      title: `every stream of ${protocol} is given, readable and whole`,
      requirements: streamRequirements(protocol),
      check: () => ({ kind: 'stream', protocol, probes: [builder.streamed(protocol)] }),
    });
    builder.add({
      id: `streams.${protocol}.arrival`,
      title: `a stream of ${protocol} brings the reply as it is made`,
      requirements: [`${protocol}.stream.incremental`],
      check: () => {
        const controls = arrivalControls(builder, protocol);
        const probes = longStreams(builder, protocol, controls);
        const situations = situationStreams(builder, protocol, { probes, controls });
        return { kind: 'incremental', protocol, probes, controls, situations };
      },
    });
    // No stream where `stream` is left out, which is its default whatever types the client accepts.
    builder.add({
      id: `streams.${protocol}.default`,
      title: `${protocol} streams only when asked to`,
      requirement: `${protocol}.param.stream.default`,
      check: () => ({
        kind: 'unstreamed',
        protocol,
        declined: false,
        probes: [...builder.cells(protocol), builder.acceptAny(protocol)],
        deciding: builder.acceptAny(protocol),
        streamed: builder.onlyStream(protocol),
      }),
    });
    declinedCase(builder, protocol);
    probeCases(builder, 'streams', protocol);
    usageCase(builder, protocol);
    brokenOffCase(builder, protocol);
  }
}

/** No stream where `stream` is false: that value would not be accepted. */
function declinedCase(builder: CaseBuilder, protocol: TextProtocol): void {
  builder.add({
    id: `streams.${protocol}.declined`,
    title: `${protocol} does not stream when asked not to`,
    requirement: `${protocol}.param.stream.accepted`,
    check: () => ({
      kind: 'unstreamed',
      protocol,
      declined: true,
      probes: builder
        .rows(protocol)
        .rows.filter(({ declined }) => declined)
        .map(({ id }) => id),
      streamed: builder.onlyStream(protocol),
    }),
  });
}

/** The same request of each caller, without a stream and with one. */
function usageCase(builder: CaseBuilder, protocol: TextProtocol): void {
  const streams = builder.callers(protocol).map((caller) => cellId(caller, protocol, true));
  addObservation(builder, {
    id: `streams.${protocol}.stream-usage`,
    title: `whether a stream of ${protocol} tells how many tokens were used, and the same as the whole reply`,
    protocol,
    requirement: `${protocol}.stream.usage`,
    subject: `usage in a ${protocol} stream`,
    aspect: 'stream-usage',
    probes: () => [...streams.filter((id) => builder.requests.has(id)), ...builder.cells(protocol)],
  });
}

/** A client that goes away is no reason to refuse the next one; it goes last, where nothing else can meet what comes of it. */
function brokenOffCase(builder: CaseBuilder, protocol: TextProtocol): void {
  addObservation(builder, {
    id: `streams.${protocol}.broken-off`,
    protocol,
    requirement: 'service.broken-off-streams',
    subject: `a valid request of ${protocol} behind a stream that the client broke off`,
    aspect: 'after-broken-off',
    probes() {
      const last = { expect: 'either', stage: 'after' } as const;
      const broken = builder.send(brokenOffId(protocol), protocol, {
        ...last,
        json: { ...longMinimal(protocol, builder.data.longText), stream: true },
        breaksOff: true,
        when: [{ kind: 'recorded', all: [builder.after(protocol)] }],
      });
      const next = builder.send(behindBrokenOffId(protocol), protocol, {
        ...last,
        when: [{ kind: 'recorded', all: [broken] }],
      });
      return [broken, next];
    },
  });
}
