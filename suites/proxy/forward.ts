import {
  Agent as HttpAgent,
  createServer,
  type IncomingMessage,
  type OutgoingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import {
  type RawHeaders,
  closesConnection,
  forwardedHeaders,
  headerPairs,
  headerValue,
  returnedHeaders,
} from './headers.ts';

/** The head of a request as it came, before anything is passed on. */
export interface RequestHead {
  readonly method: string;
  /** Path and query below the base address. */
  readonly path: string;
  readonly headers: RawHeaders;
}

/** How an exchange ended for the one who passed it on. */
export type PassedEnd =
  | { readonly kind: 'complete' }
  /** The gateway broke off: before the reply, or within it. */
  | { readonly kind: 'unreachable' | 'cut'; readonly detail: string }
  /** The client left before the reply had ended, or the proxy was stopped. */
  | { readonly kind: 'client-left' }
  /** No connection to the gateway came about: the reply was the proxy's own. */
  | { readonly kind: 'not-connected'; readonly detail: string };

/** Is told of an exchange as its bytes pass, in their order; `end` comes once and last. */
export interface Tap {
  readonly sent: (bytes: Buffer) => void;
  readonly head: (status: number, headers: RawHeaders) => void;
  readonly received: (bytes: Buffer) => void;
  readonly end: (end: PassedEnd) => void;
}

/** Marks a reply that is the proxy's own; its value says why. */
export const ownReplyHeader = 'x-conformance-proxy';

/** Bytes of all headers of a message, as much as the strictest gateways take twice over. */
const maxHeaderSize = 64 * 1024;

function answerOwn(response: ServerResponse, status: number, why: string, detail: string): void {
  const body = `${JSON.stringify({ error: { type: 'conformance_proxy', code: why, message: detail } })}\n`;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    [ownReplyHeader]: why,
    connection: 'close',
  });
  response.end(body);
}

/** A client of a forward proxy names the whole address. */
const pathOf = (url: string): string =>
  /^https?:\/\//i.test(url) ? url.replace(/^https?:\/\/[^/?#]*/i, '') || '/' : url;

/** Why a request can't mean one thing to the gateway and to us; undefined where it can. */
function problemOf(path: string, headers: RawHeaders): string | undefined {
  if (!path.startsWith('/') && path !== '*')
    return 'A request asks for a path, or for an address with http or https; it is not passed on.';
  const hosts = headerPairs(headers).filter(([name]) => name.toLowerCase() === 'host');
  return hosts.length > 1 ? 'A request has one Host header at most; it is not passed on.' : undefined;
}

