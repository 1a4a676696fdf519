import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttp, request as send, type ServerResponse } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTls } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { createGateway, type Listening } from '../../fixtures/gateway/gateway.ts';
import { listening } from '../../suites/wire/loopback.fixture.ts';
import { cpuOf, hangingMs, judging, settings, startJudging, sweep } from './process.fixture.ts';
import { evidenceLines, expectCalm, expectNoSecret, expectSafe } from './safe.fixture.ts';
import { hostile } from './server.fixture.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});
vi.setConfig({ testTimeout: hangingMs + 30_000 });
afterEach(sweep);

const kept = <T extends { close: () => Promise<void> }>(server: T): T => {
  open.push(server.close);
  return server;
};

const gateway = async (host?: string): Promise<Listening> =>
  kept(
    await createGateway({ console: { ...settings, pace: { initialMs: 1, tokenMs: 1 } } }).listen(
      host ? { host } : {},
    ),
  );

/** Something between the suite and a conformant gateway. */
const before = async (make: (port: number) => Server): Promise<string> =>
  kept(await listening(make(Number(new URL((await gateway()).url).port)))).url;

/** Passes requests on; `change` says what becomes of the request and of its reply. */
const proxy = (
  port: number,
  change: { path?: (path: string) => string | null; headers?: object; destroy?: (place: number) => boolean },
): Server => {
  let place = 0;
  return createHttp((request, response) => {
    place += 1;
    const path = change.path ? change.path(request.url ?? '') : (request.url ?? '');
    if (path === null) return void response.writeHead(404).end();
    if (change.destroy?.(place)) return void request.socket.destroy();
    const onward = send({ port, path, method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...change.headers });
      answer.pipe(response);
    });
    request.pipe(onward);
  });
};

test.each([
  [
    'below a path',
    async () =>
      `${await before((port) => proxy(port, { path: (path) => (path.startsWith('/gw/v1/') ? path.slice(3) : null) }))}/gw`,
  ],
  ['on IPv6', async () => (await gateway('::1')).url],
  [
    'that closes each connection and says so',
    () => before((port) => proxy(port, { headers: { connection: 'close' } })),
  ],
])('a conformant gateway %s is conformant', async (_name, serve) => {
  const judged = await judging(await serve(), ['--timeout', '20'], hangingMs);
  expect(expectSafe(judged, [0]).verdict).toBe('conformant');
});

test('a gateway that drops every other connection is found at fault for that alone', async () => {
  const url = await before((port) => proxy(port, { destroy: (place) => place % 2 === 0 }));
  const judged = await judging(url, ['--timeout', '20', '--suite', 'results'], hangingMs);
  const failed = expectSafe(judged, [0, 1, 3]).requirements.filter(({ verdict }) => verdict === 'fail');
  expect(failed.filter(({ id }) => id !== 'service.availability')).toEqual([]);
});

