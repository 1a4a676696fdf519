import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { type Loopback, listening, serveHttp, serveRaw } from '../wire/loopback.fixture.ts';
import { createForwarder, ownReplyHeader, type PassedEnd, type RequestHead } from './forward.ts';

interface Passed {
  readonly head: RequestHead;
  readonly sent: Buffer[];
  readonly received: Buffer[];
  end?: PassedEnd;
}

/** A proxy in front of a server; both end with the test. */
async function inFront(server: Loopback, path = ''): Promise<{ url: string; passed: Passed[] }> {
  const passed: Passed[] = [];
  const forwarder = createForwarder(new URL(server.url + path), (head) => {
    const own: Passed = { head, sent: [], received: [] };
    passed.push(own);
    return {
      sent: (bytes) => void own.sent.push(bytes),
      head: () => undefined,
      received: (bytes) => void own.received.push(bytes),
      end: (end) => {
        own.end = end;
      },
    };
  });
  const proxy = await listening(forwarder);
  open.push(proxy, server);
  return { url: proxy.url, passed };
}

const open: Loopback[] = [];
const closing = async (): Promise<void> => {
  for (const each of open.splice(0)) await each.close();
};

const behind = async (listener: RequestListener, path = '') => inFront(await serveHttp(listener), path);

const bodyOf = async (message: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
};

