import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync, constants } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createCollector } from './collect.ts';
import { endingWords } from '../types/reasons/exchange-words.ts';
import { type Loopback, prepared, shownCredential, serveHttp, serveRaw } from './loopback.fixture.ts';
import { createRedactor } from './redaction/redact.ts';
import { bodyBytes } from '../types/limits.ts';
import { createSender, type Prepared, type Sender, WireClosed } from './send.ts';

const token = 'sk-test/0123456789+abcdef';
const redactor = createRedactor([{ value: token, label: 'default' }]);
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

function sender(timeoutMs = 5000, connections = 8): Sender {
  const made = createSender({ timeoutMs, redactor, connections });
  open.push(made.close);
  return made;
}
async function kept(server: Promise<Loopback>): Promise<Loopback> {
  const made = await server;
  open.push(made.close);
  return made;
}
const http = (listener: RequestListener) => kept(serveHttp(listener));
const raw = (answer: (socket: Socket, request: number) => void) => kept(serveRaw(answer));

/** Several turns of the event loop, so that the other end has surely read what was written before. */
async function pause(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await delay(10);
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const attemptAt = async (server: Loopback, more: Partial<Prepared> = {}, timeoutMs?: number) =>
  sender(timeoutMs).attempt(prepared(server.url, token, more));

describe('a reply', () => {
  it('is recorded with status, headers in order, body and times', async () => {
    const server = await raw((socket) =>
      socket.end(`${head}X-B: 1\r\nX-A: 2\r\nx-b: 3\r\ncontent-length: 2\r\n\r\n{}`),
    );
    const record = await attemptAt(server);
    expect(record.response?.status).toBe(200);
    expect(record.response?.headers).toEqual([
      ['content-type', 'application/json'],
      ['x-b', '1'],
      ['x-a', '2'],
      ['x-b', '3'],
      ['content-length', '2'],
    ]);
    expect(record.response?.body).toMatchObject({ text: '{}', encoding: 'utf8', bytes: 2 });
    expect(record.ending).toEqual({ kind: 'complete' });
    expect(record.headersMs).toBeLessThanOrEqual(record.endMs);
    expect(Date.parse(record.startedAt)).toBeLessThanOrEqual(Date.now());
  });

  it('is told with the time that it was given where it nearly took it, and not otherwise', async () => {
    const repliesAfter = (ms: number) =>
      raw((socket) => void setTimeout(() => socket.end(`${head}content-length: 2\r\n\r\n{}`), ms));
    const near = await attemptAt(await repliesAfter(850), {}, 1000);
    expect([near.ending, near.limitMs]).toEqual([{ kind: 'complete' }, 1000]);
    expect(await attemptAt(await repliesAfter(10), {}, 1000)).not.toHaveProperty('limitMs');
    const late = await attemptAt(await repliesAfter(500), {}, 50);
    expect(late.ending.kind).toBe('timeout');
    expect(late).not.toHaveProperty('limitMs');
  });

  it('is asked for with the real headers, the codings and the name of the suite', async () => {
    let seen: unknown;
    const server = await http((request, response) => {
      const { authorization, 'accept-encoding': coding, 'user-agent': agent } = request.headers;
      seen = { authorization, coding, agent, method: request.method, url: request.url };
      response.end();
    });
    const own = sender();
    await own.attempt(prepared(server.url, token));
    expect(seen).toEqual({
      authorization: `Bearer ${token}`,
      coding: 'gzip, deflate, br',
      agent: expect.stringMatching(/^inference-gateway-conformance\/\d/),
      method: 'POST',
      url: '/v1/responses',
    });
    expect(own.shown(prepared(server.url, token, { body: `{"key":"${token}"}` }))).toMatchObject({
      headers: { authorization: shownCredential, 'accept-encoding': 'gzip, deflate, br' },
      body: '{"key":"[redacted:default]"}',
    });
  });

  it('that is a redirect is not followed', async () => {
    let visits = 0;
    const other = await http((_request, response) => {
      visits += 1;
      response.end();
    });
    const server = await http((_request, response) => response.writeHead(307, { location: other.url }).end());
    const record = await attemptAt(server);
    expect([record.response?.status, record.ending.kind, visits]).toEqual([307, 'complete', 0]);
  });

  it('that is not UTF-8 is kept as base64', async () => {
    const server = await http((_request, response) => response.end(Buffer.from([0xff, 0x00, 0x80])));
    expect((await attemptAt(server)).response?.body).toMatchObject({
      text: '/wCA',
      encoding: 'base64',
      bytes: 3,
    });
  });
});

describe('an arrival', () => {
  const twoParts = (
    write: (response: Parameters<RequestListener>[1], part: string) => void,
  ): RequestListener => {
    return async (_request, response) => {
      write(response, 'first');
      await pause();
      write(response, 'second');
      response.end();
    };
  };

  it('is noted for each piece', async () => {
    const server = await http(twoParts((response, part) => response.write(part)));
    const { arrivals, bytes } = (await attemptAt(server)).response?.body ?? { arrivals: [], bytes: 0 };
    expect([arrivals.map(([sofar]) => sofar), bytes]).toEqual([[5, 11], 11]);
    expect((arrivals[1]?.[1] ?? 0) - (arrivals[0]?.[1] ?? 0)).toBeGreaterThan(30);
  });

  it('is noted when the encoded bytes came, as they are decoded', async () => {
    const server = await http(async (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      for (const part of ['first', 'second']) {
        gzip.write(part);
        await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, resolve));
        await pause();
      }
      gzip.end();
    });
    const { arrivals, text } = (await attemptAt(server)).response?.body ?? { arrivals: [], text: '' };
    expect([arrivals.map(([sofar]) => sofar), text]).toEqual([[5, 11], 'firstsecond']);
    expect((arrivals[1]?.[1] ?? 0) - (arrivals[0]?.[1] ?? 0)).toBeGreaterThan(30);
  });
});

