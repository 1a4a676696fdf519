import {
  type Cell,
  drawsImages,
  type Protocol,
  type TextProtocol,
  isTextProtocol,
} from '../../../spec/vocabulary.ts';
import { type Template, isHole } from '../../types/template.ts';
import { parameters, type Parameter } from '../../../spec/openapi.ts';

/** Pixels of a size such as 256x256. */
const pixels = (size: string): number => size.split('x').reduce((product, side) => product * Number(side), 1);

/** The allowed size with the fewest pixels (4.4); undefined where the document lists none. */
export function smallestSize(): string | undefined {
  const { allowed = [] } = parameters('images').find(({ name }) => name === 'size') ?? {};
  return [...allowed].sort((one, other) => pixels(one) - pixels(other))[0];
}

/** A request for images that asks for the smallest ones, where it asks for no size of its own. */
export function withSmallestImage(json: Template): Template {
  const size = smallestSize();
  if (typeof json !== 'object' || json === null || Array.isArray(json) || isHole(json)) return json;
  return size === undefined || 'size' in json ? json : { ...json, size };
}

/** A question with a short answer, and the answer. */
export const helloWord = 'hello';
export const hello = `Reply with the word ${helloWord}.`;
/** Instructions that say nothing of what a request asks. */
export const shortInstruction = 'Be brief.';
/** A string is a string in any script. */
export const manyScripts = 'Grüße, Привет, שלום, 你好, 🌍.';
export type Body = { readonly [name: string]: Template };

export const turn = (role: string, content: Template): Template => ({ role, content });
export const user = (content: Template): Template => [turn('user', content)];
const model = { $: 'model' } as const;

/** The smallest request of each protocol: what is required, and nothing else. */
export const minimal: Readonly<Record<Protocol, Body>> = {
  responses: { model, input: hello },
  messages: { model, messages: user(hello), max_tokens: 256 },
  chat: { model, messages: user(hello) },
  images: { model, prompt: 'A plain red circle on a white background' },
};

const picture = 'Draw an image of a plain red circle on a white background.';

/** The smallest chat request that asks for an image (4.5). */
export const drawingBody: Body = { model, messages: user(picture) };

export const contentOf = (protocol: TextProtocol, content: Template): Body =>
  protocol === 'responses' ? { input: content } : { messages: user(content) };

/** The smallest request to a model of the cell, without a random word, which a filter of contents might refuse. */
export function cellBody({ family, protocol, stream }: Cell): Template {
  const body = minimal[protocol];
  if (!isTextProtocol(protocol)) return body;
  const content = contentOf(protocol, drawsImages(family) ? picture : hello);
  return { ...body, ...content, ...(stream ? { stream: true } : {}) };
}

/** The smallest request, with the stream declined where the protocol knows one. */
export const plain: Readonly<Record<Protocol, Body>> = {
  ...minimal,
  responses: { ...minimal.responses, stream: false },
  messages: { ...minimal.messages, stream: false },
  chat: { ...minimal.chat, stream: false },
};

export const plainStream = (protocol: TextProtocol): Body => ({ ...plain[protocol], stream: true });

export const asking = (protocol: TextProtocol, content: Template): Body => ({
  ...plain[protocol],
  ...contentOf(protocol, content),
});

const repeatOrder = 'Repeat this text exactly: ';

/** Asks for a text back word for word: as long from a model as from an echo. */
export const repeatText = (text: string): string => `${repeatOrder}${text}`;

/** The text that a prompt of ours asks back; undefined where it asks for none. */
export function repeatedText(prompt: string): string | undefined {
  const at = prompt.indexOf(repeatOrder);
  return at < 0 ? undefined : prompt.slice(at + repeatOrder.length);
}

/** A value between the bounds of a parameter that is no whole number, for a gateway may read one (4.2, 4.3). */
export const fractions: Readonly<Record<TextProtocol, Body>> = {
  responses: {},
  messages: { temperature: 0.35 },
  chat: { temperature: 0.7 },
};

/** A request for a text to be repeated, with what is required and nothing else. */
export const longMinimal = (protocol: TextProtocol, text: string): Body => ({
  ...minimal[protocol],
  ...contentOf(protocol, repeatText(text)),
  ...(protocol === 'messages' ? { max_tokens: 512 } : {}),
});

/** What it may have besides: the stream declined, and a fraction where the protocol takes one. */
export const longOptional = (protocol: TextProtocol): Body => ({ stream: false, ...fractions[protocol] });

export const longBody = (protocol: TextProtocol, text: string): Body => ({
  ...longMinimal(protocol, text),
  ...longOptional(protocol),
});

/** A part of a range that is no whole number, for a gateway may read one. */
const fraction = 0.35;

/** A value between the bounds of a parameter that is no whole number; undefined where there is none. */
export function fractionOf({ types, minimum, maximum }: Pick<Parameter, 'types' | 'minimum' | 'maximum'>) {
  if (minimum === undefined || maximum === undefined || types.includes('integer')) return undefined;
  return Number((minimum + fraction * (maximum - minimum)).toFixed(2));
}
