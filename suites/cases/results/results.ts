import {
  isTextProtocol,
  type Protocol,
  protocols,
  type TextProtocol,
  textProtocols,
} from '../../../spec/vocabulary.ts';
import type { CaseBuilder, Needs } from '../builder/case-builder.ts';
import { intactCase } from './intact.ts';
import { numbered, numberMark, timesIn } from '../../types/numbered.ts';
import { burstId, cellId, chatImageTemperatureId } from '../../types/request-ids.ts';
import { asking, drawingBody } from '../builder/bodies.ts';
import { firstSentence } from '../builder/shared-requests.ts';
import { wordings } from '../builder/attempts.ts';
import { extension } from '../../../spec/extension.ts';
import { requirements } from '../../../spec/requirements.ts';
import { imageCounts } from '../combinations/image-rows.ts';
import { acceptedOf, requestsWith } from '../probes/refused-cases.ts';
import type { Caller } from '../../types/plan.ts';

export const imageLayouts = (builder: CaseBuilder, layout: 'url' | 'b64_json'): readonly string[] =>
  requestsWith(builder, 'images', { slug: 'response-format' }, layout);

/** As many images as were asked for, and links where those were asked for (2.6, 4.4). */
function imageCases(builder: CaseBuilder): void {
  const ofCount = 'images.result.data.count';
  for (const count of imageCounts())
    builder.add({
      id: `results.images.count.${count}`,
      title: `images returns ${count} for n = ${count}`,
      requirement: ofCount,
      needs: 'images',
      check: () => ({
        kind: 'image-count',
        probes: requestsWith(builder, 'images', { slug: 'n' }, count),
        count,
      }),
    });
  builder.add({
    id: 'results.images.count.left-out',
    title: 'images returns an image where n is left out',
    requirement: ofCount,
    check: () => {
      const leftOut = builder.imageRows().filter(({ values }) => values.n === undefined);
      return { kind: 'image-count', probes: [builder.control('images'), ...leftOut.map(({ id }) => id)] };
    },
  });
  builder.add({
    id: 'results.images.url',
    title: 'images returns a url for each image where response_format is url',
    requirement: 'images.result.data.url',
    check: () => ({ kind: 'image-url', probes: imageLayouts(builder, 'url') }),
  });
}

const caller: Caller = { family: 'chat-image', group: 'default' };

export const chatImageCell = cellId(caller, 'chat');

const isChatImageDeclared = ({ scope }: CaseBuilder): boolean =>
  scope.families.includes(caller.family) && scope.groups.includes(caller.group);

export const chatImageNeeds = (builder: CaseBuilder): Needs =>
  isChatImageDeclared(builder)
    ? null
    : { undeclared: 'no chat-image model with a default token is declared' };

const withTemperature = (builder: CaseBuilder): string =>
  builder.send(chatImageTemperatureId, 'chat', {
    json: { ...drawingBody, temperature: 1 },
    callers: [caller],
    when: [{ kind: 'answered', any: [chatImageCell] }],
  });

/** An image model on chat replies as chat does (4.5). */
function chatImageCases(builder: CaseBuilder): void {
  const requirement = 'chat-image.reply';
  const needs = chatImageNeeds(builder);
  builder.add({
    id: 'results.chat-image.reply',
    title: 'an image model on chat replies with a chat completion',
    requirement,
    needs,
    check: () => ({ kind: 'chat-completion', probe: chatImageCell, again: [withTemperature(builder)] }),
  });
  // The plain requests with a temperature: where one is refused, that is blamed, and not the model.
  builder.add({
    id: 'results.chat-image.temperature',
    title: 'an image model on chat accepts a temperature',
    requirement,
    needs,
    check: () => ({
      kind: 'accepted',
      probe: withTemperature(builder),
      controls: [chatImageCell],
      parts: acceptedOf(builder, 'chat', { slug: 'temperature' })
        .map(({ id }) => id)
        .filter((id) => builder.requests.has(id)),
    }),
  });
}

const judgedElsewhere: readonly string[] = ['images.result.data.count', 'images.result.data.url'];

export const fieldRequirements = (protocol: Protocol): readonly string[] =>
  requirements().flatMap(({ id, about, level, excluded }) => {
    const isField = about?.protocol === protocol && about.field !== undefined;
    const isJudged = level !== 'unspecified' && excluded === undefined && !judgedElsewhere.includes(id);
    return isField && isJudged ? [id] : [];
  });

export const fieldsInWords = (): string =>
  `the fields of ${extension() === undefined ? 'section 2' : 'the extension'}`;

/** Rows that are sent in a run of this case alone. */
const mostRows = 4;