describe('a content-encoding', () => {
  const text = JSON.stringify({ text: 'Hello '.repeat(5000) });
  const encoded = (coding: string, bytes: Buffer | string) =>
    http((_request, response) => response.writeHead(200, { 'content-encoding': coding }).end(bytes));

  it.each([
    ['gzip', gzipSync(text)],
    ['GZip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('%s is undone', async (coding, bytes) => {
    const record = await attemptAt(await encoded(coding, bytes));
    expect([record.ending.kind, record.response?.body.text]).toEqual(['complete', text]);
  });

  it.each(['gzip', 'deflate', 'br'])('%s of no bytes is an empty body', async (coding) => {
    const record = await attemptAt(await encoded(coding, ''));
    expect([record.ending.kind, record.response?.body.bytes]).toEqual(['complete', 0]);
  });

  it.each([
    ['gzip', Buffer.from('{"not":"gzip"}')],
    ['gzip', gzipSync(text).subarray(0, 60)],
    ['br', Buffer.from('{"not":"br"}')],
    ['deflate', Buffer.from([0x78, 0x9c, 1, 2, 3, 4, 5])],
    ['zstd', Buffer.from('x')],
    ['gzip, br', Buffer.from('x')],
  ])('%s of something else is undecodable', async (coding, bytes) => {
    const { ending, response } = await attemptAt(await encoded(coding, bytes));
    expect([ending.kind, response?.status]).toEqual(['undecodable', 200]);
    expect(endingWords(ending)).toContain(`content-encoding ${coding}`);
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('%s that hides a bomb is oversize, and kept to the bound', async (coding, bytes) => {
    const { ending, response } = await attemptAt(await encoded(coding, bytes));
    expect(ending.kind).toBe('oversize');
    expect(response?.body.bytes).toBeLessThanOrEqual(64 * 1024);
  });
});

describe('an ending', () => {
  const short = 200;
  it.each<[string, string, string | ((socket: Socket) => void), (number | null)?]>([
    ['unreachable', 'closed before any reply', (socket) => socket.end(), null],
    ['unreachable', 'reset before any reply', (socket) => socket.resetAndDestroy(), null],
    ['cut', 'closed within the headers', head, null],
    ['cut', 'a content-length not reached', `${head}content-length: 9\r\n\r\n{}`],
    ['cut', 'chunks without the last one', `${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`],
    [
      'cut',
      'a content-length not reached before a close that was announced',
      `${head}connection: close\r\ncontent-length: 9\r\n\r\n{}`,
    ],
    [
      'cut',
      'chunks without the last one before a close that was announced',
      `${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`,
    ],
    ['garbled', 'two lengths', `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, null],
    ['garbled', 'an upgrade', 'HTTP/1.1 101 No\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', null],
    ['garbled', 'line feeds only', 'HTTP/1.1 200 OK\ncontent-length: 2\n\n{}', null],
    ['garbled', 'not HTTP', 'SSH-2.0-OpenSSH\r\n', null],
    ['garbled', 'a chunk size that is none', `${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\nxyz\r\n`],
    ['oversize', 'headers without end', (socket) => socket.write(`${head}x: ${'a'.repeat(100_000)}`), null],
    ['oversize', 'many headers', (socket) => socket.write(head + 'x-a: bbbbbbbbbb\r\n'.repeat(8000)), null],
    [
      'oversize',
      'trailers without end',
      (socket) =>
        socket.write(
          `${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n${'x-a: bbbbbb\r\n'.repeat(9000)}`,
        ),
    ],
    ['timeout', 'silence', () => undefined, null],
    ['timeout', 'a body that does not end', (socket) => socket.write(`${head}content-length: 9\r\n\r\n{}`)],
    ['complete', 'a body that the close ends', `${head}\r\n{}`],
    ['complete', 'an early hint before the reply', `HTTP/1.1 103 Early Hints\r\n\r\n${head}\r\n{}`],
    ['complete', '100 Continue before the reply, unasked', `HTTP/1.1 100 Continue\r\n\r\n${head}\r\n{}`],
    [
      'complete',
      '100 Continue with a header, twice, and other interim replies',
      `HTTP/1.1 100 \r\nx: y\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${head}\r\n{}`,
    ],
    ['cut', '100 Continue that does not end', 'HTTP/1.1 100 Continue\r\n', null],
  ])('is %s: %s', async (kind, _name, answer, status = 200) => {
    const deed = typeof answer === 'string' ? (socket: Socket) => void socket.end(answer) : answer;
    const record = await attemptAt(await raw(deed), {}, kind === 'timeout' ? short : 5000);
    expect([record.ending.kind, record.response?.status ?? null]).toEqual([kind, status]);
    if (status === 200) expect(record.response?.body.text).toBe('{}');
    else expect(record.headersMs).toBeNull();
  });

  it('is cut where the connection is reset within the body', async () => {
    const server = await raw((socket) => {
      socket.write(`${head}content-length: 9\r\n\r\n{}`);
      void pause().then(() => socket.resetAndDestroy());
    });
    expect((await attemptAt(server)).ending.kind).toBe('cut');
  });

  it('is cut where a compressed stream breaks off, with all that came decoded', async () => {
    const server = await raw((socket) => {
      const bytes = gzipSync('Hello', { finishFlush: constants.Z_SYNC_FLUSH });
      socket.write(`${head}content-encoding: gzip\r\ncontent-length: 999\r\n\r\n`);
      socket.end(bytes);
    });
    const { ending, response } = await attemptAt(server);
    expect([ending.kind, response?.body.text]).toEqual(['cut', 'Hello']);
  });

  it('is unreachable where nobody listens, and says why', async () => {
    const server = await serveHttp(() => undefined);
    await server.close();
    const { ending, response } = await attemptAt(server);
    expect([ending.kind, response]).toEqual(['unreachable', null]);
    expect(endingWords(ending)).toContain('ECONNREFUSED');
  });

  it.each([
    ['head', (socket: Socket) => socket.write('x')],
    ['body', (socket: Socket) => socket.write('1\r\nx\r\n')],
  ])('is timeout where the %s drips for ever: no read resets the clock', async (part, drip) => {
    const server = await raw((socket) => {
      socket.write(part === 'head' ? `${head}x-slow: ` : `${head}transfer-encoding: chunked\r\n\r\n`);
      const timer = setInterval(() => drip(socket), 10);
      socket.on('close', () => clearInterval(timer));
    });
    expect((await attemptAt(server, {}, short)).ending).toEqual({
      kind: 'timeout',
      afterMs: 200,
    });
  });

  it('is oversize where the body has no end, and the connection is dropped', async () => {
    let closed: Promise<void> | undefined;
    const server = await raw((socket) => {
      closed = new Promise((resolve) => socket.on('close', () => resolve()));
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
      const more = (): void => {
        while (!socket.destroyed && socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`));
      };
      socket.on('drain', more);
      more();
    });
    const { ending, response } = await attemptAt(server);
    expect([ending.kind, response?.body.bytes]).toEqual(['oversize', 64 * 1024]);
    await closed;
  });
});

describe('a token', () => {
  const echoes: readonly (readonly [string, string])[] = [
    ['raw', token],
    ['base64', Buffer.from(`user:${token}`).toString('base64')],
    ['percent-encoded', encodeURIComponent(token)],
    ['hex', Buffer.from(token).toString('hex')],
  ];
  it.each(echoes)('echoed %s in headers and body, cut anywhere, is never recorded', async (_name, echo) => {
    const bytes = gzipSync(`{"error":"bad key ${echo}","n":1}`);
    const server = await raw((socket) => {
      socket.write(
        `${head}x-key: ${echo}\r\nx-${token.replace(/[/+]/g, '')}: 1\r\ncontent-encoding: gzip\r\n`,
      );
      socket.write(`content-length: ${bytes.length}\r\n\r\n`);
      for (const byte of bytes) socket.write(Buffer.of(byte));
      socket.end();
    });
    const record = await attemptAt(server);
    expect(record.ending.kind).toBe('complete');
    expect(redactor.leaks(JSON.stringify(record))).toEqual([]);
    expect(JSON.stringify(record)).not.toContain(echo);
    expect(JSON.parse(record.response?.body.text ?? '')).toMatchObject({ n: 1 });
  });

  it('echoed in pieces of a plain stream is masked to the same length, so that arrivals hold', async () => {
    const server = await http(async (_request, response) => {
      for (const part of ['data: "', token.slice(0, 5), token.slice(5), '"\n\n']) {
        response.write(part);
        await delay(5);
      }
      response.end();
    });
    const body = (await attemptAt(server)).response?.body;
    expect(body?.text).toBe(`data: "${'*'.repeat(token.length)}"\n\n`);
    expect(body?.arrivals.at(-1)?.[0]).toBe(body?.bytes);
  });
});

describe('bounds', () => {
  it('hold the list of arrivals where a body comes in very many pieces', () => {
    const collector = createCollector(1_000_000, 1000);
    for (let ms = 1; ms <= 10_500; ms += 1) expect(collector.add(Buffer.of(120), ms)).toBe(true);
    const { bytes, arrivals } = collector.body(redactor);
    expect([bytes, arrivals.at(-1)]).toEqual([10_500, [10_500, 10_500]]);
    expect(arrivals.length).toBeLessThanOrEqual(1001);
    expect(arrivals.every(([sofar, ms]) => sofar === ms)).toBe(true);
  });

  it('count a body as it is recorded: bytes that are escaped weigh more', () => {
    const collector = createCollector(1000, 10);
    expect(collector.add(Buffer.alloc(160), 1)).toBe(true);
    expect(collector.add(Buffer.alloc(160), 2)).toBe(false);
    expect(collector.weight()).toBe(6 * 320);
  });

  it('mask a secret before a body is cut, and cut no character in two', () => {
    const collector = createCollector(1000, 10);
    collector.add(Buffer.from(`žž${token}`), 1);
    expect(collector.body(redactor, 3)).toMatchObject({ text: 'ž', encoding: 'utf8', bytes: 2 });
    expect(collector.body(redactor, 4 + token.length - 1).text).toBe(`žž${'*'.repeat(token.length - 1)}`);
  });

  it('hold all bodies of a run together: once they are spent, each may be small only', async () => {
    const server = await http((_request, response) => response.end('x'.repeat(600)));
    const bounds = { allBytes: () => 1000, spentBytes: 100, partBytes: 10 };
    const own = createSender({ timeoutMs: 5000, redactor, bounds });
    const endings: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const { ending, response } = await own.attempt(prepared(server.url, token));
      endings.push(`${ending.kind} ${response?.body.bytes}`);
    }
    await own.close();
    expect(endings).toEqual(['complete 600', 'oversize 10', 'oversize 10']);
  });

  it('hold an error to the length of a text, also where a result may hold images', async () => {
    const server = await http((request, response) => {
      response.statusCode = request.url?.startsWith('/error') ? 500 : 200;
      response.end('x'.repeat(bodyBytes.text + 1));
    });
    const own = createSender({ timeoutMs: 5000, redactor });
    const sent = ['/result', '/error'].map((path) =>
      own.attempt({ ...prepared(`${server.url}${path}`, token), maxBytes: bodyBytes.images }),
    );
    const endings = (await Promise.all(sent)).map(({ ending }) => ending);
    await own.close();
    expect(endings).toEqual([
      { kind: 'complete' },
      { kind: 'oversize', bound: 'body', limit: bodyBytes.text },
    ]);
  });

  it('hold all bodies that are under way together', async () => {
    const server = await http((_request, response) => response.write('x'.repeat(600)));
    const own = createSender({ timeoutMs: 500, redactor, bounds: { flightBytes: 1000 } });
    const both = await Promise.all([1, 2].map(() => own.attempt(prepared(server.url, token))));
    await own.close();
    expect(both.map(({ ending }) => ending.kind).sort()).toEqual(['oversize', 'timeout']);
  });

  it('hold the number of headers', async () => {
    const server = await raw((socket) =>
      socket.end(`${head}${'a:\r\n'.repeat(501)}content-length: 2\r\n\r\n{}`),
    );
    const { ending, response } = await attemptAt(server);
    expect(ending).toEqual({ kind: 'oversize', bound: 'header-count', limit: 500 });
    expect(response?.headers).toHaveLength(500);
  });

  it('let no more through at once than the concurrency', async () => {
    let now = 0;
    let most = 0;
    const server = await http(async (_request, response) => {
      now += 1;
      most = Math.max(most, now);
      await delay(20);
      now -= 1;
      response.end('{}');
    });
    const own = sender(5000, 3);
    const records = await Promise.all([...Array(9)].map(() => own.attempt(prepared(server.url, token))));
    expect(records.map(({ ending }) => ending.kind)).toEqual(Array(9).fill('complete'));
    expect(most).toBe(3);
    expect(server.connections()).toBe(3);
  });
});

