import type { Exchange } from '../types/exchange.ts';
import { bodyOf } from './sent-request.ts';

/** A member of JSON that is named a code, with a short number for its value: it may be all that tells a class (7). */
export const numericCode = /"[\w-]*code"\s*:\s*"?(?:[a-z]{1,4}[_-]?)?-?\d{1,5}\b/i;

const wordsAndCodes = new RegExp(`(${numericCode.source})|[\\p{L}\\p{N}_-]+`, 'giu');

/** The text without words that hold a digit, unless they are codes: ids and dates differ each time. */
export const withoutNumbers = (text: string): string =>
  text.replace(wordsAndCodes, (word, code?: string) => (code || !/\p{N}/u.test(word) ? word : ''));

/** More of a body than this, in characters, is not looked at: a refusal is short. */
export const refusalChars = 4096;

/** The value of the model that a request names; undefined where its body has none. */
export function modelSent({ request }: Pick<Exchange, 'request'>): string | undefined {
  const model = bodyOf(request)?.model;
  return typeof model === 'string' && model !== '' ? model : undefined;
}

/** The credentials that a request shows, as far as they are not masked. */
const credentials = ({ headers }: Exchange['request']): readonly string[] =>
  [headers.authorization, headers['x-api-key']].flatMap((value) =>
    value === undefined ? [] : [value, value.replace(/^Bearer /, '')],
  );

/** The path of an address, and the address itself; what is no address has none. */
const places = (url: string): readonly string[] => (URL.canParse(url) ? [url, new URL(url).pathname] : []);

/** What is the same in all replies of a kind: status and words, without what is repeated of the request, masks and numbers. */
export function replyWords(exchange: Pick<Exchange, 'request' | 'response' | 'ending'>): string {
  const { request, response, ending } = exchange;
  if (response === null) return ending.kind;
  const repeated = [...credentials(request), modelSent(exchange) ?? '', ...places(request.url)];
  const bare = repeated
    .filter((text) => text.length > 1)
    .reduce((text, part) => text.replaceAll(part, ''), response.body.text.slice(0, refusalChars));
  const words = withoutNumbers(bare.replace(/\S+/g, (word) => (word.includes('**') ? '' : word)));
  return `${response.status} ${words.replace(/\s+/g, ' ').trim()}`;
}
