import { type Family, type Group, protocolFacts } from './protocols.ts';

export { families, type Family, type Group, groups } from './protocols.ts';

/** The request endpoints of section 4: text protocols and image generation. */
export type Protocol = keyof typeof protocolFacts;
export const protocols = Object.keys(protocolFacts) as readonly Protocol[];

/** The protocols that generate text and know `stream` (section 1, statement 6). */
export type TextProtocol = {
  [P in Protocol]: (typeof protocolFacts)[P]['stream'] extends null ? never : P;
}[Protocol];
export const isTextProtocol = (protocol: Protocol): protocol is TextProtocol =>
  protocolFacts[protocol].stream !== null;
export const textProtocols = protocols.filter(isTextProtocol);

/** Whether it streams in events that are not shown: any of their strings may be text (section 6). */
export const areEventsUnspecified = (protocol: Protocol): boolean =>
  protocolFacts[protocol].stream?.eventSchema === null;

/** One square of the support matrix: who calls what, how. */
export interface Cell {
  readonly family: Family;
  readonly protocol: Protocol;
  readonly group: Group;
  readonly stream: boolean;
}

/** Whether the models of a family answer with an image (2.6, 4.5). */
export const drawsImages = (family: Family): boolean => family === 'image' || family === 'chat-image';

/** How the interface relates to a requirement (design principle 2); `own`: an extension states it, not the interface. */
export const levels = ['stated', 'derived', 'unspecified', 'conflicting', 'own'] as const;
export type Level = (typeof levels)[number];

/** Whether requirements of a level can fail, so that their inconclusive verdicts gate (contract "Exit codes"). */
export const isGatingLevel = (level: Level) => level === 'stated' || level === 'derived' || level === 'own';

/** Who is hurt where a stated or derived requirement is broken, the gravest first (design principle 16). */
export const impacts = ['credential', 'client', 'lenient'] as const;
export type Impact = (typeof impacts)[number];

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
