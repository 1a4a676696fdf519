import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { selfSigned } from './certificate.fixture.ts';
import { type Loopback, listening, prepared, serveHttp } from './loopback.fixture.ts';
import { proxyFor, proxyHeaders } from './proxy.ts';
import { createRedactor } from './redaction/redact.ts';
import { createSender } from './send.ts';

const of = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.url.href;
const proxy = 'http://proxy.test:3128';

describe('the proxy of an address', () => {
  it.each([
    ['http://a.test', { HTTP_PROXY: proxy }, `${proxy}/`],
    ['http://a.test', { http_proxy: 'http://lower.test', HTTP_PROXY: proxy }, 'http://lower.test/'],
    ['http://a.test', { HTTPS_PROXY: proxy }, undefined],
    ['https://a.test', { HTTPS_PROXY: proxy }, `${proxy}/`],
    ['https://a.test', { HTTP_PROXY: proxy }, undefined],
    ['http://a.test', { HTTP_PROXY: 'proxy.test:3128' }, `${proxy}/`],
    ['http://a.test', { HTTP_PROXY: '' }, undefined],
    // As curl does it: a loopback address is no exception.
    ['http://127.0.0.1:8080', { HTTP_PROXY: proxy }, `${proxy}/`],
    ['http://127.0.0.1:8080', { HTTP_PROXY: proxy, NO_PROXY: 'localhost,127.0.0.1' }, undefined],
    ['http://127.0.0.1:8080', { HTTP_PROXY: proxy, no_proxy: '127.0.0.0/8' }, undefined],
    ['http://a.b.test', { HTTP_PROXY: proxy, NO_PROXY: 'b.test' }, undefined],
    ['http://a.b.test', { HTTP_PROXY: proxy, NO_PROXY: '.b.test' }, undefined],
    ['http://ab.test', { HTTP_PROXY: proxy, NO_PROXY: 'b.test' }, `${proxy}/`],
    ['http://a.test:81', { HTTP_PROXY: proxy, NO_PROXY: 'a.test:80' }, `${proxy}/`],
    ['http://[::1]:80', { HTTP_PROXY: proxy, NO_PROXY: '::1' }, undefined],
    ['http://a.test', { HTTP_PROXY: proxy, NO_PROXY: '*' }, undefined],
  ])('%s with %o is %s', (url, env, expected) => {
    expect(of(url, env)).toBe(expected);
  });

  it('has its user in a header of its own', () => {
    const found = proxyFor(new URL('http://a.test'), { HTTP_PROXY: 'http://me:p%40ss@proxy.test' });
    expect(found && proxyHeaders(found)).toEqual({
      'proxy-authorization': `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    });
  });

  it('that can’t be used is an error that names the variable', () => {
    expect(() => of('http://a.test', { HTTP_PROXY: 'socks5://x.test' })).toThrow(/^HTTP_PROXY: /);
  });
});

const open: Loopback[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const one of open.splice(0)) await one.close();
});

/** A proxy that notes what it is asked, and refuses to connect with a status where one is given. */
async function proxyNoting(asked: string[], status?: number): Promise<Loopback> {
  const server = createServer((request: IncomingMessage, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    response.writeHead(status ?? 200).end('through the proxy');
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    if (status !== undefined) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const [host, port] = (request.url ?? '').split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
  });
  const made = await listening(server);
  open.push(made);
  return made;
}

async function attempt(url: string) {
  const sender = createSender({ timeoutMs: 2_000, redactor: createRedactor([]) });
  try {
    return await sender.attempt(prepared(url, 'sk-token'));
  } finally {
    await sender.close();
  }
}

describe('a request through a proxy', () => {
  it('without TLS asks it for the whole address', async () => {
    const asked: string[] = [];
    vi.stubEnv('http_proxy', (await proxyNoting(asked)).url);
    vi.stubEnv('no_proxy', '');
    const { response } = await attempt('http://gateway.test:8080');
    expect(response?.body.text).toBe('through the proxy');
    expect(asked).toEqual(['POST http://gateway.test:8080/v1/responses']);
  });

  it('with TLS asks it for a connection', async () => {
    const asked: string[] = [];
    vi.stubEnv('https_proxy', (await proxyNoting(asked, 407)).url);
    vi.stubEnv('no_proxy', '');
    const { response, ending } = await attempt('https://gateway.test');
    expect(asked).toEqual(['CONNECT gateway.test:443']);
    expect(response).toBe(null);
    expect(ending).toMatchObject({ kind: 'unreachable', proxyStatus: 407 });
  });

  it('with TLS speaks to the target through that connection', async () => {
    const asked: string[] = [];
    const target = await listening(createTlsServer(selfSigned()), 'https');
    open.push(target);
    vi.stubEnv('https_proxy', (await proxyNoting(asked)).url);
    vi.stubEnv('no_proxy', '');
    const { ending } = await attempt(target.url);
    expect(asked).toEqual([`CONNECT ${new URL(target.url).host}`]);
    // It got the certificate of the target, which it does not trust.
    expect(ending).toMatchObject({
      kind: 'unreachable',
      detail: expect.stringMatching(/^its certificate is signed by itself/),
    });
  });

  it('goes past it where NO_PROXY names the host', async () => {
    const asked: string[] = [];
    const direct = await serveHttp((request, response) => {
      request.resume();
      response.end('direct');
    });
    open.push(direct);
    vi.stubEnv('http_proxy', (await proxyNoting(asked)).url);
    vi.stubEnv('no_proxy', '127.0.0.1');
    expect((await attempt(direct.url)).response?.body.text).toBe('direct');
    expect(asked).toEqual([]);
  });
});
