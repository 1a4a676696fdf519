import { requirements } from '../../spec/requirements.ts';
import { type Protocol, protocols, type TextProtocol } from '../../spec/vocabulary.ts';
import { drawingBody, plain } from './builder/bodies.ts';
import { cellId, type CaseBuilder } from './builder/case-builder.ts';

/** Every field of every result (2.3 to 2.6), on every result that the run is given. */
export function resultCases(builder: CaseBuilder): void {
  for (const protocol of protocols) {
    fieldCase(builder, protocol);
    if (protocol !== 'images') outputCase(builder, protocol);
  }
  imageCases(builder);
  chatImageCases(builder);
}

/** The rows of the register that the fields of one result are judged by. */
export const fieldRequirements = (protocol: Protocol): readonly string[] =>
  requirements()
    .filter(
      (row) =>
        row.id.startsWith(`${protocol}.result.`) && row.level !== 'unspecified' && row.excluded === undefined,
    )
    .map((row) => row.id)
    .filter((id) => id !== 'images.result.data.count' && id !== 'images.result.data.url');

function fieldCase(builder: CaseBuilder, protocol: Protocol): void {
  // Where an image model is all that is declared for chat, its reply is the chat completion there is (4.5).
  const isDrawn = protocol === 'chat' && builder.callers('chat').length === 0 && drawsInChat(builder);
  builder.add(
    {
      id: `results.${protocol}.fields`,
      title: `every result of ${protocol} has the fields of section 2`,
      suite: 'results',
      requirements: fieldRequirements(protocol),
    },
    isDrawn ? null : protocol,
    () => ({
      kind: 'result-fields',
      protocol,
      requirements: fieldRequirements(protocol),
      probes: [isDrawn ? drawing : builder.control(protocol)],
    }),
  );
}

function outputCase(builder: CaseBuilder, protocol: TextProtocol): void {
  builder.add(
    {
      id: `results.${protocol}.output`,
      title: `${protocol} returns model output`,
      suite: 'results',
      requirements: ['service.output'],
    },
    protocol,
    () => ({
      kind: 'output',
      requirement: 'service.output',
      protocol,
      probes: [builder.control(protocol), builder.long(protocol)],
    }),
  );
}

/** Several images as links: how many there are is no matter of how they come. */
const urls = (builder: CaseBuilder): string =>
  builder.send('images.urls', 'images', {
    json: { ...plain.images, n: 2, response_format: 'url' },
    billed: 2,
  });

/** One request as a link, with the number of images left to the target: planned with the parameters, too. */
const urlAlone = (builder: CaseBuilder): string =>
  builder.send('images.response-format.url', 'images', { json: { ...plain.images, response_format: 'url' } });

function imageCases(builder: CaseBuilder): void {
  for (const count of [1, 2, 10]) {
    builder.add(
      {
        id: `results.images.count.${count}`,
        title: `images gives ${count} of n = ${count}`,
        suite: 'results',
        requirements: ['images.result.data.count'],
      },
      'images',
      () => ({
        kind: 'image-count',
        requirement: 'images.result.data.count',
        probe: builder.send(`images.n.${count}`, 'images', {
          json: { ...plain.images, n: count },
          billed: count,
        }),
        count,
      }),
    );
  }
  builder.add(
    {
      id: 'results.images.count.urls',
      title: 'images gives 2 of n = 2 where response_format is url',
      suite: 'results',
      requirements: ['images.result.data.count'],
    },
    'images',
    () => ({ kind: 'image-count', requirement: 'images.result.data.count', probe: urls(builder), count: 2 }),
  );
  const links = [
    { id: 'url', where: '', probe: urls },
    { id: 'url.alone', where: ', and n is left out', probe: urlAlone },
  ];
  for (const { id, where, probe } of links) {
    builder.add(
      {
        id: `results.images.${id}`,
        title: `images gives a url for each image where response_format is url${where}`,
        suite: 'results',
        requirements: ['images.result.data.url'],
      },
      'images',
      () => ({ kind: 'image-url', requirement: 'images.result.data.url', probe: probe(builder) }),
    );
  }
}

/** An image asked for through chat: one of the cells. */
const drawing = cellId({ family: 'chat-image', group: 'default' }, 'chat');

const drawsInChat = ({ scope }: CaseBuilder): boolean =>
  scope.families.includes('chat-image') && scope.groups.includes('default');

/** The same once more, with a temperature. */
const warm = (builder: CaseBuilder): string =>
  builder.send('chat-image.temperature', 'chat', {
    json: { ...drawingBody, temperature: 1 },
    callers: [{ family: 'chat-image', group: 'default' }],
    when: [{ kind: 'answered', any: [drawing] }],
  });

function chatImageCases(builder: CaseBuilder): void {
  const undeclared = drawsInChat(builder) ? null : 'no chat-image model with a default token is declared';
  builder.add(
    {
      id: 'results.chat-image.reply',
      title: 'an image model on chat replies with a chat completion',
      suite: 'results',
      requirements: ['chat-image.reply'],
    },
    undeclared,
    () => ({
      kind: 'chat-completion',
      requirement: 'chat-image.reply',
      probe: drawing,
      again: [warm(builder)],
    }),
  );
  builder.add(
    {
      id: 'results.chat-image.temperature',
      title: 'an image model on chat takes a temperature',
      suite: 'results',
      requirements: ['chat-image.reply'],
    },
    undeclared,
    () => ({
      kind: 'accepted',
      requirement: 'chat-image.reply',
      probe: warm(builder),
      controls: [drawing],
      parts: ['chat.temperature.1'],
    }),
  );
}
