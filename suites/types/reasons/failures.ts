import { present } from '../../../spec/present.ts';
import { count, inWords, pathOf } from '../../../spec/text.ts';
import type { Group } from '../../../spec/vocabulary.ts';
import type { TextSituation } from '../text-situations.ts';
import { isOfContext, type SignName, signNames, type TextDifference } from '../text-differences.ts';
import type { Catalogue } from './words.ts';

const signWords: Readonly<Record<SignName, string>> = {
  'two blanks': 'the second of two blanks',
  emoji: 'an emoji',
  ampersand: 'an ampersand',
  'angle brackets': 'a pair of angle brackets',
  'quotation mark': 'a quotation mark',
  'line break': 'a line break',
  backslash: 'a backslash',
};

const lackWords = Object.fromEntries(
  signNames.map((sign) => [
    sign,
    `lack ${signWords[sign]} of the text that was asked for, or have another sign in its place`,
  ]),
) as Record<SignName, string>;

/** What is different in replies, as a verb and what it is done to. */
const differenceWords: Readonly<Record<TextDifference, string>> = {
  unsaid: 'have nothing of the text that was asked for',
  'system unsaid': 'lack a word that the system prompt gives',
  'history unsaid': 'lack a word that an earlier turn gives',
  lost: 'lack words of the text that was asked for',
  doubled: 'have words of the text that was asked for more than once',
  moved: 'have words of the text that was asked for in another order',
  altered: 'have other words in place of some that were asked for',
  joined: 'have the words that were asked for without the blanks between them',
  added: 'have words that stand nowhere in the request',
  misread: 'have letters beyond ASCII in another encoding',
  undecoded:
    'have the replacement character (U+FFFD), or bytes that are no UTF-8, in place of letters or signs that were asked for',
  case: 'have words in capitals or small letters other than those that were asked for',
  ...lackWords,
};

/** What the requests have besides the text that is asked for. */
const situationWords: Readonly<Record<TextSituation, string>> = {
  system: 'with a system prompt',
  history: 'with earlier turns',
  long: 'with a long prompt',
  accept: 'with `Accept: */*`',
  limit: 'with `max_tokens`',
  temperature: 'with `temperature` at its stated default',
};

/** When the requests were sent that are compared with others for that. */
const orderWords: Readonly<Partial<Record<ComparedBy, string>>> = {
  beside: ' to requests sent while others were under way',
  'after-refusal': ' to requests sent right after a refused one with the same token',
  'after-stream': ' to requests sent right after a stream with the same token',
};

/** What two groups of replies differ in, of the other one. */
const otherWords = {
  endpoint: () => 'on another endpoint',
  stream: ({ isStreamed }: TextDiffers) => (isStreamed ? 'without a stream' : 'in a stream'),
  'stream-left-out': ({ isLeftOut }: TextDiffers) =>
    isLeftOut ? 'with `stream` = false' : 'without `stream`',
  group: () => 'for tokens of another group',
  situation: () => 'without it',
  beside: () => 'sent while nothing else was under way',
  'after-refusal': () => 'not sent right after one',
  'after-stream': () => 'not sent right after one',
} as const;

/** What replies that are compared differ in. */
export type ComparedBy = keyof typeof otherWords;

/** How often replies differ from a text, and how often those of the same model do elsewhere. */
export interface TextDiffers {
  readonly difference: TextDifference;
  readonly isStreamed: boolean;
  readonly by: ComparedBy;
  readonly within?: TextSituation;
  /** Of replies that are compared by whether it is given: whether their requests leave `stream` out. */
  readonly isLeftOut?: boolean;
  /** Of replies that are compared by the group of the token: that of theirs. */
  readonly group?: Group;
  readonly probes: { readonly seen: number; readonly of: number };
  readonly controls: { readonly seen: number; readonly of: number };
}

/** Replies that differ from a text, by what the others have not. */
function differing({ isStreamed, by, within, isLeftOut, group }: TextDiffers): string {
  const traits = present([
    within && situationWords[within],
    isLeftOut !== undefined && (isLeftOut ? 'without `stream`' : 'with `stream` = false'),
    group && `with a token of the group ${group}`,
  ]);
  const replies = isStreamed ? 'streams' : isLeftOut === undefined ? 'replies without a stream' : 'replies';
  return `${replies}${traits.length > 0 ? ` to requests ${traits.join(' and ')}` : (orderWords[by] ?? '')}`;
}

/** What is different in which replies, without how often. */
export const whatDiffers = (data: TextDiffers): string =>
  `${differing(data)} ${differenceWords[data.difference]}`;

export const differingInWords = (data: TextDiffers): string =>
  `${data.probes.seen} of ${data.probes.of} ${whatDiffers(data)}`;

