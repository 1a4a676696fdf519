import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { faultById } from '../../../fixtures/faults/index.ts';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { targetFor } from '../../../fixtures/gateway/describe.ts';
import { createGateway } from '../../../fixtures/gateway/gateway.ts';
import type { Hooks } from '../../../fixtures/gateway/hooks.ts';
import type { Target } from '../../../fixtures/target/target.ts';
import { packageRoot } from '../../../spec/package-root.ts';
import type { InteropClient, InteropClientName } from '../../types/interop.ts';
import { createRedactor } from '../../wire/redaction/redact.ts';
import { type Loopback, serveHttp } from '../../wire/loopback.fixture.ts';
import { installedClient } from '../installed.ts';
import { runClients } from '../run-clients.ts';
import { nothingShown, interopTrials } from '../trials.ts';

const settings = defaultConsole();

const installedHere = (client: InteropClientName) =>
  installedClient(client, [packageRoot], process.versions.node);

async function targetOf(hooks: Hooks): Promise<Target> {
  const listening = await createGateway({ console: settings, hooks }).listen();
  onTestFinished(() => listening.close());
  return targetFor(settings, listening.url);
}

async function targetServedBy(listener: Parameters<typeof serveHttp>[0]): Promise<Target> {
  const server: Loopback = await serveHttp(listener);
  onTestFinished(() => server.close());
  return targetFor(settings, server.url);
}

/** What the clients that are installed here meet, all of them or one. */
async function met(
  target: Target,
  { only, timeoutMs = 20_000 }: { readonly only?: InteropClientName; readonly timeoutMs?: number } = {},
): Promise<readonly InteropClient[]> {
  const clients = interopTrials(target, () => undefined, nothingShown)
    .filter(({ client }) => only === undefined || client === only)
    .map((each) => ({ ...each, installed: installedHere(each.client) }));
  const { text } = createRedactor(
    Object.entries(target.tokens).map(([label, { value }]) => ({ label, value })),
  );
  return runClients(clients, { timeoutMs, pauseMs: 0, signal: new AbortController().signal, clean: text });
}

const failures = (clients: readonly InteropClient[]): readonly string[] =>
  clients.flatMap(({ client, results }) =>
    results
      .filter(({ ok }) => !ok)
      .map(({ protocol, asked, error }) => `${client}, ${protocol}, ${asked}: ${error}`),
  );

test('all official clients work with the reference gateway on every endpoint, and tell its errors apart', async () => {
  const target = await targetOf({});
  const clients = await met(target);
  expect(failures(clients)).toEqual([]);
  expect(clients.map(({ client, results, generations }) => [client, results.length, generations])).toEqual([
    ['openai', 14, 5],
    ['@anthropic-ai/sdk', 5, 2],
    ['ai with @ai-sdk/openai', 14, 5],
    ['ai with @ai-sdk/anthropic', 5, 2],
  ]);
  expect(clients.every(({ notRun }) => notRun === undefined)).toBe(true);
  // Section 4.2: only this one appends /v1 itself.
  expect(clients.map(({ baseUrl }) => baseUrl)).toEqual([
    `${target.baseUrl}/v1`,
    target.baseUrl,
    `${target.baseUrl}/v1`,
    `${target.baseUrl}/v1`,
  ]);
}, 60_000);

test('a chat stream without blank lines between its events fails in both clients of chat, and nowhere else', async () => {
  const clients = await met(
    await targetOf({
      frame: (framing, { protocol }) =>
        protocol === 'chat'
          ? { ...framing, event: (event, at) => framing.event(event, at).replace(/\n\n$/, '\n') }
          : framing,
    }),
  );
  expect(failures(clients).map((line) => line.split(':')[0])).toEqual([
    'openai, chat, stream',
    'ai with @ai-sdk/openai, chat, stream',
  ]);
}, 60_000);