test('a gateway that closes a connection without a word after each reply does no harm', async () => {
  const url = await before((port) =>
    createServer((socket) => {
      const upstream = connect(port, '127.0.0.1');
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
      socket.pipe(upstream);
      upstream.on('data', (bytes) => {
        socket.write(bytes);
        if (bytes.includes('0\r\n\r\n') || /content-length/i.test(bytes.toString('latin1')))
          setTimeout(() => socket.end(), 1);
      });
    }),
  );
  const judged = await judging(url, ['--timeout', '20', '--suite', 'results,errors'], hangingMs);
  expect(expectSafe(judged, [0, 3]).requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
});

test('a target that answers before it was asked does no harm', async () => {
  const early = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
  const url = kept(await listening(createServer((socket: Socket) => void socket.end(early)))).url;
  expectSafe(await judging(url, ['--timeout', '2', '--suite', 'results'], hangingMs), [1, 3]);
});

test('a target that dies in the middle leaves a run that decides nothing', async () => {
  const own = await gateway();
  const run = startJudging(own.url, ['--timeout', '3'], 60_000);
  const evidence = join(run.dir, 'evidence.jsonl');
  const begun = () => existsSync(evidence) && readFileSync(evidence, 'utf8').split('\n').length > 40;
  for (let tries = 0; tries < 1000 && !begun(); tries += 1) await sleep(5);
  await own.close();
  const report = expectSafe(await run.ended, [3]);
  expect(report.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(report.summary.inconclusive).toBeGreaterThan(0);
});

/** A certificate that nobody signed but itself; null where there is no openssl. */
function selfSigned(): { key: Buffer; cert: Buffer } | null {
  const dir = mkdtempSync(join(tmpdir(), 'tls-'));
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const how = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '1',
  ];
  const made = spawnSync('openssl', [...how, '-subj', '/CN=localhost', '-keyout', key, '-out', cert]);
  const pair = made.status === 0 ? { key: readFileSync(key), cert: readFileSync(cert) } : null;
  rmSync(dir, { recursive: true });
  return pair;
}

const pair = selfSigned();
test.skipIf(pair === null)('a certificate that nobody signed is named, and nothing is sent', async () => {
  let sent = 0;
  const server = createTls({ ...pair }, (socket) => socket.on('data', () => (sent += 1)));
  server.on('tlsClientError', () => undefined);
  const url = kept(await listening(server, 'https')).url;
  const judged = await judging(url, ['--timeout', '2'], 30_000);
  expectCalm(judged);
  expect([judged.code, sent]).toEqual([3, 0]);
  expect(judged.stderr).toMatch(/certificate/i);
});

test('a target that speaks no TLS where TLS is asked for is named', async () => {
  const target = kept(await hostile(() => undefined));
  const judged = await judging(target.url.replace('http:', 'https:'), ['--timeout', '1'], 30_000);
  expectCalm(judged);
  expect([judged.code, target.requests()]).toEqual([3, 0]);
  expect(judged.stderr).toContain("can't be reached");
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a run that ends by %s leaves the evidence it had',
  async (signal) => {
    const slow = await createGateway({
      console: { ...settings, pace: { initialMs: 60, tokenMs: 0 } },
    }).listen();
    kept(slow);
    const run = startJudging(slow.url, ['--concurrency', '4'], 60_000);
    const evidence = join(run.dir, 'evidence.jsonl');
    const begun = () => existsSync(evidence) && readFileSync(evidence, 'utf8').split('\n').length > 60;
    for (let tries = 0; tries < 2000 && !begun(); tries += 1) await sleep(5);
    run.kill(signal);
    const judged = await run.ended;
    const kinds = evidenceLines(readFileSync(evidence)).map(({ kind }) => kind);
    expect(kinds[0]).toBe('header');
    expect(kinds.length).toBeGreaterThan(59);
    if (signal === 'SIGTERM') expect(expectSafe(judged, [3]).run.partial).toBe(true);
    else {
      expect(judged.signal).toBe('SIGKILL');
      expect(existsSync(join(run.dir, 'report.json'))).toBe(false);
      expectNoSecret(judged);
    }
  },
);

const slowGateway = async (): Promise<Listening> =>
  kept(await createGateway({ console: { ...settings, pace: { initialMs: 40, tokenMs: 3 } } }).listen());

test.each([150, 400, 700, 1000, 1300, 1600, 2000])(
  'a signal after %i ms ends a run as stopped, never as anything else',
  async (afterMs) => {
    const { url } = await slowGateway();
    const run = startJudging(url, ['--timeout', '20'], 60_000);
    await sleep(afterMs);
    run.kill(afterMs % 200 === 0 ? 'SIGINT' : 'SIGTERM');
    const judged = await run.ended;
    const evidence = join(run.dir, 'evidence.jsonl');
    // Before it took signals itself, or before it had written anything, nothing may lie there.
    if (!existsSync(evidence))
      expect([existsSync(run.dir), judged.code === 3 || judged.code === null]).toEqual([false, true]);
    else expect(expectSafe(judged, [3]).run.partial).toBe(true);
  },
);

/** Milliseconds of CPU that a run takes from SIGTERM on, sent 1.5 seconds after it asked for images. */
async function cpuOfEnding(answer: (response: ServerResponse, echoed: string) => void): Promise<number> {
  let sent = 0;
  const echoing = (port: number): Server => {
    const pass = proxy(port, {});
    return createHttp((request, response) => {
      if (!request.url?.includes('images')) return void pass.emit('request', request, response);
      sent += 1;
      answer(response, [...Buffer.from(`no such key: ${request.headers.authorization}; `)].join());
    });
  };
  const run = startJudging(await before(echoing), [], 80_000);
  for (let tries = 0; tries < 4000 && sent === 0; tries += 1) await sleep(5);
  await sleep(1500);
  const cpuBefore = cpuOf(run.pid);
  run.kill('SIGTERM');
  let cpu = cpuBefore;
  const look = setInterval(() => {
    cpu = Math.max(cpu, cpuOf(run.pid));
  }, 20);
  const judged = await run.ended;
  clearInterval(look);
  expect(expectSafe(judged, [3]).run.partial).toBe(true);
  return cpu - cpuBefore;
}

test('a run that masks megabytes of its own key ends by SIGTERM at once, with the evidence it had', async () => {
  // What the report takes is the machine's: a run whose images are never answered takes it, too.
  const ofReport = await cpuOfEnding((response) => response.write('{'));
  // Masking takes ten seconds of CPU for each of these replies.
  const withMasking = await cpuOfEnding((response, echoed) => {
    const echo = `${echoed},`.repeat(28_000_000 / echoed.length);
    response.end(`{"created":1,"data":[{"b64_json":"AAAA"}],"debug":[${echo}0]}`);
  });
  expect(withMasking - ofReport).toBeLessThan(2_000);
});

test('a second signal ends a run at once', async () => {
  const target = kept(await hostile(() => undefined));
  const run = startJudging(target.url, ['--timeout', '20'], 60_000);
  const evidence = join(run.dir, 'evidence.jsonl');
  for (let tries = 0; tries < 2000 && !existsSync(evidence); tries += 1) await sleep(5);
  run.kill('SIGTERM');
  await sleep(30);
  run.kill('SIGTERM');
  expect((await run.ended).code).toBe(3);
  expect(evidenceLines(readFileSync(evidence))[0]?.kind).toBe('header');
});