it('skips 100 Continue that comes for itself, on a connection that is used again, and in no body', async () => {
  const body = 'HTTP/1.1 100 Continue\r\n\r\n';
  const server = await raw(async (socket) => {
    socket.write(body);
    await pause();
    socket.write(`${head}content-length: ${body.length}\r\n\r\n`);
    await pause();
    socket.write(body);
  });
  const { attempt } = sender();
  for (const _ of [1, 2]) {
    const { ending, response } = await attempt(prepared(server.url, token));
    expect([ending.kind, response?.body.text]).toEqual(['complete', body]);
  }
  expect(server.connections()).toBe(1);
});

it('uses a connection again, and calls a stale one unreachable', async () => {
  const server = await raw((socket, request) => {
    if (request === 1) socket.write(`${head}content-length: 2\r\n\r\n{}`);
    else socket.destroy();
  });
  const own = sender();
  const first = await own.attempt(prepared(server.url, token));
  const second = await own.attempt(prepared(server.url, token));
  expect([first.ending.kind, second.ending.kind, second.response]).toEqual(['complete', 'unreachable', null]);
  expect(server.connections()).toBe(1);
});

it('measures how long its own event loop stood still', async () => {
  const server = await http(async (_request, response) => {
    response.write('x');
    await delay(20);
    const end = performance.now() + 80;
    while (performance.now() < end);
    response.end();
  });
  expect((await attemptAt(server)).stallMs).toBeGreaterThan(50);
});

