import { protocolPath } from '../../../spec/paths.ts';
import { count, inParentheses, inWords, pathOf, shorten } from '../../../spec/text.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Tally } from '../../facts/exact-test.ts';
import type { BrokenFact } from '../../facts/fact.ts';
import { readPointer } from '../../types/finding.ts';

const longestActual = 80;

export const tallyWords = ({ seen, of }: Tally): string => `${seen} of ${of}`;

const capital = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** Where in a reply, or in an event of it, something is. */
const placeOf = (pointer: string): string => pathOf(readPointer(pointer).pointer);

/** Which event of the reply that is shown it is, as its pointer names it. */
function eventIn(pointer: string): string {
  const { event } = readPointer(pointer);
  return event === null ? '' : ` (in the reply shown event ${event}, counted from 0)`;
}

/** Names in backticks with commas between them. */
const inList = (names: readonly string[]): string =>
  inWords([...new Set(names)].map((name) => `\`${name}\``));

/** What an endpoint does, behind its name; undefined where the reason alone says it. */
function doneWords(fact: BrokenFact, same: readonly BrokenFact[]): string | undefined {
  const { reason, actual, share, requirement, pointer = '' } = fact;
  const path = placeOf(pointer);
  const isStreamed = pointer.startsWith('event ');
  const event = eventIn(pointer);
  switch (reason.kind) {
    case 'field-missing': {
      const fields = inList(
        same.flatMap((each) => (each.pointer === undefined ? [] : placeOf(each.pointer))),
      );
      return isStreamed
        ? `streams an event without ${fields}${share}${event}`
        : `answers without ${fields}${share}`;
    }
    case 'field-wrong':
      if (path === '') return undefined;
      return `${isStreamed ? 'streams an event' : 'answers'} with \`${path}\` = ${shorten(actual, longestActual)}${share}${event}; it must ${reason.counts ? 'have' : 'be'} ${reason.expected}`;
    case 'malformed-event':
      return `streams what can't be read: ${reason.problem}${share}${event}`;
    case 'event-without-type':
      return `streams an event without a \`type\` that is a string${share}${event}`;
    case 'image-count':
      return `answers ${reason.asked === undefined ? 'a request without `n`' : `\`n\` = ${reason.asked}`} with ${count(reason.found, 'image')}${share}`;
    case 'image-url-missing':
      return `answers with an image that has no url, where one is asked for${share}`;
    case 'output-text-differs':
      return `answers with \`output_text\` = ${shorten(actual, longestActual)}${share}; it must be the text of the message, ${shorten(reason.text, longestActual)}`;
    case 'max-tokens-exceeded':
      return `gives more output than max_tokens = ${reason.limit} allows${reason.inStream ? ', in a stream' : ''}${share}`;
    case 'stream-without-text':
      return `gives streams that carry no text${share}`;
    case 'stream-buffered':
      return `holds streams back: the whole text arrives at once at the end of the generation, in each of ${count(reason.attempts, 'attempt')}`;
    case 'stream-buffered-where':
      return `holds streams back: the whole text arrives at once at the end of the generation, in each of ${count(reason.attempts, 'attempt')} of a request ${reason.where}; in others it does not`;
    case 'created-not-seconds':
      return `answers with \`created\` = ${actual}${share}; it must be a time in Unix seconds`;
    case 'unrequested-stream':
      return `answers a request ${reason.declined ? 'with `stream` = false' : 'without `stream`'} by a stream${share}`;
    case 'stream-cut':
      return `cuts streams off${share}; each of ${count(reason.attempts, 'attempt')} was cut`;
    case 'reply-of-another':
      return `answers a request with words of another one, to which it is not chained: ${reason.word}`;
    case 'no-stream':
      return `answers a request with \`stream\` = true by one document${share}`;
    case 'class-indistinguishable': {
      const own = requirement.startsWith('errors.rate-limit') ? 'a spent limit' : 'an invalid token';
      return `refuses ${own} with the same status and the same stable fields as ${reason.other}${share}`;
    }
    case 'spent-token-answered':
      return 'answers the token that is declared in tokens.rate-limited, whose limit should be spent';
    default:
      return undefined;
  }
}

/** What comes in place of a result: of an endpoint, and of requests. A page or an error with status 200 is no refusal to an operator. */
export const refusing = (status: string | undefined): readonly [ofEndpoint: string, ofRequests: string] =>
  status?.startsWith('HTTP 2') ? ['gives no result for', 'get none'] : ['refuses', 'are refused'];

const ofSettings = (reason: BrokenFact['reason']): string =>
  reason.kind === 'combination-refused' && reason.settings.length > 0
    ? ` with ${reason.settings.join(' and ')}`
    : '';

export const endpointOf = (protocol: Protocol): string => `POST ${protocolPath(protocol)}`;

/** Where else it is so, each place once, with how often; empty where it is nowhere else. */
export function elsewhereToo(places: readonly (readonly [protocol: Protocol, howOften: string])[]): string {
  const each = [...new Map(places)].map(([protocol, howOften]) => `${endpointOf(protocol)} (${howOften})`);
  return each.length === 0 ? '' : ` So it is at ${inWords(each)}.`;
}

/** A text that several endpoints change in the same way, behind the sentence about the first of them. */
const changedToo = (fact: BrokenFact, same: readonly BrokenFact[]): string =>
  elsewhereToo(
    same.flatMap(({ protocol, reason }) =>
      reason.kind === 'text-differs' && protocol !== undefined && protocol !== fact.protocol
        ? [[protocol, tallyWords(reason.probes)] as const]
        : [],
    ),
  );

/** A sentence about what an endpoint does wrong; `same` are all facts of the cause, the first of which it is told by. */
export function brokenWords(fact: BrokenFact, same: readonly BrokenFact[]): string {
  const { protocol, reason, refused, message } = fact;
  if (protocol === undefined) return `${capital(message)}.`;
  const endpoint = endpointOf(protocol);
  if (refused !== undefined) {
    const [does] = refusing(refused.status);
    return `${endpoint} ${does} a valid request${ofSettings(reason)}${inParentheses(refused.status)}. The interface states: ${refused.statement}`;
  }
  const done = doneWords(fact, same);
  if (done !== undefined) return `${endpoint} ${done}.`;
  if (message.includes('POST /')) return `${capital(message)}.`;
  return `${endpoint}: ${message}.${changedToo(fact, same)}`;
}
