import type { Caller } from '../../types/plan.ts';
import { drawingBody } from '../builder/bodies.ts';
import type { CaseBuilder, Needs } from '../builder/case-builder.ts';
import { cellId, chatImageTemperatureId } from '../../types/request-ids.ts';
import { acceptedOf } from '../probes/valid-requests.ts';

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
  builder.addOne({
    id: 'results.chat-image.reply',
    title: 'an image model on chat replies with a chat completion',
    requirement,
    needs,
    check: () => ({ kind: 'chat-completion', probe: chatImageCell, again: [withTemperature(builder)] }),
  });
  builder.addOne({
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
