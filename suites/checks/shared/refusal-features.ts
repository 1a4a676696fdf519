import { oncePerObject } from '../../../spec/once.ts';
import type { Exchange } from '../../types/exchange.ts';
import { numericCode, withoutNumbers } from '../../reading/reply-words.ts';

/** What of a refusal a client can branch on: the status, each plain value of the body by its pointer, the words of a text. */
export const features = oncePerObject((exchange: Exchange): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  const { response } = exchange;
  if (response === null) return found;
  found.set('status', String(response.status));
  const { text } = response.body;
  try {
    leaves(JSON.parse(text), '', found, 0);
  } catch {
    found.set('body', text.trim());
  }
  const bare = [...found].map(([name, value]) => [name, withoutCredential(value, exchange)] as const);
  return new Map([...bare, ...bare.flatMap(([name, value]) => wordsOf(name, value))]);
});

const mostWords = 200;

/** A text that holds an id or a date is another one each time; the words around it, and codes such as E401, are not. */
function wordsOf(name: string, value: string): readonly (readonly [string, string])[] {
  if (!/\s|</.test(value)) return [];
  const text = value.slice(0, 10_000);
  const codes = text.match(/\b[A-Z]{1,12}[_-]?\d{2,5}\b/g) ?? [];
  const words = [...codes, ...(withoutNumbers(text).match(/\p{L}{3,}/gu) ?? [])];
  return [...new Set(words)].slice(0, mostWords).map((word) => [`${name} says ${word}`, word]);
}

/** A reply may repeat the credential, as it came or masked: that is the request's, and tells no class. */
function withoutCredential(value: string, { request }: Exchange): string {
  const shown = request.headers.authorization ?? request.headers['x-api-key'] ?? '';
  const sent = shown.replace(/^Bearer /, '');
  const bare = sent.length < 8 ? value : value.replaceAll(sent, '');
  return bare.replace(/\*{4,}/g, '');
}

/** Names and values that change with every reply, or with the clock. */
const passing =
  /(^|[/_-])(id|.*_id|.*-id|request|trace|time|timestamp|created|date|duration|latency|nonce|uuid)$/i;
const deepest = 8;
const mostLeaves = 200;

function leaves(value: unknown, pointer: string, found: Map<string, string>, depth: number): void {
  if (depth > deepest || found.size > mostLeaves || passing.test(pointer)) return;
  if (typeof value !== 'object' || value === null) {
    found.set(pointer === '' ? 'body' : pointer, JSON.stringify(value));
    return;
  }
  for (const [key, inner] of Object.entries(value)) leaves(inner, `${pointer}/${key}`, found, depth + 1);
}

/** The names of the features whose value is the same in all replies of a class. */
const stable = ([first, ...rest]: readonly ReadonlyMap<string, string>[]): readonly string[] =>
  [...(first ?? [])].flatMap(([name, value]) =>
    rest.every((other) => other.get(name) === value) ? [name] : [],
  );

/** A code: words without blanks and digits, which no reply has anew. */
const code = /^"[a-z][a-z_.-]{1,63}"$/i;

/** The codes of a refusal, each with its place in the body. */
export const codesOf = (exchange: Exchange): readonly string[] =>
  [...features(exchange)].flatMap(([name, value]) =>
    code.test(value) || numericCode.test(`"${name.slice(name.lastIndexOf('/') + 1)}":${value}`)
      ? [`${name} ${value}`]
      : [],
  );

/** The names of the features that are a code in every reply of a class, whichever. */
const coded = ([first, ...others]: readonly ReadonlyMap<string, string>[]): readonly string[] =>
  [...(first ?? [])].flatMap(([name, value]) =>
    [value, ...others.map((reply) => reply.get(name) ?? '')].every((each) => code.test(each)) ? [name] : [],
  );

/** A feature that tells one class from the others: stable in that class, or one of several codes (7, principle 6). */
export function tellsApart(one: readonly Exchange[], others: readonly Exchange[]): string | undefined {
  const [own, seen] = [one.map(features), others.map(features)];
  const names = [...stable(own), ...coded(own)];
  return names.find((name) =>
    own.every((reply) => seen.every((other) => other.get(name) !== reply.get(name))),
  );
}

/** Whether two refusals are of the same status and name the same codes. */
export function isSameRefusal(one: Exchange, other: Exchange): boolean {
  const [own, seen] = [features(one), features(other)];
  return [...own].every(([name, value]) => {
    const found = seen.get(name);
    return (name !== 'status' && !(code.test(value) && code.test(found ?? ''))) || value === found;
  });
}