/** The beginnings of the long texts: each has a number that stands in no other request. */
const beginnings = ({ requests }: CaseBuilder): readonly string[] =>
  [...requests.values()].flatMap(({ says = [], body, isCompared }) =>
    isCompared
      ? []
      : says
          .filter((text) => text.includes(numberMark))
          .map((text) => firstSentence(numbered(text, timesIn(JSON.stringify(body?.json), [text])))),
  );

/** Generations that go out at once, as far as the run lets so many through. */
export const burstSize = 16;

/** Short generations at once, each with a nonce: callers take turns, and stream every second of theirs. Only in `full`. */
function burst(builder: CaseBuilder): readonly string[] {
  if (builder.depth.profile !== 'full') return [];
  const [wording] = wordings;
  const turns = textProtocols.flatMap((protocol) => {
    const callers = builder.callers(protocol);
    return callers.map((_, at) => ({ protocol, callers: [...callers.slice(at), ...callers.slice(0, at)] }));
  });
  const all = Array.from({ length: burstSize }, (_, at) => ({
    number: at + 1,
    turn: turns[at % turns.length],
  }));
  return all.flatMap(({ number, turn }) => {
    if (turn === undefined) return [];
    const { protocol, callers } = turn;
    const asked = asking(protocol, `${wording.statement(builder.data.nonce())} ${wording.question}`);
    const json = { ...asked, stream: Math.floor((number - 1) / turns.length) % 2 === 1 };
    const request = { json, callers, when: [builder.served(protocol)], stage: 'burst' } as const;
    return builder.send(burstId(protocol, number), protocol, request);
  });
}

/** A reply belongs to its request (3). The last case of all: it looks for every word of the plan. */
function ownContextCase(builder: CaseBuilder): void {
  const isDeclared = textProtocols.some((protocol) => builder.callers(protocol).length > 0);
  builder.add({
    id: 'results.own-context',
    title: 'a reply shows nothing of another request that it is not chained to',
    requirement: 'states.only-relation',
    needs: isDeclared ? null : { undeclared: 'no text model that can be judged is declared' },
    check: () => {
      const rows = textProtocols.flatMap((protocol) => builder.rows(protocol).rows.map(({ id }) => id));
      return {
        kind: 'own-context',
        probes: [...rows.slice(0, mostRows), ...burst(builder)],
        words: [
          ...builder.data.drawn(),
          firstSentence(builder.data.longText),
          ...new Set(beginnings(builder)),
        ],
      };
    },
  });
}

/** Every field of every result (2.3 to 2.6), on every result that the run is given. */
export function resultCases(builder: CaseBuilder): void {
  for (const protocol of protocols) {
    // Where an image model is all that is declared for chat, its reply is the chat completion there is (4.5).
    const isImageModelAlone =
      protocol === 'chat' && builder.callers('chat').length === 0 && isChatImageDeclared(builder);
    builder.add({
      id: `results.${protocol}.fields`,
      title: `every result of ${protocol} has ${fieldsInWords()}`,
      requirements: fieldRequirements(protocol),
      needs: isImageModelAlone ? null : protocol,
      check: () => ({
        kind: 'result-fields',
        protocol,
        requirements: fieldRequirements(protocol),
        probes: [isImageModelAlone ? chatImageCell : builder.control(protocol)],
      }),
    });
    if (isTextProtocol(protocol)) outputCase(builder, protocol);
  }
  // What is judged by every reply to a valid request, of whatever endpoint.
  const probes = [
    ...protocols.flatMap((protocol) => builder.cells(protocol)),
    ...(isChatImageDeclared(builder) ? [chatImageCell] : []),
  ];
  const needs =
    probes.length > 0 ? null : { undeclared: 'no model with a token that it is served to is declared' };
  builder.add({
    id: 'results.availability',
    title: 'valid requests are answered each time, with output',
    requirements: ['service.availability', 'service.output'],
    needs,
    check: () => ({ kind: 'availability', probes }),
  });
  builder.add({
    id: 'results.whole',
    title: 'results are whole JSON documents',
    requirement: 'service.whole-results',
    needs,
    check: () => ({ kind: 'whole-results', probes }),
  });
  imageCases(builder);
  chatImageCases(builder);
  for (const protocol of textProtocols) intactCase(builder, protocol);
  ownContextCase(builder);
}

function outputCase(builder: CaseBuilder, protocol: TextProtocol): void {
  builder.add({
    id: `results.${protocol}.output`,
    title: `${protocol} returns model output`,
    requirement: 'service.output',
    check: () => ({ kind: 'output', protocol, probes: [builder.control(protocol), builder.long(protocol)] }),
  });
}
