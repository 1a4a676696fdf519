import type { SchemaName } from './schema-names.ts';

/** Model families of section 2.2; `chat-image` is an image model of the multimodal family, called through chat (4.5). */
export const families = ['general', 'conversational', 'multimodal', 'image', 'chat-image'] as const;
export type Family = (typeof families)[number];

/** Token groups of section 2.1; an extension may add others, which then stand in their place. */
export const groups = ['default', 'coding-tool', 'third-party-client'] as const;
export type Group = (typeof groups)[number];

interface ProtocolFacts {
  /** As people call it; and in few letters, where there is little room. */
  readonly title: string;
  readonly shortTitle: string;
  readonly endpoint: string;
  /** Heading of its endpoint in the interface. */
  readonly section: string;
  /** Below the base address (section 4). */
  readonly path: string;
  /** Section 5: the header that carries the token, and its value, with `{token}` in place of the token. */
  readonly credential: { readonly header: 'authorization' | 'x-api-key'; readonly value: string };
  /** Whether the version header is required (sections 5 and 9). */
  readonly hasVersionHeader: boolean;
  /** Who can judge it: stated families in order of preference, with the stated token group; `any`: one of them (2.2, 4, 5 rule 3). */
  readonly callers: { readonly families: readonly Family[]; readonly group: Group | 'any' };
  /** The parameter that is required next to `model` and holds what is asked. */
  readonly content: string;
  /** Schema of the request in the OpenAPI document. */
  readonly requestSchema: string;
  readonly resultSchema: SchemaName;
  /** Members of a result that section 2 lists. */
  readonly resultFields: readonly string[];
  /** Null where the protocol knows no `stream` (section 1, statement 6). */
  readonly stream: {
    /** Of each event; null where the events are not shown (section 6). */
    readonly eventSchema: SchemaName | null;
    /** The requirements that events are judged by, and the one by which other events are observed. */
    readonly eventRequirements: readonly string[];
    readonly otherEvents: string;
  } | null;
}

/** The value of the version header that the interface shows (sections 5 and 9). */
export const shownVersion = '2023-06-01';

const bearer = { header: 'authorization', value: 'Bearer {token}' } as const;

/** The protocols of section 4, one request endpoint each. Their names are the first part of requirement and case ids. */
export const protocolFacts = {
  responses: {
    title: 'Responses',
    shortTitle: 'Resp.',
    endpoint: 'the Responses endpoint',
    section: '4.1',
    path: '/v1/responses',
    credential: bearer,
    hasVersionHeader: false,
    callers: { families: ['general'], group: 'any' },
    content: 'input',
    requestSchema: 'ResponsesRequest',
    resultSchema: 'ResponsesResult',
    resultFields: ['id', 'object', 'output', 'output_text'],
    stream: {
      eventSchema: 'ResponsesEvent',
      eventRequirements: ['stream.event-type', 'stream.delta'],
      otherEvents: 'stream.other-events',
    },
  },
  messages: {
    title: 'Messages',
    shortTitle: 'Mess.',
    endpoint: 'the Messages endpoint',
    section: '4.2',
    path: '/v1/messages',
    credential: { header: 'x-api-key', value: '{token}' },
    hasVersionHeader: true,
    callers: { families: ['conversational'], group: 'third-party-client' },
    content: 'messages',
    requestSchema: 'MessagesRequest',
    resultSchema: 'MessageResult',
    resultFields: ['content'],
    stream: { eventSchema: null, eventRequirements: [], otherEvents: 'stream.event-types' },
  },
  chat: {
    title: 'Chat Completions',
    shortTitle: 'Chat',
    endpoint: 'the Chat Completions endpoint',
    section: '4.3',
    path: '/v1/chat/completions',
    credential: bearer,
    hasVersionHeader: false,
    callers: { families: ['multimodal', 'general'], group: 'default' },
    content: 'messages',
    requestSchema: 'ChatRequest',
    resultSchema: 'ChatCompletion',
    resultFields: ['id', 'object', 'created', 'model', 'choices', 'usage'],
    stream: {
      eventSchema: 'ChatChunk',
      eventRequirements: ['stream.chunk.choices', 'stream.chunk.delta', 'stream.chunk.content'],
      otherEvents: 'stream.chunk.extra',
    },
  },
  images: {
    title: 'Image generation',
    shortTitle: 'Img',
    endpoint: 'the image generation endpoint',
    section: '4.4',
    path: '/v1/images/generations',
    credential: bearer,
    hasVersionHeader: false,
    callers: { families: ['image'], group: 'any' },
    content: 'prompt',
    requestSchema: 'ImageRequest',
    resultSchema: 'ImageResult',
    resultFields: ['created', 'data'],
    stream: null,
  },
} as const satisfies Readonly<Record<string, ProtocolFacts>>;
