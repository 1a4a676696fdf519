import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import type { ObservedAspect } from '../checks/shared/observers.ts';
import type { Template } from '../model/plan.ts';
import { hello, minimal, plain, turn } from './builder/bodies.ts';
import type { CaseBuilder } from './builder/case-builder.ts';
import { opens, parts } from './open-requests.ts';

/** Everything that the document does not show and a client can see. */
export function observationCases(builder: CaseBuilder): void {
  for (const open of opens(builder)) {
    see(builder, open.protocol, open.requirement, open.slug, open.subject, 'answer-or-refusal', () =>
      builder.send(`${open.protocol}.${open.slug}`, open.protocol, {
        json: { ...plain[open.protocol], ...open.change },
        expect: 'either',
      }),
    );
  }
  for (const protocol of protocols) wireCases(builder, protocol);
  resultCases(builder);
}

function see(
  builder: CaseBuilder,
  protocol: Protocol,
  requirement: string,
  slug: string,
  subject: string,
  aspect: ObservedAspect,
  probe: () => string,
): void {
  builder.add(
    {
      id: `observations.${protocol}.${slug}`,
      title: subject,
      suite: 'observations',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'observe',
      requirement,
      section: sectionOf[protocol],
      subject,
      aspect,
      protocol,
      probes: [probe()],
    }),
  );
}

const sectionOf: Readonly<Record<Protocol, string>> = {
  responses: '4.1',
  messages: '4.2',
  chat: '4.3',
  images: '4.4',
};

function wireCases(builder: CaseBuilder, protocol: Protocol): void {
  see(
    builder,
    protocol,
    `${protocol}.body.content-type`,
    'content-type',
    `${protocol} given JSON as text/plain`,
    'answer-or-refusal',
    () => builder.send(`${protocol}.text-plain`, protocol, { contentType: 'text/plain', expect: 'either' }),
  );
  see(
    builder,
    protocol,
    `${protocol}.method`,
    'method',
    `${protocol} asked with GET`,
    'answer-or-refusal',
    () => builder.send(`${protocol}.get`, protocol, { method: 'GET', expect: 'either', billed: 0 }),
  );
  const fields = protocol === 'messages' ? 'messages.result.other-fields' : `${protocol}.result.extra-fields`;
  see(
    builder,
    protocol,
    fields,
    'extra-fields',
    `fields of a result of ${protocol} beyond those stated`,
    'extra-fields',
    () => builder.control(protocol),
  );
}

function resultCases(builder: CaseBuilder): void {
  see(
    builder,
    'chat',
    'chat.result.finish-reason.values',
    'finish-reason',
    'finish_reason of a reply that max_tokens ends',
    'finish-reason',
    () => builder.limited('chat', 1),
  );
  see(builder, 'images', 'images.param.n.default', 'n.default', 'images given without n', 'image-count', () =>
    builder.control('images'),
  );
  see(
    builder,
    'images',
    'images.param.response-format.default',
    'response-format.default',
    'layout of an image without response_format',
    'image-layout',
    () => builder.control('images'),
  );
  see(
    builder,
    'images',
    'images.result.b64-json',
    'b64-json',
    'layout of an image with response_format b64_json',
    'image-layout',
    () =>
      builder.send('images.response-format.b64_json', 'images', {
        json: { ...plain.images, response_format: 'b64_json' },
      }),
  );
  const declared = builder.scope.families.includes('chat-image') && builder.scope.groups.includes('default');
  builder.add(
    {
      id: 'observations.chat-image.content',
      title: 'how an image comes in a chat completion',
      suite: 'observations',
      requirements: ['chat-image.content-layout'],
    },
    declared ? null : 'no chat-image model with a default token is declared',
    () => ({
      kind: 'observe',
      requirement: 'chat-image.content-layout',
      section: '2.6',
      subject: 'content of a chat completion that carries an image',
      aspect: 'chat-image-layout',
      protocol: 'chat',
      probes: ['cell.chat-image.chat.default'],
    }),
  );
  inputElements(builder);
}

/** Shapes of an element of `input` that clients send; the document shows none. */
const elements: Readonly<Record<string, Template>> = {
  short: [turn('user', hello)],
  typed: [{ type: 'message', role: 'user', content: hello }],
  parts: [turn('user', parts('input_text'))],
  'typed-parts': [{ type: 'message', role: 'user', content: parts('input_text') }],
};

function inputElements(builder: CaseBuilder): void {
  const ask = (slug: string, input: Template) =>
    builder.send(`responses.input.elements.${slug}`, 'responses', {
      json: { ...minimal.responses, stream: false, input },
      expect: 'either',
    });
  for (const [slug, input] of Object.entries(elements)) {
    const subject = `responses given input as a list of ${slug} elements`;
    see(
      builder,
      'responses',
      'responses.param.input.elements',
      `input.${slug}`,
      subject,
      'answer-or-refusal',
      () => ask(slug, input),
    );
  }
  const requirement = 'responses.param.input.accepted';
  builder.add(
    {
      id: 'parameters.responses.input.accepted.array',
      title: 'responses takes input as an array of messages',
      suite: 'parameters',
      requirements: [requirement],
    },
    'responses',
    () => ({
      kind: 'accepted-somehow',
      requirement,
      probes: Object.entries(elements).map(([slug, input]) => ask(slug, input)),
      controls: [builder.control('responses')],
    }),
  );
}
