import type { TextProtocol } from '../../spec/vocabulary.ts';

/** Where a request has context: its system prompt, its earlier turns or elements, and the responses that it is chained on. */
export type ContextPlace = 'system' | 'earlier' | 'chain';

const rows: Readonly<Record<TextProtocol, Readonly<Partial<Record<ContextPlace, string>>>>> = {
  responses: { system: 'instructions', earlier: 'input', chain: 'chain' },
  messages: { system: 'system', earlier: 'history' },
  chat: { system: 'system', earlier: 'history' },
};

/** The places of a protocol. */
export const contextPlaces = (protocol: TextProtocol): readonly ContextPlace[] =>
  Object.keys(rows[protocol]) as ContextPlace[];

/** What is broken where the model is not given what stands in a place. */
export const contextRequirement = (protocol: TextProtocol, place: ContextPlace): string =>
  `${protocol}.context.${rows[protocol][place] ?? place}`;