/** Some of the valid requests. `where`: the endpoint and whether streamed, empty for all of them. */
interface InSome {
  readonly seen: number;
  readonly of: number;
  readonly where: string;
}

export const failureWords = {
  'valid-request-refused': ['a valid request is refused', 'a reply with output'],
  'answer-missing-in-some': ({ seen, of, where, came }: InSome & { came: string }) => [
    `${seen} of ${of} valid requests${where} were not served at first${came}, though the same requests were answered before or when they were sent again`,
    'an answer each time, but for passing outages of at most one request in twenty',
  ],
  /** `of`: valid requests to the endpoint `where`; the last `seen` of them got `came`. */
  'endpoint-stopped': ({ seen, of, where, came }: InSome & { came: string }) => [
    `after ${of - seen} answers none of ${seen} valid requests${where} got one${came} to the end of the run, though other endpoints went on to answer the same tokens`,
    'an answer each time, but for passing outages of at most one request in twenty',
  ],
  'answer-never-came': ({ seen, of, where, came }: InSome & { came: string }) => [
    `${seen} of ${of} valid requests${where} were never served${came}, however often they were sent`,
    'an answer, as the others get',
  ],
  'text-missing-in-some': ({ seen, of, where }: InSome) => [
    `${seen} of ${of} replies${where} have no text, though it was asked for`,
    'text of the model in each reply',
  ],
  'result-cut': [
    'the result ends in the middle of its JSON document, though the reply is complete',
    'a whole JSON document',
  ],
  'result-broken-off': ({ attempts }: { attempts: number }) => [
    `the connection ends within the reply, whose status is one of success, in each of ${count(attempts, 'attempt')}, while others are answered`,
    'a whole JSON document',
  ],
  'fragments-repeat-all': [
    'each fragment of the stream repeats all of the text before it',
    'fragments that are pieces of the text, each once',
  ],
  'result-trailed': [
    'something stands behind the JSON document of the result',
    'a JSON document and nothing else',
  ],
  'valid-value-refused': ({ control }: { control: string }) => [
    'a valid value is refused',
    `a reply with output, as the request ${control} gets`,
  ],
  /** `settings`: the fewest that are refused together. */
  'combination-refused': ({ settings }: { settings: readonly string[] }) => [
    `a valid request is refused for ${settings.join(' with ')}`,
    `a reply with output, as where ${settings.length > 1 ? 'any one of these' : 'that'} is left out`,
  ],
  'optional-parameter-required': ({ full }: { full: string }) => [
    'a request without an optional parameter is refused',
    `a reply with output, as the request ${full} gets`,
  ],
  /** `rule`: what of the contract the request breaks. */
  'not-refused': ({ rule }: { rule: string }) => ['answered with output', `a refusal: ${rule}`],
  'token-refused-once': [
    'a valid request is refused once as an invalid token is, and answered when sent again',
    'the token accepted on every request',
  ],
  /** `other`: the class that the refusals should differ from; `like`: the request whose refusal is the same. */
  'class-indistinguishable': ({ other }: { other: string; like: string }) => [
    `indistinguishable from ${other}`,
    'another status, or another value in a stable field of the body',
  ],
  'spent-token-answered': ['a token that is declared as rate-limited is answered', 'the rate-limit error'],
  'told-as-rate-limit': [
    'an invalid token is refused as a rate limit is, every time: a client is told to retry what never works',
    'another status than 429, or a stable field of the body that no rate limit has',
  ],

  'field-missing': ({ field, expected }: { field: string; expected: string }) => [
    `field \`${field}\` is missing`,
    expected,
  ],
  /** `pointer`: to the value; empty for the whole document. `counts`: the rule is about what it contains. */
  'field-wrong': (data: { pointer: string; expected: string; counts: boolean }) => [
    `${data.pointer === '' ? 'the value' : `\`${pathOf(data.pointer)}\``} must ${data.counts ? 'have' : 'be'} ${data.expected}`,
    data.expected,
  ],
  'created-not-seconds': ['`created` is not a time in Unix seconds', 'Unix seconds, such as 1700000000'],
  /** `text`: that of the later block, as JSON. */
  'first-block-empty': ({ text }: { text: string }) => [
    'the text of the first block is empty, and a later block carries the reply',
    text,
  ],
  /** `text`: that of the message, as JSON. */
  'output-text-differs': ({ text }: { text: string }) => [
    '`output_text` is not the text of the message',
    text,
  ],

  /** `word`: a random one; `other`: the request that has it. */
  'reply-of-another': ({ word, other }: { word: string; other: string }) => [
    `the reply shows ${word}, which another request holds (${other}) and its own does not`,
    'a reply to its own request',
  ],
  /** `by`: what the controls differ in. */
  'text-differs': (data: TextDiffers) => {
    const { difference, by, controls } = data;
    const asked = isOfContext(difference) ? 'turns' : 'text';
    const due = isOfContext(difference)
      ? 'word as the same model gives it'
      : 'text as the same model says it';
    return [
      `${differingInWords(data)}; of replies of the same model to the same ${asked} ${otherWords[by](data)} ${controls.seen} of ${controls.of} do`,
      `the ${due} elsewhere`,
    ];
  },
  'letters-misread': ({ isStreamed }: { isStreamed: boolean }) => [
    `letters beyond ASCII of ${isStreamed ? 'streams' : 'replies without a stream'} come as their bytes read in another encoding`,
    'the letters that were asked for',
  ],
  'no-text': ['no reply of this endpoint carries any text, streamed or not', 'text of the assistant'],
  'max-tokens-exceeded': ({ limit, inStream }: { limit: number; inStream: boolean }) => [
    `more output than max_tokens = ${limit} allows${inStream ? ', in a stream' : ''}`,
    `at most ${limit} tokens`,
  ],
  'image-count': ({ found, asked }: { found: number; asked?: number }) => [
    `${count(found, 'image')} ${asked === undefined ? 'where n is left out' : `for n = ${asked}`}`,
    asked === undefined ? 'at least 1 element' : count(asked, 'element'),
  ],
  /** Of an own statement. */
  'reply-rule-broken': ({ of, wanted }: { of: string; wanted: string }) => [
    `a reply (${of}) does not have ${wanted}`,
    wanted,
  ],
  'image-url-missing': ['an image requested as a url has none', 'a string that is not empty'],
  'image-missing-in-chat': [
    'the content of the chat completion is blank, and holds no image',
    'the image inside the content string',
  ],
  'not-a-chat-completion': ['the reply is not a chat completion', 'a chat completion'],

  /** `declined`: by `stream` false, and not by leaving it out. */
  'unrequested-stream': ({ declined }: { declined: boolean }) => [
    `a request ${declined ? 'with `stream` false' : 'without `stream`'} is answered by a stream`,
    'one JSON document',
  ],
  'no-stream': ['a stream was requested and one document came', 'a stream of events'],
  /** `problem`: what the stream reader says of the event. */
  'malformed-event': ({ problem }: { problem: string }) => [problem, 'an event that can be read'],
  'event-without-type': ({ expected }: { expected: string }) => [
    'an event has no `type` that is a string',
    expected,
  ],
  'stream-without-text': ['the stream carries no text', 'events that carry text'],
  'stream-cut': ({ attempts }: { attempts: number }) => [
    `the stream is cut in each of ${count(attempts, 'attempt')}`,
    'a stream that ends in order',
  ],
  /** `cut`: of live traffic, in which no request is sent again. */
  'streams-cut': ({ cut }: { cut: number }) => [
    `${count(cut, 'stream')} of different requests were cut`,
    'streams that end in order',
  ],
  'stream-ends-in-error': [
    'an event of the stream tells of an error, and so it was when the request was sent again',
    'a stream that ends without an error',
  ],
  'stream-buffered': ({ attempts }: { attempts: number }) => [
    `the whole text arrives at once at the end of the generation, in each of ${count(attempts, 'attempt')}`,
    'text that arrives while it is generated',
  ],
  /** `where`: the situation, such as "with `instructions`". */
  'stream-buffered-where': ({ attempts, where }: { attempts: number; where: string }) => [
    `the whole text arrives at once at the end of the generation in a request ${where}, in each of ${count(attempts, 'attempt')}; in others it does not`,
    'text that arrives while it is generated',
  ],

  /** `places`: where the nonce was given, such as "in the system prompt". */
  /** `control`: where the same model shows it. */
  'context-lost': (data: {
    places: readonly string[];
    attempts: number;
    nonce: string;
    control: 'question' | 'turns';
  }) => [
    `the model’s answer does not show what was given ${inWords(data.places, 'or')}, in ${count(data.attempts, 'attempt')}; it does where ${data.control === 'turns' ? 'the turns are sent again with the same question' : 'the question itself contains it'}`,
    data.nonce,
  ],
  'letters-lost': (data: {
    places: readonly string[];
    answers: number;
    nonce: string;
    missed: number;
    others: number;
  }) => [
    `letters beyond ASCII of what was given ${inWords(data.places, 'or')} are lost in ${data.answers} of ${count(data.answers, 'answer')}; of other texts that the same model was asked for, in ${data.missed} of ${data.others}`,
    data.nonce,
  ],
  'chained-id-repeated': [
    'a response has the id of the one that it is chained on',
    'an id of its own for each response',
  ],
  'other-branch-known': ({ nonce }: { nonce: string }) => [
    'the reply shows what was given in another branch only',
    nonce,
  ],
} satisfies Catalogue;
