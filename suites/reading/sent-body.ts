import { isObject, type JsonObject } from '../../spec/json.ts';
import type { Exchange, Reply, SentRequest } from '../types/exchange.ts';
import { withoutNumbers } from './numbers.ts';

function read(body: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(body);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

const known = new WeakMap<SentRequest, { readonly json: JsonObject | undefined }>();

export function bodyOf(request: SentRequest): JsonObject | undefined {
  const kept = known.get(request) ?? { json: read(request.body ?? '') };
  known.set(request, kept);
  return kept.json;
}

/** The first value of a header of a reply, by its name in lower case. */
export const headerOf = ({ headers }: Reply, name: string): string | undefined =>
  headers.find(([known]) => known === name)?.[1];

/** More of a body than this, in characters, is not looked at: a refusal is short. */
const longest = 4096;

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

/**
 * What is the same in all replies of a kind: status and words, without what a reply repeats of its request
 * (credential, model, path), without masked text, and without whatever has a digit in it, as ids and times have.
 * Where no reply came, how it ended.
 */
export function replyWords(exchange: Pick<Exchange, 'request' | 'response' | 'ending'>): string {
  const { request, response, ending } = exchange;
  if (response === null) return ending.kind;
  const repeated = [...credentials(request), modelSent(exchange) ?? '', ...places(request.url)];
  const bare = repeated
    .filter((text) => text.length > 1)
    .reduce((text, part) => text.replaceAll(part, ''), response.body.text.slice(0, longest));
  const words = withoutNumbers(bare.replace(/\S+/g, (word) => (word.includes('**') ? '' : word)));
  return `${response.status} ${words.replace(/\s+/g, ' ').trim()}`;
}
