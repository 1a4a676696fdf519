import type { Catalogue } from './words.ts';

/** How a stream differs from the reply that the same request gets without one. */
export type StreamFlaw = 'part' | 'repeated' | 'disordered' | 'garbled' | 'run together';

const streamFlaws: Readonly<Record<StreamFlaw, string>> = {
  part: 'the stream carries a part of the reply and not all of it',
  repeated: 'the stream carries text of the reply more than once',
  disordered: 'the stream carries the text of the reply in another order',
  'run together': 'the stream carries the words of the reply without the white space between them',
  garbled: 'the stream carries letters beyond ASCII as others, or not at all',
};

const times = (attempts: number): string => `${attempts} attempt${attempts === 1 ? '' : 's'}`;

/** Why a requirement is not kept. */
export const failureWords = {
  'valid-request-refused': () => ({
    message: 'a valid request is refused',
    expected: 'a reply with output',
  }),
  'valid-value-refused': ({ control }: { readonly control: string }) => ({
    message: 'a valid value is refused',
    expected: `a reply with output, as for ${control}`,
  }),
  'optional-parameter-required': ({ full }: { readonly full: string }) => ({
    message: 'a request without an optional parameter is refused',
    expected: `a reply with output, as for ${full}`,
  }),
  /** `rule`: what of the contract the request breaks. */
  'not-refused': ({ rule }: { readonly rule: string }) => ({
    message: 'answered with output',
    expected: `a refusal: ${rule}`,
  }),
  'token-refused-once': () => ({
    message: 'a valid request is refused once as an invalid token is, and answered when sent again',
    expected: 'the token accepted on every request',
  }),
  /** `other`: the class that the refusals should differ from. */
  'class-indistinguishable': ({ other }: { readonly other: string }) => ({
    message: `indistinguishable from ${other}`,
    expected: 'another status, or another value in a stable field of the body',
  }),
  'told-as-rate-limit': () => ({
    message:
      'an invalid token is refused as a rate limit is, every time: a client is told to retry what never works',
    expected: 'another status than 429, or a stable field of the body that no rate limit has',
  }),
  'spent-token-answered': () => ({
    message: 'a token that is declared as rate-limited is answered',
    expected: 'the rate-limit error',
  }),

  'field-missing': ({ field, expected }: { readonly field: string; readonly expected: string }) => ({
    message: `field \`${field}\` is missing`,
    expected,
  }),
  /** `pointer`: to the value; empty for the whole document. `counts`: the rule is about what it contains. */
  'field-wrong': (data: {
    readonly pointer: string;
    readonly expected: string;
    readonly counts: boolean;
  }) => ({
    message: `${data.pointer === '' ? 'the value' : data.pointer} must ${data.counts ? 'have' : 'be'} ${data.expected}`,
    expected: data.expected,
  }),
  'created-not-seconds': () => ({
    message: '`created` is not a time in Unix seconds',
    expected: 'Unix seconds, such as 1700000000',
  }),
  /** `text`: that of the later block, as JSON. */
  'first-block-empty': ({ text }: { readonly text: string }) => ({
    message: 'the text of the first block is empty, and a later block carries the reply',
    expected: text,
  }),
  /** `text`: that of the message, as JSON. */
  'output-text-differs': ({ text }: { readonly text: string }) => ({
    message: '`output_text` is not the text of the message',
    expected: text,
  }),

  'no-text': () => ({ message: 'no reply carries any text', expected: 'text of the assistant' }),
  'max-tokens-exceeded': ({ limit, inStream }: { readonly limit: number; readonly inStream: boolean }) => ({
    message: `more output than max_tokens = ${limit} allows${inStream ? ', in a stream' : ''}`,
    expected: `at most ${limit} tokens`,
  }),
  'image-count': ({ found, asked }: { readonly found: number; readonly asked: number }) => ({
    message: `${found} images for n = ${asked}`,
    expected: `${asked} elements`,
  }),
  'image-url-missing': () => ({
    message: 'an image requested as a url has none',
    expected: 'a string',
  }),
  'image-missing-in-chat': () => ({
    message: 'the content of the chat completion is blank, and holds no image',
    expected: 'the image inside the content string',
  }),
  'not-a-chat-completion': () => ({
    message: 'the reply is not a chat completion',
    expected: 'a chat completion',
  }),

  /** `declined`: by `stream` false, and not by leaving it out. */
  'unrequested-stream': ({ declined }: { readonly declined: boolean }) => ({
    message: `a request ${declined ? 'with `stream` false' : 'without `stream`'} is answered by a stream`,
    expected: 'one JSON document',
  }),
  'no-stream': () => ({
    message: 'a stream was requested and one document came',
    expected: 'a stream of events',
  }),
  /** `problem`: what the stream reader says of the event. */
  'malformed-event': ({ problem }: { readonly problem: string }) => ({
    message: problem,
    expected: 'an event that can be read',
  }),
  'event-without-type': ({ expected }: { readonly expected: string }) => ({
    message: 'an event has no `type` that is a string',
    expected,
  }),
  'stream-without-text': () => ({
    message: 'the stream carries no text',
    expected: 'events that carry text',
  }),
  'stream-cut': ({ attempts }: { readonly attempts: number }) => ({
    message: `the stream is cut in each of ${times(attempts)}`,
    expected: 'a stream that ends in order',
  }),
  /** `characters`: of the reply without a stream. */
  'stream-incomplete': (data: {
    readonly flaw: StreamFlaw;
    readonly attempts: number;
    readonly characters: number;
  }) => ({
    message: `${streamFlaws[data.flaw]}, in each of ${times(data.attempts)}`,
    expected: `${data.characters} characters, as without a stream`,
  }),
  'stream-buffered': ({ attempts }: { readonly attempts: number }) => ({
    message: `the whole text arrives at once at the end of the generation, in each of ${times(attempts)}`,
    expected: 'text that arrives while it is generated',
  }),

  /** `places`: where the nonce was given, such as "in the system prompt". */
  'context-lost': (data: {
    readonly places: readonly string[];
    readonly attempts: number;
    readonly nonce: string;
  }) => ({
    message: `the model’s answer does not show what was given ${data.places.join(' or ')}, in ${times(data.attempts)}; it does where the question itself contains it`,
    expected: data.nonce,
  }),
  'chained-id-repeated': () => ({
    message: 'a response has the id of the one that it is chained on',
    expected: 'an id of its own for each response',
  }),
  'other-branch-known': ({ nonce }: { readonly nonce: string }) => ({
    message: 'the reply shows what was given in another branch only',
    expected: nonce,
  }),
} satisfies Catalogue;
