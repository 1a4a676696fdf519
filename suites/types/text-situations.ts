import { protocolFacts } from '../../spec/protocols.ts';
import type { TextProtocol } from '../../spec/vocabulary.ts';
import { inJson, isObject } from '../../spec/json.ts';

/** What a request for a known text may have besides it. */
export type TextSituation = 'system' | 'history' | 'long' | 'accept' | 'limit' | 'temperature';

/** Where a text stands that a request asks for. */
export const textSources = ['question', 'system', 'history'] as const;
export type TextSource = (typeof textSources)[number];

/** A part of the context. */
export type ContextOf = Exclude<TextSource, 'question'>;

/** What a request that is compared has besides its text, or where it gives its words. */
export type ComparedIn = TextSituation | 'word-in-system' | 'words-in-systems' | 'words-in-history';

/** What stood beside a request, or before it with the same token: no model is told of it. */
export const neighbours = ['after-refusal', 'after-stream', 'beside'] as const;
export type Neighbour = (typeof neighbours)[number];

/** How a request is sent for a comparison: with a neighbour, or by itself; and then behind a result where that matters. */
export type SentAs = Neighbour | 'alone' | 'after-result';

/** Of each endpoint those that its replies are compared in. */
export const situationsOf: Readonly<Record<TextProtocol, readonly TextSituation[]>> = {
  responses: ['system', 'history', 'long', 'accept'],
  messages: ['system', 'history', 'long', 'accept', 'temperature'],
  chat: ['system', 'history', 'long', 'accept', 'limit', 'temperature'],
};

/** Whether a reply in a situation is held to the text: lists as `input` are not shown (4.1), and are mere controls. */
export const isHeld = (protocol: TextProtocol, situations: readonly TextSituation[]): boolean =>
  protocol !== 'responses' || !situations.includes('history');

/** What a model can't see: it is told the default of `temperature` without it, and what it may write without `max_tokens` is not shown. */
const unseen: readonly TextSituation[] = ['accept', 'temperature'];
export const isSeen = (situation: TextSituation): boolean => !unseen.includes(situation);

/** Output tokens that no reply needs. */
export const highLimit = 512;

/** A prompt of more characters is a long one. */
const longChars = 4000;

type Turn = Readonly<Record<string, unknown>>;

/** The turns that a model is given by a body, the system prompt first. */
export function turnsIn(body: Readonly<Record<string, unknown>>, protocol: TextProtocol): readonly Turn[] {
  const asked = body[protocolFacts[protocol].content];
  const turns = typeof asked === 'string' ? [{ role: 'user', content: asked }] : asked;
  const system = body.instructions ?? body.system;
  return [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    ...(Array.isArray(turns) ? turns.filter(isObject) : []),
  ];
}

/** Where a text stands in a body; in its question where it stands elsewhere, too, or in an earlier response. */
export function sourceOf(
  text: string,
  body: Readonly<Record<string, unknown>>,
  protocol: TextProtocol,
): TextSource {
  const turns = turnsIn(body, protocol);
  const asJson = inJson(text);
  const holder = turns.findLast(({ content }) => JSON.stringify(content ?? '').includes(asJson));
  if (holder === undefined || holder === turns.at(-1)) return 'question';
  return holder.role === 'system' ? 'system' : 'history';
}

/** What a request has besides the text that it asks for. */
export function situationOf(
  body: Readonly<Record<string, unknown>>,
  protocol: TextProtocol,
  accept: string | undefined,
): readonly TextSituation[] {
  const turns = turnsIn(body, protocol);
  const isSystem = ({ role }: Turn): boolean => role === 'system';
  const holds: Readonly<Record<TextSituation, boolean>> = {
    system: turns.some(isSystem),
    history: turns.filter((turn) => !isSystem(turn)).length > 1,
    long: JSON.stringify(turns.at(-1)?.content ?? '').length > longChars,
    accept: accept === '*/*',
    limit: protocol === 'chat' && body.max_tokens !== undefined,
    temperature: body.temperature !== undefined,
  };
  return situationsOf[protocol].filter((situation) => holds[situation]);
}