/** Each client's connection has one to the gateway, and both end together: no request meets one that closes for the proxy alone. */
function createPairing(isTls: boolean) {
  const agents = new WeakMap<Socket, HttpAgent>();
  const busy = new WeakMap<Socket, number>();
  const seen = new WeakSet<Socket>();
  const agentOf = (client: Socket): HttpAgent => {
    const known = agents.get(client);
    if (known) return known;
    const made = new (isTls ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
    agents.set(client, made);
    client.once('close', () => made.destroy());
    return made;
  };
  const pair = (client: Socket, gateway: Socket): void => {
    if (seen.has(gateway)) return;
    seen.add(gateway);
    gateway.once('close', () => {
      if ((busy.get(client) ?? 0) === 0) client.destroySoon();
    });
  };
  const count = (client: Socket, by: number): void => void busy.set(client, (busy.get(client) ?? 0) + by);
  return { agentOf, pair, count };
}

function passTrailers({ rawTrailers }: IncomingMessage, to: OutgoingMessage): void {
  if (rawTrailers.length > 0)
    to.addTrailers(headerPairs(rawTrailers).map(([name, value]): [string, string] => [name, value]));
}

/** Passes a reply on as it comes; ends or breaks off as the gateway does. */
function passBack(reply: IncomingMessage, request: IncomingMessage, response: ServerResponse, tap: Tap) {
  tap.head(reply.statusCode ?? 0, reply.rawHeaders);
  const isDelimited =
    headerValue(reply.rawHeaders, 'content-length') !== undefined ||
    headerValue(reply.rawHeaders, 'transfer-encoding') !== undefined;
  response.sendDate = false;
  // A body that ends with its connection stays one.
  if (!isDelimited) response.useChunkedEncodingByDefault = false;
  if (closesConnection(reply.rawHeaders)) response.shouldKeepAlive = false;
  const headers = returnedHeaders(reply.rawHeaders, request.httpVersion !== '1.0');
  response.writeHead(reply.statusCode ?? 0, reply.statusMessage ?? '', headers);
  response.flushHeaders();
  reply.on('data', tap.received);
  reply.pipe(response, { end: false });
  reply.once('end', () => {
    passTrailers(reply, response);
    response.end();
  });
  reply.on('error', () => undefined);
  reply.once('close', () => {
    if (reply.complete) return tap.end({ kind: 'complete' });
    tap.end({ kind: 'cut', detail: 'the connection ended within the reply' });
    response.destroy();
  });
}

/** The gateway that requests go to, and the connections to it. */
interface Way {
  readonly base: URL;
  readonly isTls: boolean;
  readonly pairing: ReturnType<typeof createPairing>;
  /** Gives what is told of an exchange. */
  readonly observe: (head: RequestHead) => Tap;
}

/** Opens the request that goes on to the gateway. */
function onward(
  { base, isTls, pairing }: Way,
  { rawHeaders, socket }: IncomingMessage,
  { method, path }: RequestHead,
) {
  const prefix = base.pathname.replace(/\/+$/, '');
  return (isTls ? httpsRequest : httpRequest)({
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port,
    method,
    path: path.startsWith('/') ? prefix + path : path,
    headers: forwardedHeaders(rawHeaders, method, base.host),
    agent: pairing.agentOf(socket),
    setHost: false,
    maxHeaderSize,
  });
}

/** Ends the exchange where no reply came: the client is told where the gateway was never reached, else cut off as we were. */
function breakOff(error: Error, isConnected: boolean, client: Socket, response: ServerResponse, tap: Tap) {
  if (response.headersSent || response.destroyed) return;
  tap.end({ kind: isConnected ? 'unreachable' : 'not-connected', detail: error.message });
  if (isConnected) client.destroy();
  else answerOwn(response, 502, 'not-connected', `The proxy can't connect to the gateway: ${error.message}`);
}

/** Passes a request on, and its reply back. */
function relay(way: Way, request: IncomingMessage, response: ServerResponse, head: RequestHead): void {
  const { pairing, isTls, observe } = way;
  const client = request.socket;
  const out = onward(way, request, head);
  const tap = once(observe(head));
  let isConnected = false;
  pairing.count(client, 1);
  response.once('close', () => {
    pairing.count(client, -1);
    if (response.writableFinished) return;
    tap.end({ kind: 'client-left' });
    out.destroy();
  });
  out.maxHeadersCount = 0;
  out.once('socket', (socket: Socket) => {
    pairing.pair(client, socket);
    if (out.reusedSocket) isConnected = true;
    else socket.once(isTls ? 'secureConnect' : 'connect', () => (isConnected = true));
  });
  out.once('continue', () => response.writeContinue());
  out.once('response', (reply) => passBack(reply, request, response, tap));
  out.on('error', (error) => breakOff(error, isConnected, client, response, tap));
  request.on('error', () => undefined);
  request.on('data', tap.sent);
  request.pipe(out, { end: false });
  request.once('end', () => {
    passTrailers(request, out);
    out.end();
  });
}

/** Passes on what means one thing to the gateway and to us; answers what does not. */
function pass(way: Way, request: IncomingMessage, response: ServerResponse): void {
  const { url = '/', method = 'GET', rawHeaders: headers } = request;
  const path = pathOf(url);
  const problem = problemOf(path, headers);
  if (problem !== undefined) answerOwn(response, 400, 'not-passable', problem);
  else if (/\bwebsocket\b/i.test(headerValue(headers, 'upgrade') ?? ''))
    answerOwn(response, 501, 'no-upgrade', 'The interface has no upgrade; it is not passed on.');
  else relay(way, request, response, { method, path, headers });
}

/**
 * Passes every request on to the gateway at `base`, and its reply back, byte for byte as they come; waits for whoever reads
 * slowly and breaks off where the other side does. `observe` gives what is told of an exchange.
 */
export function createForwarder(base: URL, observe: (head: RequestHead) => Tap): Server {
  const isTls = base.protocol === 'https:';
  const way: Way = { base, isTls, pairing: createPairing(isTls), observe };
  const careful = (request: IncomingMessage, response: ServerResponse): void => {
    try {
      pass(way, request, response);
    } catch (error) {
      // Node can't send what it was able to read, such as a path with a letter beyond ASCII.
      const why = `The request can't be passed on: ${(error as Error).message}`;
      if (response.headersSent) response.destroy();
      else answerOwn(response, 400, 'not-passable', why);
    }
  };
  const server = createServer({ maxHeaderSize, requireHostHeader: false, requestTimeout: 0 }, careful);
  server.on('checkContinue', careful);
  server.on('checkExpectation', careful);
  // How long an idle connection lives is for the gateway to say.
  server.keepAliveTimeout = 0;
  server.maxHeadersCount = 0;
  return server;
}

/** A tap whose end is told once. */
function once(tap: Tap): Tap {
  let isOver = false;
  return {
    ...tap,
    end: (end) => {
      if (!isOver) tap.end(end);
      isOver = true;
    },
  };
}
