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