it('adds up how often it stood still', async () => {
  const server = await http(async (_request, response) => {
    for (const _ of [1, 2, 3]) {
      response.write('x');
      await delay(30);
      const end = performance.now() + 60;
      while (performance.now() < end);
    }
    response.end();
  });
  expect((await attemptAt(server)).stallMs).toBeGreaterThan(100);
});

it('refuses a request that is not valid HTTP', async () => {
  const bad = prepared('http://127.0.0.1:9', token, { headers: { authorization: 'a\nb' } });
  await expect(sender().attempt(bad)).rejects.toThrow(
    "the request can't be sent: invalid authorization header",
  );
});

describe('close', () => {
  it('ends what is under way, what waits and what sleeps, at once', async () => {
    const server = await raw(() => undefined);
    const own = sender(60_000, 1);
    const waiting = [
      own.attempt(prepared(server.url, token)),
      own.attempt(prepared(server.url, token)),
      own.sleep(60_000, { kind: 'pause-asked-for' }),
    ].map((promise) =>
      promise.then(
        () => 'done',
        (error) => error,
      ),
    );
    await delay(30);
    await own.close();
    for (const outcome of await Promise.all(waiting)) expect(outcome).toBeInstanceOf(WireClosed);
    await expect(own.attempt(prepared(server.url, token))).rejects.toBeInstanceOf(WireClosed);
  });

  it('follows the signal', async () => {
    const stop = new AbortController();
    const server = await raw(() => undefined);
    const own = createSender({ timeoutMs: 60_000, redactor, signal: stop.signal });
    const under = own.attempt(prepared(server.url, token));
    setTimeout(() => stop.abort(), 20);
    await expect(under).rejects.toBeInstanceOf(WireClosed);
    const late = createSender({ timeoutMs: 60_000, redactor, signal: stop.signal });
    await expect(late.attempt(prepared(server.url, token))).rejects.toBeInstanceOf(WireClosed);
  });
});