test('a response without output, and errors that are all alike, are told in the words of the client', async () => {
  const hooks = faultById('responses.result.output.missing')?.hooks ?? {};
  expect(failures(await met(await targetOf(hooks), { only: 'openai' }))).toEqual([
    'openai, responses, answer: TypeError: rsp.output is not iterable',
  ]);
  const alike = await met(await targetOf(faultById('errors.all-alike')?.hooks ?? {}), {
    only: '@anthropic-ai/sdk',
  });
  expect(failures(alike).map((line) => line.replace(/\{.*\} /, ''))).toEqual([
    '@anthropic-ai/sdk, messages, invalid-token: BadRequestError: 400 (status 400), where an authentication error is due',
    '@anthropic-ai/sdk, messages, spent-token: BadRequestError: 400 (status 400), where a rate-limit error is due',
  ]);
}, 60_000);

test('a token that the target repeats in an error is masked, and a redirect is not followed with it', async () => {
  const asked: string[] = [];
  const target = await targetServedBy((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/v1/messages') {
      const body = { error: { message: `no such token ${String(request.headers['x-api-key'])}` } };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    } else response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const clients = [
    ...(await met(target, { only: '@anthropic-ai/sdk' })),
    ...(await met(target, { only: 'openai' })),
  ];
  const token = target.tokens['third-party-client'];
  expect(failures(clients).length).toBeGreaterThan(10);
  expect(JSON.stringify(clients)).toContain('no such token');
  expect(JSON.stringify(clients)).not.toContain(token?.value);
  expect(asked).not.toContain('/elsewhere');
}, 60_000);

test('a target that never answers costs each request its timeout and no more', async () => {
  const target = await targetServedBy(() => undefined);
  const [client] = await met(target, { only: '@anthropic-ai/sdk', timeoutMs: 300 });
  expect(client?.results.map(({ ok }) => ok)).toEqual([false, false, false, false, false]);
}, 60_000);

/** Asks the target, with a client in the place of openai that does this when it is made; then one that is whole. */
async function metWith(deed: string, { clients, timeoutMs }: { clients: number; timeoutMs: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'clients-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dir = join(folder, 'node_modules', 'openai');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{"version":"6.0.0","type":"module","exports":"./index.js"}');
  writeFileSync(join(dir, 'index.js'), `export default class { constructor() { ${deed} } }`);
  const target = await targetOf({});
  return runClients(
    interopTrials(target, () => undefined, nothingShown)
      .slice(0, clients)
      .map((each) => ({
        ...each,
        installed: installedClient(each.client, [folder, packageRoot], '20.20.2'),
      })),
    { timeoutMs, pauseMs: 0, signal: new AbortController().signal, clean: (text) => text },
  );
}

test('a client that ends its process is not asked further, and no other loses by it', async () => {
  const clients = await metWith('process.exit(1);', { clients: 2, timeoutMs: 20_000 });
  expect(clients.map(({ results }) => results.map(({ ok }) => ok))).toEqual([
    [false, false],
    [true, true, true, true, true],
  ]);
  expect(clients[0]?.results[0]?.error).toBe('the client ended its process, or ran out of memory');
  expect(clients[0]?.notRun).toBe('12 requests not made: 2 requests ended its process or hung');
}, 60_000);

test('a client that never settles, or never gives the core back, is told and not asked further', async () => {
  const never =
    'return new Proxy(Object, { get: (_, __, self) => self, apply: () => new Promise(() => {}) });';
  const met = (deed: string) => metWith(deed, { clients: 1, timeoutMs: 200 });
  // As a large report would have it: a clock that is only a signal may be collected before it rings.
  setFlagsFromString('--expose-gc');
  const collecting = setInterval(runInNewContext('gc') as () => void, 100);
  onTestFinished(() => clearInterval(collecting));
  const error = 'the client gave neither a result nor an error within 0.2 s';
  for (const [client] of await Promise.all([met(never), met('for (;;);')])) {
    expect(client?.results.map((result) => result.error)).toEqual([error, error]);
    expect(client?.notRun).toBe('12 requests not made: 2 requests ended its process or hung');
  }
}, 60_000);