/** What a raw connection gets until it ends. */
async function raw(url: string, text: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  return (await bodyOf(socket)).toString('latin1');
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries += 1) {
    if (tries > 400) throw new Error('it never came about');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const test = (title: string, run: () => Promise<void>): void =>
  it(title, async () => {
    try {
      await run();
    } finally {
      await closing();
    }
  });

test('method, path, query, headers and bodies pass byte for byte, in their order and case', async () => {
  const [sent, answered] = [randomBytes(300_000), gzipSync(randomBytes(200_000))];
  let got: { message: IncomingMessage; body: Buffer } | undefined;
  const { url, passed } = await behind(async (message, response) => {
    got = { message, body: await bodyOf(message) };
    response.sendDate = false;
    response.writeHead(418, 'Short and stout', [
      ...['X-One', '1', 'x-TWO', '2', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Content-Encoding', 'gzip'],
      ...['Content-Length', String(answered.length)],
    ]);
    response.end(answered);
  }, '/gateway');
  const asked = request(`${url}/v1/x%20y?q=%2f&q=2`, {
    method: 'PATCH',
    headers: ['Host', 'client', 'X-B', 'b', 'x-a', 'a', 'X-B', 'c', 'Content-Length', String(sent.length)],
  });
  asked.end(sent);
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await bodyOf(reply);
  expect(got?.message).toMatchObject({ method: 'PATCH', url: '/gateway/v1/x%20y?q=%2f&q=2' });
  const host = new URL(open[1]?.url ?? '').host;
  expect(got?.message.rawHeaders.slice(0, 10)).toEqual([
    'Host',
    host,
    'X-B',
    'b',
    'x-a',
    'a',
    'X-B',
    'c',
    'Content-Length',
    '300000',
  ]);
  expect(got?.body.equals(sent)).toBe(true);
  expect([reply.statusCode, reply.statusMessage]).toEqual([418, 'Short and stout']);
  expect(reply.rawHeaders.slice(0, 12)).toEqual([
    ...['X-One', '1', 'x-TWO', '2', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Content-Encoding', 'gzip'],
    ...['Content-Length', String(answered.length)],
  ]);
  expect(body.equals(answered)).toBe(true);
  await until(() => passed[0]?.end !== undefined);
  expect(passed[0]?.end).toEqual({ kind: 'complete' });
  expect(Buffer.concat(passed[0]?.sent ?? []).equals(sent)).toBe(true);
  expect(Buffer.concat(passed[0]?.received ?? []).equals(answered)).toBe(true);
});

test('trailers pass both ways, and so does 100 Continue', async () => {
  let told = '';
  const { url } = await behind(async (message, response) => {
    await bodyOf(message);
    told = String(message.trailers['x-sum']);
    response.writeHead(200, { trailer: 'x-end' });
    response.write('a');
    response.addTrailers({ 'x-end': 'last' });
    response.end();
  });
  const asked = request(url, { method: 'POST', headers: { expect: '100-continue', trailer: 'x-sum' } });
  asked.flushHeaders();
  await once(asked, 'continue');
  asked.write('body');
  asked.addTrailers({ 'x-sum': '4' });
  asked.end();
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  expect(String(await bodyOf(reply))).toBe('a');
  expect([told, reply.trailers['x-end']]).toEqual(['4', 'last']);
});

test('HEAD and OPTIONS pass, and a reply that ends with its connection stays one', async () => {
  const { url } = await inFront(
    await serveRaw((socket) => socket.end('HTTP/1.1 200 Fine\r\nX-A: 1\r\n\r\nall of it')),
  );
  const text = await raw(url, 'GET /v1/models HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 200 Fine\r\nX-A: 1\r\nConnection: close\r\n\r\nall of it$/);
  const { url: other } = await behind((message, response) => {
    response.setHeader('x-method', message.method ?? '');
    response.setHeader('content-length', 5);
    response.end(message.method === 'HEAD' ? undefined : 'abcde');
  });
  const head = await fetch(other, { method: 'HEAD' });
  expect([head.headers.get('x-method'), head.headers.get('content-length'), await head.text()]).toEqual([
    'HEAD',
    '5',
    '',
  ]);
  expect(await (await fetch(other, { method: 'OPTIONS' })).text()).toBe('abcde');
});

test('each piece of a stream passes before the next is made', async () => {
  let go: () => void = () => undefined;
  const { url } = await behind(async (_, response) => {
    for (const piece of ['one', 'two', 'three']) {
      response.write(piece);
      await new Promise<void>((resolve) => {
        go = resolve;
      });
    }
    response.end();
  });
  const reply = await fetch(url);
  const seen: string[] = [];
  for await (const piece of reply.body ?? []) {
    seen.push(Buffer.from(piece).toString());
    // The next one is made only now.
    go();
  }
  expect(seen).toEqual(['one', 'two', 'three']);
});

test('a client that hangs up is seen by the gateway', async () => {
  let isGone = false;
  const { url, passed } = await behind((_, response) => {
    response.write('begun');
    response.on('close', () => {
      isGone = true;
    });
  });
  const controller = new AbortController();
  const reply = await fetch(url, { signal: controller.signal });
  await reply.body?.getReader().read();
  controller.abort();
  await until(() => isGone && passed[0]?.end !== undefined);
  expect(passed[0]?.end).toEqual({ kind: 'client-left' });
});

test('a gateway that hangs up is seen by the client, within a reply and before it', async () => {
  const within = await behind((_, response) => {
    response.write('begun');
    setImmediate(() => response.destroy());
  });
  await expect(fetch(within.url).then((reply) => reply.text())).rejects.toThrow('terminated');
  expect(within.passed[0]?.end).toMatchObject({ kind: 'cut' });
  const before = await inFront(await serveRaw((socket) => socket.destroy()));
  await expect(fetch(before.url)).rejects.toThrow('fetch failed');
  expect(before.passed[0]?.end).toMatchObject({ kind: 'unreachable' });
});

test('a connection that the gateway closes while it is idle is closed for its client, too', async () => {
  const gateway: Socket[] = [];
  const { url } = await inFront(
    await serveRaw((socket) => {
      gateway.push(socket);
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    }),
  );
  const { hostname, port } = new URL(url);
  const client = connect(Number(port), hostname);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(client, 'data');
  const ended = once(client, 'close');
  client.resume();
  gateway[0]?.end();
  await ended;
  expect(gateway).toHaveLength(1);
});

test('a client that reads slowly holds the gateway back, and not the memory of the proxy', async () => {
  const [piece, all] = [randomBytes(64 * 1024), 1024];
  let made = 0;
  const { url } = await inFront(
    await serveHttp(async (_, response) => {
      for (; made < all; made += 1) if (!response.write(piece)) await once(response, 'drain');
      response.end();
    }),
  );
  const asked = request(url);
  asked.end();
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  reply.pause();
  let before = -1;
  while (made > before) {
    before = made;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(made).toBeLessThan(all / 2);
  const digest = createHash('sha256');
  for await (const bytes of reply) digest.update(bytes);
  const expected = createHash('sha256');
  for (let at = 0; at < all; at += 1) expected.update(piece);
  expect(digest.digest('hex')).toBe(expected.digest('hex'));
});

test('where no connection comes about the reply is marked as the proxy’s own', async () => {
  const gone = await serveHttp(() => undefined);
  await gone.close();
  const { url, passed } = await inFront(gone);
  const reply = await fetch(`${url}/v1/responses`, { method: 'POST', body: '{}' });
  expect([reply.status, reply.headers.get(ownReplyHeader)]).toEqual([502, 'not-connected']);
  expect(passed[0]?.end).toMatchObject({ kind: 'not-connected' });
  open.splice(open.indexOf(gone), 1);
});

test('a web socket is refused; any other upgrade is left out and the request passes', async () => {
  const { url, passed } = await behind((message, response) => {
    response.end(String(message.headers.upgrade));
  });
  const upgrade = (to: string) =>
    raw(url, `GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: ${to}\r\n\r\n`);
  expect(await upgrade('websocket')).toMatch(/^HTTP\/1\.1 501 .*x-conformance-proxy: no-upgrade/s);
  expect(passed).toHaveLength(0);
  expect(await upgrade('h2c')).toMatch(/^HTTP\/1\.1 200 OK.*undefined/s);
});

it.each([
  ['a second Host header', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 'one Host header'],
  ...['ftp://joe:secret@a.test/x', 'gopher://a.test/', 'http://a.test?x=1', 'file:///etc/passwd'].map(
    (target) => [`the target ${target}`, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, 'with http or https'],
  ),
])('%s is refused in a sentence, and reaches nobody', async (_, request = '', words = '') => {
  const { url, passed } = await behind((_request, response) => response.end());
  const reply = await raw(url, request);
  expect(reply).toMatch(/^HTTP\/1\.1 400 .*x-conformance-proxy: not-passable/s);
  expect(reply).toContain(words);
  expect(passed).toEqual([]);
  await closing();
});
