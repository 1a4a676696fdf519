import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import type { Sight } from '../model/case.ts';
import type { Template } from '../model/plan.ts';
import { hello, minimal, plain, turn } from '../plan/bodies.ts';
import type { Kit } from '../plan/kit.ts';
import { opens, parts } from './open-requests.ts';

/** Everything that the document does not show and a client can see. */
export function observationCases(kit: Kit): void {
  for (const open of opens(kit)) {
    see(kit, open.protocol, open.requirement, open.slug, open.subject, 'answer-or-refusal', () =>
      kit.send(`${open.protocol}.${open.slug}`, open.protocol, {
        json: { ...plain[open.protocol], ...open.change },
        expect: 'either',
      }),
    );
  }
  for (const protocol of protocols) wireCases(kit, protocol);
  resultCases(kit);
}

function see(
  kit: Kit,
  protocol: Protocol,
  requirement: string,
  slug: string,
  subject: string,
  sight: Sight,
  probe: () => string,
): void {
  kit.add(
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
      see: sight,
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

function wireCases(kit: Kit, protocol: Protocol): void {
  see(
    kit,
    protocol,
    `${protocol}.body.content-type`,
    'content-type',
    `${protocol} given JSON as text/plain`,
    'answer-or-refusal',
    () => kit.send(`${protocol}.text-plain`, protocol, { contentType: 'text/plain', expect: 'either' }),
  );
  see(kit, protocol, `${protocol}.method`, 'method', `${protocol} asked with GET`, 'answer-or-refusal', () =>
    kit.send(`${protocol}.get`, protocol, { method: 'GET', expect: 'either', billed: 0 }),
  );
  const fields = protocol === 'messages' ? 'messages.result.other-fields' : `${protocol}.result.extra-fields`;
  see(
    kit,
    protocol,
    fields,
    'extra-fields',
    `fields of a result of ${protocol} beyond those stated`,
    'extra-fields',
    () => kit.control(protocol),
  );
}

function resultCases(kit: Kit): void {
  see(
    kit,
    'chat',
    'chat.result.finish-reason.values',
    'finish-reason',
    'finish_reason of a reply that max_tokens ends',
    'finish-reason',
    () => kit.limited('chat', 1),
  );
  see(kit, 'images', 'images.param.n.default', 'n.default', 'images given without n', 'image-count', () =>
    kit.control('images'),
  );
  see(
    kit,
    'images',
    'images.param.response-format.default',
    'response-format.default',
    'layout of an image without response_format',
    'image-layout',
    () => kit.control('images'),
  );
  see(
    kit,
    'images',
    'images.result.b64-json',
    'b64-json',
    'layout of an image with response_format b64_json',
    'image-layout',
    () =>
      kit.send('images.response-format.b64_json', 'images', {
        json: { ...plain.images, response_format: 'b64_json' },
      }),
  );
  const declared = kit.scope.families.includes('chat-image') && kit.scope.groups.includes('default');
  kit.add(
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
      see: 'chat-image-layout',
      protocol: 'chat',
      probes: ['cell.chat-image.chat.default'],
    }),
  );
  inputElements(kit);
}

/** Shapes of an element of `input` that clients send; the document shows none. */
const elements: Readonly<Record<string, Template>> = {
  short: [turn('user', hello)],
  typed: [{ type: 'message', role: 'user', content: hello }],
  parts: [turn('user', parts('input_text'))],
  'typed-parts': [{ type: 'message', role: 'user', content: parts('input_text') }],
};

function inputElements(kit: Kit): void {
  const ask = (slug: string, input: Template) =>
    kit.send(`responses.input.elements.${slug}`, 'responses', {
      json: { ...minimal.responses, stream: false, input },
      expect: 'either',
    });
  for (const [slug, input] of Object.entries(elements)) {
    const subject = `responses given input as a list of ${slug} elements`;
    see(
      kit,
      'responses',
      'responses.param.input.elements',
      `input.${slug}`,
      subject,
      'answer-or-refusal',
      () => ask(slug, input),
    );
  }
  const requirement = 'responses.param.input.accepted';
  kit.add(
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
      controls: [kit.control('responses')],
    }),
  );
}
