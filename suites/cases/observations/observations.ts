import { type Protocol, protocols } from '../../../spec/vocabulary.ts';
import { plain } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { addObservation, type Observation } from '../builder/observation.ts';
import { unspecifiedId } from '../builder/request-ids.ts';
import { chatImageCell, chatImageNeeds } from '../results/chat-images.ts';
import { limitedRows } from '../combinations/rows-showing.ts';
import { lowLimit } from '../combinations/text-row.ts';
import { imageLayouts } from '../results/images.ts';
import { acceptedArrayCase, inputShapes, sendInputShape } from './input-shapes.ts';
import { unspecifiedRequests } from './unspecified-requests.ts';

/** Everything that the document does not show and a client can see. */
export function observationCases(builder: CaseBuilder): void {
  for (const { protocol, requirement, slug, subject, change } of unspecifiedRequests(builder)) {
    const probes = () => [
      builder.send(unspecifiedId(protocol, slug), protocol, {
        json: { ...plain[protocol], ...change },
        expect: 'either',
      }),
    ];
    observationCase(builder, { protocol, requirement, slug, subject, aspect: 'answer-or-refusal', probes });
  }
  for (const protocol of protocols) transportCases(builder, protocol);
  resultObservations(builder);
  chatImageCase(builder);
  inputShapeCases(builder);
  acceptedArrayCase(builder);
}

interface NamedObservation extends Omit<Observation, 'id'> {
  /** Behind `observations.<protocol>.`. */
  readonly slug: string;
}

const observationCase = (builder: CaseBuilder, { slug, ...observation }: NamedObservation): void =>
  addObservation(builder, { id: `observations.${observation.protocol}.${slug}`, ...observation });

/** Another content type, another method, status and content type of a result, and fields that nobody states. */
function transportCases(builder: CaseBuilder, protocol: Protocol): void {
  const requirement = (name: string) => `${protocol}.${name}`;
  const send = (slug: string, overrides: Parameters<CaseBuilder['send']>[2]) => () => [
    builder.send(unspecifiedId(protocol, slug), protocol, { ...overrides, expect: 'either' }),
  ];
  const aspect = 'answer-or-refusal';
  observationCase(builder, {
    protocol,
    requirement: requirement('body.content-type'),
    slug: 'content-type',
    subject: `${protocol} given JSON as text/plain`,
    aspect,
    probes: send('text-plain', { contentType: 'text/plain' }),
  });
  observationCase(builder, {
    protocol,
    requirement: requirement('method'),
    slug: 'method',
    subject: `${protocol} asked with GET`,
    aspect,
    probes: send('get', { method: 'GET', billed: 0 }),
  });
  observationCase(builder, {
    protocol,
    requirement: requirement(protocol === 'messages' ? 'result.other-fields' : 'result.extra-fields'),
    slug: 'extra-fields',
    subject: `fields of a result of ${protocol} beyond those stated`,
    aspect: 'extra-fields',
    probes: () => [builder.control(protocol)],
  });
  observationCase(builder, {
    protocol,
    requirement: requirement('result.transport'),
    slug: 'transport',
    subject: `status and content type of a result of ${protocol}`,
    aspect: 'result-transport',
    probes: () => [builder.control(protocol)],
  });
}

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
      against: () => ({ limit: lowLimit, control: { exchange: builder.long('chat') } }),
    },
    {
      protocol: 'images',
      requirement: 'images.param.n.default',
      slug: 'n.default',
      subject: 'images given without n',
      aspect: 'image-count',
      probes: () => [builder.control('images')],
    },
    {
      protocol: 'images',
      requirement: 'images.param.response-format.default',
      slug: 'response-format.default',
      subject: 'layout of an image without response_format',
      aspect: 'image-layout',
      probes: () => [builder.control('images')],
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

function chatImageCase(builder: CaseBuilder): void {
  const requirement = 'chat-image.content-layout';
  builder.add(
    {
      id: 'observations.chat-image.content',
      title: 'how an image comes in a chat completion',
      requirements: [requirement],
    },
    chatImageNeeds(builder),
    () => ({
      kind: 'observe',
      requirement,
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
