import type { Target } from '../../fixtures/target/target.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { protocols } from '../../spec/vocabulary.ts';

/** Headers as Node hands them over and takes them: name, value, name, value, in the order and case of the wire. */
export type RawHeaders = readonly string[];

export const headerPairs = (raw: RawHeaders): readonly (readonly [name: string, value: string])[] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));

/** All values of a header, joined as HTTP joins them; undefined where it is absent. */
export function headerValue(raw: RawHeaders, wanted: string): string | undefined {
  const values = headerPairs(raw).flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
  return values.length === 0 ? undefined : values.join(', ');
}

/** Headers that hold for one connection only (RFC 9110, section 7.6.1). The framing is told again. */
const ofConnection: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'upgrade',
  'http2-settings',
];

/** Whether a message tells that its connection ends with it. */
export const closesConnection = (raw: RawHeaders): boolean =>
  /(?:^|,)\s*close\s*(?:,|$)/i.test(headerValue(raw, 'connection') ?? '');

/** The headers of a message without those of its connection; order, case and values stay as they were. */
function endToEnd(raw: RawHeaders): (readonly [name: string, value: string])[] {
  const named = (headerValue(raw, 'connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  // Framing and host are never of the connection alone, whatever a message says of them.
  const dropped = new Set([...ofConnection, ...named.filter((name) => !needed.has(name))]);
  return headerPairs(raw).filter(([name]) => !dropped.has(name.toLowerCase()));
}

const needed: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding', 'content-type']);

/** The headers of a request as they go on to `host`: that of the gateway stands where the proxy's stood. */
export function forwardedHeaders(raw: RawHeaders, method: string, host: string): string[] {
  const kept = endToEnd(raw).map(([name, value]) =>
    name.toLowerCase() === 'host' ? [name, host] : [name, value],
  );
  const has = (wanted: string): boolean => kept.some(([name]) => name?.toLowerCase() === wanted);
  const isFramed = has('content-length') || has('transfer-encoding');
  return [
    ...(has('host') ? [] : ['Host', host]),
    ...kept.flat(),
    // A body of nothing: without a length, Node would send it in chunks.
    ...(isFramed || ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'].includes(method)
      ? []
      : ['Content-Length', '0']),
  ];
}

/** The headers of a reply as they go back; a client of HTTP/1.0 knows no chunks. */
export function returnedHeaders(raw: RawHeaders, knowsChunks: boolean): string[] {
  const kept = endToEnd(raw).filter(([name]) => knowsChunks || name.toLowerCase() !== 'transfer-encoding');
  return [...kept.flat(), ...(closesConnection(raw) ? ['Connection', 'close'] : [])];
}

// What of other people's traffic may be written as it came. All else is written as a digest.

const media =
  /^(?:application|json|text|event-stream|plain|html|x-ndjson|jsonl|problem\+json|multipart|form-data|x-www-form-urlencoded|octet-stream|image|png|jpeg|webp|charset|utf-?8|q|\*|[01](?:\.\d{1,3})?)$/i;
const coding =
  /^(?:gzip|x-gzip|deflate|br|zstd|compress|identity|chunked|trailers|q|\*|[01](?:\.\d{1,3})?)$/i;
const date = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Headers that judging reads, or that say how a body came, with the words that are harmless in them. */
const headers: Readonly<Record<string, readonly RegExp[]>> = {
  'content-type': [media],
  accept: [media],
  'content-encoding': [coding],
  'accept-encoding': [coding],
  'transfer-encoding': [coding],
  'content-length': [/^\d{1,12}$/],
  connection: [/^(?:keep-alive|close)$/i],
  date: [date],
  'retry-after': [/^\d{1,9}(?:\.\d{1,6})?$/, date],
  server: [/^AkamaiGHost$/],
  'cf-mitigated': [/^challenge$/],
  'x-amzn-waf-action': [/^(?:challenge|captcha)$/],
};

/** Headers whose names are no secret, and whose values are none that a gateway could use. */
const ofNobody =
  /^(?:host|user-agent|accept-language|cache-control|pragma|origin|te|vary|via|x-request-id|x-correlation-id|idempotency-key|traceparent|tracestate|sec-(?:ch|fetch)-[a-z-]+|x-stainless-[a-z-]+)$/;

/** Headers that a credential stands in by their name, with the word before it. */
const ofCredential: ReadonlySet<string> = new Set([
  'authorization',
  ...protocols.map((protocol) => protocolFacts[protocol].credential.header),
]);

/** Names of headers and of parameters of a query whose values come again, in later replies too. */
export const isSecretName = (name: string): boolean =>
  /auth|cookie|token|secret|passw|credential|signature|session|key$/i.test(name) && !ofNobody.test(name);

export interface Header {
  readonly isCredential: boolean;
  readonly isNameKnown: boolean;
  /** Whether its value may be a secret of the client. */
  readonly isSecret: boolean;
  /** Whether a value, or a word of it, is harmless. */
  readonly shows: (word: string) => boolean;
}

/** @param name in lower case */
export function headerRules({ versionHeader }: Pick<Target, 'versionHeader'>): (name: string) => Header {
  const version = versionHeader.name.toLowerCase();
  return (name) => {
    const own = Object.hasOwn(headers, name) ? headers[name] : undefined;
    const known = own ?? (name === version ? [/^\d{4}-\d\d-\d\d$/] : undefined);
    return {
      isCredential: ofCredential.has(name),
      isNameKnown: known !== undefined || ofCredential.has(name) || ofNobody.test(name),
      isSecret: known !== undefined || !ofNobody.test(name),
      shows: (word) =>
        known?.some((pattern) => pattern.test(word)) === true ||
        (name === version && word === versionHeader.value),
    };
  };
}
