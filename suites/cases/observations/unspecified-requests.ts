import { parameters } from '../../../spec/openapi.ts';
import { type Protocol, protocols } from '../../../spec/vocabulary.ts';
import { type Body, hello, shortInstruction, textParts, turn, user } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';

/** A request that the document neither allows nor forbids. */
export interface UnspecifiedRequest {
  readonly protocol: Protocol;
  readonly requirement: string;
  readonly slug: string;
  readonly subject: string;
  /** What differs from the plain request. */
  readonly change: Body;
}

const messageForms = (protocol: 'messages' | 'chat'): readonly UnspecifiedRequest[] =>
  (
    [
      ['empty', 'empty', 'an empty list of messages', []],
      ['unknown-role', 'unknown-role', 'a message of an unknown role', [turn('narrator', hello)]],
      ['content-forms', 'content-parts', 'content as a list of text parts', user(textParts('text'))],
      ['elements', 'no-role', 'a message without role', [{ content: hello }]],
      ['elements', 'no-content', 'a message without content', [{ role: 'user' }]],
      ['content-forms', 'content-null', 'a message whose content is null', user(null)],
    ] as const
  ).map(([aspect, slug, subject, messages]) => ({
    protocol,
    requirement: `${protocol}.param.messages.${aspect}`,
    slug: `messages.${slug}`,
    subject: `${protocol} given ${subject}`,
    change: { messages },
  }));

/** Requests of which the document says nothing, by what is unusual about them. */
export const unspecifiedRequests = (builder: CaseBuilder): readonly UnspecifiedRequest[] => [
  ...messageForms('messages'),
  ...messageForms('chat'),
  {
    protocol: 'messages',
    requirement: 'messages.param.messages.content-forms',
    slug: 'messages.content-number',
    subject: 'messages given a message whose content is a number',
    change: { messages: user(42) },
  },
  {
    protocol: 'messages',
    requirement: 'messages.param.messages.system-role',
    slug: 'messages.system-role',
    subject: 'messages given a message of role system',
    change: { messages: [turn('system', shortInstruction), turn('user', hello)] },
  },
  {
    protocol: 'chat',
    requirement: 'chat.param.temperature-with-top-p',
    slug: 'temperature-with-top-p',
    subject: 'chat given temperature and top_p together',
    change: { temperature: 1, top_p: 0.5 },
  },
  {
    protocol: 'responses',
    requirement: 'responses.param.previous-response-id.unknown-id',
    slug: 'previous-response-id.unknown',
    subject: 'responses given an id that it never gave',
    change: { previous_response_id: builder.data.unknownResponseId },
  },
  ...protocols.map((protocol) => ({
    protocol,
    requirement: `${protocol}.param.unknown-parameter`,
    slug: 'unknown-parameter',
    subject: `${protocol} given a parameter that the document does not list`,
    change: { [builder.data.unknownParameter]: true },
  })),
  ...protocols.flatMap((protocol) =>
    parameters(protocol)
      .filter((parameter) => !parameter.required)
      .map((parameter) => ({
        protocol,
        requirement: `${protocol}.param.${parameter.slug}.null`,
        slug: `${parameter.slug}.null`,
        subject: `${protocol} given ${parameter.name} = null`,
        change: { [parameter.name]: null },
      })),
  ),
];
