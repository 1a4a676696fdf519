import { protocols, type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { addObservation, type Observation } from '../builder/observation.ts';
import { chatImageCell, chatImageNeeds } from '../results/chat-images.ts';
import { limitedRows } from '../combinations/rows-showing.ts';
import { lowLimit } from '../combinations/text-row.ts';
import { imageLayouts } from '../results/images.ts';
import { probeCases } from '../probes/probe-cases.ts';
import { acceptedArrayCase, inputShapes, sendInputShape } from './input-shapes.ts';

/** Everything that the document does not show and a client can see: spec/probes/observations.yaml, and the rest here. */
export function observationCases(builder: CaseBuilder): void {
  for (const protocol of protocols) probeCases(builder, 'observations', protocol);
  resultObservations(builder);
  for (const protocol of textProtocols) idsCase(builder, protocol);
  chatImageCase(builder);
  inputShapeCases(builder);
  acceptedArrayCase(builder);
}

interface NamedObservation extends Omit<Observation, 'id'> {
  /** Behind `observations.<protocol>.`. */
  readonly slug: string;
}

const observationCase = (builder: CaseBuilder, { slug, ...observation }: NamedObservation): void =>
  addObservation(builder, {
    id: `observations.${observation.protocol}.${slug}`,
    ...observation,
  });

/** Parts of results of which the document leaves the value or the layout unspecified. */
function resultObservations(builder: CaseBuilder): void {
  const observations: readonly NamedObservation[] = [
    {
      protocol: 'chat',
      requirement: 'chat.result.finish-reason.values',
      slug: 'finish-reason',
      subject: 'finish_reason of a reply that max_tokens ends',
      aspect: 'finish-reason',
      probes: () =>
        limitedRows(builder, 'chat')
          .filter(({ stream }) => !stream)
          .map(({ id }) => id),
      against: () => ({
        limit: lowLimit('chat', { levels: {} }),
        control: { exchange: builder.long('chat') },
      }),
    },
    {
      protocol: 'images',
      requirement: 'images.result.b64-json',
      slug: 'b64-json',
      subject: 'layout of an image with response_format b64_json',
      aspect: 'image-layout',
      probes: () => imageLayouts(builder, 'b64_json'),
    },
  ];
  for (const observation of observations) observationCase(builder, observation);
}

/** Of every caller, and of the rows. */
const idsCase = (builder: CaseBuilder, protocol: TextProtocol): void =>
  observationCase(builder, {
    protocol,
    requirement: 'service.result-ids',
    slug: 'ids',
    subject: `ids of the replies of ${protocol}`,
    aspect: 'ids',
    probes: () => [...builder.cells(protocol), ...builder.rows(protocol).rows.map(({ id }) => id)],
  });

function chatImageCase(builder: CaseBuilder): void {
  builder.addOne(
    {
      id: 'observations.chat-image.content',
      title: 'how an image comes in a chat completion',
      requirement: 'chat-image.content-layout',
    },
    chatImageNeeds(builder),
    () => ({
      kind: 'observe',
      subject: 'content of a chat completion that carries an image',
      aspect: 'chat-image-layout',
      protocol: 'chat',
      probes: [chatImageCell],
    }),
  );
}

function inputShapeCases(builder: CaseBuilder): void {
  for (const shape of inputShapes) {
    observationCase(builder, {
      protocol: 'responses',
      requirement: 'responses.param.input.elements',
      slug: `input.${shape}`,
      subject: `responses given input as a list of ${shape} elements`,
      aspect: 'answer-or-refusal',
      probes: () => [sendInputShape(builder, shape)],
    });
  }
}
