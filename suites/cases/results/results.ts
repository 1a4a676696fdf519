import { extension } from '../../../spec/extension.ts';
import {
  isTextProtocol,
  type Protocol,
  protocols,
  type TextProtocol,
  textProtocols,
} from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { chatImageCases, chatImageCell, isChatImageDeclared } from './chat-images.ts';
import { fieldRequirements } from './field-requirements.ts';
import { imageCases } from './images.ts';
import { intactCase } from './intact.ts';
import { ownContextCase } from './own-context.ts';

/** Every field of every result (2.3 to 2.6), on every result that the run is given. */
export function resultCases(builder: CaseBuilder): void {
  for (const protocol of protocols) {
    fieldCase(builder, protocol);
    if (isTextProtocol(protocol)) outputCase(builder, protocol);
  }
  everyReplyCases(builder);
  imageCases(builder);
  chatImageCases(builder);
  for (const protocol of textProtocols) intactCase(builder, protocol);
  ownContextCase(builder);
}

/** What is judged by every reply to a valid request, of whatever endpoint. */
function everyReplyCases(builder: CaseBuilder): void {
  const probes = [
    ...protocols.flatMap((protocol) => builder.cells(protocol)),
    ...(isChatImageDeclared(builder) ? [chatImageCell] : []),
  ];
  const needs =
    probes.length > 0 ? null : { undeclared: 'no model with a token that it is served to is declared' };
  builder.add(
    {
      id: 'results.availability',
      title: 'valid requests are answered each time, with output',
      requirements: ['service.availability', 'service.output'],
    },
    needs,
    () => ({ kind: 'availability', probes }),
  );
  builder.addOne(
    {
      id: 'results.whole',
      title: 'results are whole JSON documents',
      requirement: 'service.whole-results',
    },
    needs,
    () => ({ kind: 'whole-results', probes }),
  );
}

function fieldCase(builder: CaseBuilder, protocol: Protocol): void {
  // Where an image model is all that is declared for chat, its reply is the chat completion there is (4.5).
  const isImageModelAlone =
    protocol === 'chat' && builder.callers('chat').length === 0 && isChatImageDeclared(builder);
  builder.add(
    {
      id: `results.${protocol}.fields`,
      title: `every result of ${protocol} has the fields of ${extension() === undefined ? 'section 2' : 'the extension'}`,
      requirements: fieldRequirements(protocol),
    },
    isImageModelAlone ? null : protocol,
    () => ({
      kind: 'result-fields',
      protocol,
      requirements: fieldRequirements(protocol),
      probes: [isImageModelAlone ? chatImageCell : builder.control(protocol)],
    }),
  );
}

function outputCase(builder: CaseBuilder, protocol: TextProtocol): void {
  builder.addOne(
    {
      id: `results.${protocol}.output`,
      title: `${protocol} returns model output`,
      requirement: 'service.output',
    },
    protocol,
    () => ({
      kind: 'output',
      protocol,
      probes: [builder.control(protocol), builder.long(protocol)],
    }),
  );
}
