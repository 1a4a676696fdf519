/** Model families of section 2.2; `chat-image` is an image model of the multimodal family, called through chat (4.5). */
export const families = ['general', 'conversational', 'multimodal', 'image', 'chat-image'] as const;
export type Family = (typeof families)[number];

/** The four request endpoints of section 4: three text protocols and image generation. */
export const protocols = ['responses', 'messages', 'chat', 'images'] as const;
export type Protocol = (typeof protocols)[number];

/** The protocols that know `stream` (section 1, statement 6). */
export const textProtocols = ['responses', 'messages', 'chat'] as const;
export type TextProtocol = (typeof textProtocols)[number];

/** Token groups of section 2.1. */
export const groups = ['default', 'coding-tool', 'third-party-client'] as const;
export type Group = (typeof groups)[number];

/** One square of the support matrix: who calls what, how. */
export interface Cell {
  readonly family: Family;
  readonly protocol: Protocol;
  readonly group: Group;
  readonly stream: boolean;
}

/** Whether the models of a family answer with an image (2.6, 4.5). */
export const drawsImages = (family: Family): boolean => family === 'image' || family === 'chat-image';

/** Path below the base address, by protocol (section 4, table of protocol by family). */
export const paths: Readonly<Record<Protocol, string>> = {
  responses: '/v1/responses',
  messages: '/v1/messages',
  chat: '/v1/chat/completions',
  images: '/v1/images/generations',
};

/** How the interface relates to a requirement (design principle 2). */
export const levels = ['stated', 'derived', 'unspecified', 'conflicting'] as const;
export type Level = (typeof levels)[number];

/** Whether requirements of a level can fail, so that their inconclusive verdicts gate (contract "Exit codes"). */
export const isGatingLevel = (level: Level): boolean => level === 'stated' || level === 'derived';

/** What a value of JSON can be. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
