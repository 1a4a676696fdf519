import type { CaseBuilder, Needs } from '../builder/case-builder.ts';
import { imageCounts } from '../combinations/image-rows.ts';
import { requestsWith, acceptedOf } from '../probes/valid-requests.ts';
import type { Caller } from '../../types/plan.ts';
import { drawingBody } from '../builder/bodies.ts';
import { cellId, chatImageTemperatureId } from '../../types/request-ids.ts';

export const imageLayouts = (builder: CaseBuilder, layout: 'url' | 'b64_json'): readonly string[] =>
  requestsWith(builder, 'images', { slug: 'response-format' }, layout);

/** As many images as were asked for, and links where those were asked for (2.6, 4.4). */
export function imageCases(builder: CaseBuilder): void {
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

export const isChatImageDeclared = ({ scope }: CaseBuilder): boolean =>
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

/** The plain requests with a temperature: where one is refused, that is blamed, and not the model. */
const temperatures = (builder: CaseBuilder): readonly string[] =>
  acceptedOf(builder, 'chat', { slug: 'temperature' })
    .map(({ id }) => id)
    .filter((id) => builder.requests.has(id));

/** An image model on chat replies as chat does (4.5). */
export function chatImageCases(builder: CaseBuilder): void {
  const requirement = 'chat-image.reply';
  const needs = chatImageNeeds(builder);
  builder.add({
    id: 'results.chat-image.reply',
    title: 'an image model on chat replies with a chat completion',
    requirement,
    needs,
    check: () => ({ kind: 'chat-completion', probe: chatImageCell, again: [withTemperature(builder)] }),
  });
  builder.add({
    id: 'results.chat-image.temperature',
    title: 'an image model on chat accepts a temperature',
    requirement,
    needs,
    check: () => ({
      kind: 'accepted',
      probe: withTemperature(builder),
      controls: [chatImageCell],
      parts: temperatures(builder),
    }),
  });
}
