import { protocols, textProtocols } from '../../../spec/vocabulary.ts';
import { type CaseBuilder, addObservation, type Observation } from '../builder/case-builder.ts';
import { chatImageCell, chatImageNeeds, imageLayouts } from '../results/results.ts';
import { limitedRows, rowsWhere } from '../combinations/situations.ts';
import { lowLimit } from '../combinations/text-rows.ts';
import { probeCases } from '../probes/probe-cases.ts';
import type { Template } from '../../types/template.ts';
import { hello, plain, turn } from '../builder/bodies.ts';
import { instead } from '../builder/shared-requests.ts';
import { inputElementsId, inputFormId } from '../../types/request-ids.ts';

/** Shapes of an element of `input` that clients send; the document shows none. */
export const inputShapes = ['short', 'typed', 'parts', 'typed-parts'] as const;
type InputShape = (typeof inputShapes)[number];

const parts = (text: string): Template => [{ type: 'input_text', text }];

/** An element that says a text of the user, by its shape. */
export const inputElement: Readonly<Record<InputShape, (text: string) => Template>> = {
  short: (text) => turn('user', text),
  typed: (text) => ({ type: 'message', role: 'user', content: text }),
  parts: (text) => turn('user', parts(text)),
  'typed-parts': (text) => ({ type: 'message', role: 'user', content: parts(text) }),
};

const sendInputShape = (builder: CaseBuilder, shape: InputShape): string =>
  builder.send(inputElementsId(shape), 'responses', {
    json: { ...plain.responses, input: [inputElement[shape](hello)] },
    expect: 'either',
  });

/** Everything that the document does not show and a client can see: spec/probes/observations.yaml, and the rest here. */
export function observationCases(builder: CaseBuilder): void {
  for (const protocol of protocols) probeCases(builder, 'observations', protocol);
  resultObservations(builder);
  for (const protocol of textProtocols) // Of every caller, and of the rows.
    observationCase(builder, 'ids', {
      protocol,
      requirement: 'service.result-ids',
      subject: `ids of the replies of ${protocol}`,
      aspect: 'ids',
      probes: () => [...builder.cells(protocol), ...builder.rows(protocol).rows.map(({ id }) => id)],
    });
  addObservation(builder, {
    id: 'observations.chat-image.content',
    title: 'how an image comes in a chat completion',
    requirement: 'chat-image.content-layout',
    needs: chatImageNeeds(builder),
    subject: 'content of a chat completion that carries an image',
    aspect: 'chat-image-layout',
    protocol: 'chat',
    probes: () => [chatImageCell],
  });
  for (const shape of inputShapes)
    observationCase(builder, `input.${shape}`, {
      protocol: 'responses',
      requirement: 'responses.param.input.elements',
      subject: `responses given input as a list of ${shape} elements`,
      aspect: 'answer-or-refusal',
      probes: () => [sendInputShape(builder, shape)],
    });
  // `input` may be an array (4.1): one of the shapes is accepted.
  builder.add({
    id: 'parameters.responses.input.accepted.array',
    title: 'responses accepts input as an array of messages',
    requirement: 'responses.param.input.accepted',
    check: () => ({
      kind: 'accepted-somehow',
      probes: inputShapes.map((shape) => {
        // A list in one shape, sent where no row that has a list is answered, nor one in a shape before.
        const before = inputShapes.slice(0, inputShapes.indexOf(shape)).map((each) => inputFormId(each));
        const rows = rowsWhere(builder, 'responses', ({ factor }) => factor === 'list');
        return builder.send(inputFormId(shape), 'responses', {
          json: { ...plain.responses, input: [inputElement[shape](hello)] },
          expect: 'either',
          ...instead([...rows, ...before]),
        });
      }),
      controls: [builder.control('responses')],
    }),
  });
}

const observationCase = (builder: CaseBuilder, slug: string, observation: Omit<Observation, 'id'>): void =>
  addObservation(builder, { id: `observations.${observation.protocol}.${slug}`, ...observation });

/** Parts of results of which the document leaves the value or the layout unspecified. */
function resultObservations(builder: CaseBuilder): void {
  observationCase(builder, 'finish-reason', {
    protocol: 'chat',
    requirement: 'chat.result.finish-reason.values',
    subject: 'finish_reason of a reply that max_tokens ends',
    aspect: 'finish-reason',
    probes: () => limitedRows(builder, 'chat').flatMap(({ id, stream }) => (stream ? [] : [id])),
    against: () => ({
      limit: lowLimit('chat', { levels: {} }),
      control: { exchange: builder.long('chat') },
    }),
  });
  observationCase(builder, 'b64-json', {
    protocol: 'images',
    requirement: 'images.result.b64-json',
    subject: 'layout of an image with response_format b64_json',
    aspect: 'image-layout',
    probes: () => imageLayouts(builder, 'b64_json'),
  });
}
