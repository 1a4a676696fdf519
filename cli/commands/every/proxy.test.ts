import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { configYaml, targetFor } from '../../../fixtures/gateway/describe.ts';
import { createGateway, type Listening } from '../../../fixtures/gateway/gateway.ts';
import { packageFile } from '../../../spec/package-root.ts';
import type { Exchange } from '../../../suites/types/exchange.ts';
import type { Report } from '../../../suites/types/report.ts';
import { listening } from '../../../suites/wire/loopback.fixture.ts';
import { call, command, type Ended } from '../../command.fixture.ts';
import type { EvidenceHeader } from '../../files/evidence-file.ts';
import { artefacts } from '../../files/folder.ts';
import { tokensByVariable as env } from '../../folder.fixture.ts';

// The thread that judges is loaded from the build: this compiles where the sources are newer.
beforeAll(() => command(['--version']), 60_000);

let dir: string;
let gateway: Listening;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'proxy-command-'));
  gateway = await createGateway().listen();
  writeFileSync(join(dir, 'gateway-conformance.yaml'), configYaml(defaultConsole(), gateway.url));
});
afterEach(async () => {
  await gateway.close();
  rmSync(dir, { recursive: true, force: true });
});

const proxy = (...args: string[]): Promise<Ended> => call(['proxy', ...args], { cwd: dir, env });

async function freePort(): Promise<number> {
  const server = await listening(createServer());
  await server.close();
  return Number(new URL(server.url).port);
}

/** Asks the gateway through the proxy, as soon as that listens. */
async function ask(port: number, token: string): Promise<number> {
  const { models } = targetFor(defaultConsole(), '');
  for (let tries = 0; tries < 1_200; tries += 1) {
    try {
      const reply = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ model: models.multimodal, messages: [{ role: 'user', content: 'Hello' }] }),
      });
      await reply.text();
      return reply.status;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  throw new Error('the proxy does not listen');
}

it('traffic is judged at a signal: every file of DIR, the exit code, and the same verdicts from the evidence', async () => {
  const port = await freePort();
  const ended = proxy('--port', String(port), '--out', 'live', '--every', '1s');
  expect(await ask(port, env.GATEWAY_TOKEN_DEFAULT ?? '')).toBe(200);
  expect(await ask(port, 'sk-of-a-client-4711')).toBe(401);
  const on = join(dir, 'live', 'report.json');
  // The first report may be of the first request alone.
  const passed = (): number | undefined =>
    existsSync(on) ? (JSON.parse(readFileSync(on, 'utf8')) as Report).run.traffic?.passed : undefined;
  for (let tries = 0; passed() !== 2 && tries < 600; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(passed()).toBe(2);
  process.emit('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`openai:    base URL http://127.0.0.1:${port}/v1`);
  expect(stdout).toContain('Judged from live traffic.');
  const files = artefacts.map((name) => join(dir, 'live', name));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const texts = files.filter((file) => !file.endsWith('results')).map((file) => readFileSync(file, 'utf8'));
  expect(
    texts.filter((text) => /4711/.test(text) || text.includes(env.GATEWAY_TOKEN_DEFAULT ?? '?')),
  ).toEqual([]);
  for (const name of ['report.html', 'report.md'])
    expect(readFileSync(join(dir, 'live', name), 'utf8')).toMatch(/judged from live traffic/i);
  const report = JSON.parse(readFileSync(on, 'utf8')) as Report;
  expect(report.scope.source).toBe('live-traffic');
  const again = await call(['judge', 'live'], { cwd: dir });
  expect(again.stdout).not.toContain('differs');
  expect(again.code).toBe(0);
  expect((await call(['verify', 'live'], { cwd: dir })).stdout).toContain('Report and evidence agree.');
}, 90_000);

it('own statements are judged apart, and both runs begin before what was recorded for them', async () => {
  const port = await freePort();
  const ended = proxy(
    '--port',
    String(port),
    '--out',
    'apart',
    '--extend',
    packageFile('examples/own/top-k.yaml'),
  );
  // It is asked as soon as it listens: what judges starts later.
  expect(await ask(port, env.GATEWAY_TOKEN_DEFAULT ?? '')).toBe(200);
  process.emit('SIGTERM');
  await ended;
  for (const folder of ['apart', 'apart/own']) {
    const lines = readFileSync(join(dir, folder, 'evidence.jsonl'), 'utf8').split('\n');
    const [header, exchange] = lines.slice(0, 2).map((line) => JSON.parse(line) as EvidenceHeader & Exchange);
    expect(Date.parse(header?.startedAt ?? '')).toBeLessThanOrEqual(
      Date.parse(exchange?.timing.startedAt ?? ''),
    );
    expect((await call(['verify', folder], { cwd: dir })).stdout).toContain('Report and evidence agree.');
  }
}, 90_000);

it('a gateway that nobody asked is not judged', async () => {
  const port = await freePort();
  const ended = proxy('--port', String(port));
  // A path that is no endpoint shows that it listens.
  for (let up = false; !up; )
    up = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  process.emit('SIGTERM');
  const { code, stdout } = await ended;
  expect(code).toBe(3);
  expect(stdout).toContain('1 to other paths');
}, 90_000);

it('where its folder is another’s by the end, everything has passed and that is one error', async () => {
  const port = await freePort();
  const ended = proxy('--port', String(port), '--out', 'live');
  expect(await ask(port, env.GATEWAY_TOKEN_DEFAULT ?? '')).toBe(200);
  const evidence = join(dir, 'live', 'evidence.jsonl');
  for (let tries = 0; !existsSync(evidence) && tries < 600; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  rmSync(evidence);
  expect(await ask(port, env.GATEWAY_TOKEN_DEFAULT ?? '')).toBe(200);
  process.emit('SIGINT');
  const { code, stderr } = await ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/evidence\.jsonl: another run is writing to this folder.*--out DIR\n$/);
}, 90_000);

it.each<[string, string[], RegExp]>([
  ['no port', [], /required option '--port <number>' not specified/],
  ['what is no port', ['--port', '70000'], /whole number from 0 to 65535/],
  ['what is no time', ['--port', '0', '--every', '5'], /a time such as 60s, 5m or 1h/],
  ['too little room', ['--port', '0', '--max-evidence', '1'], /whole number from 10000/],
  ['a config that is not there', ['--port', '0', '--config', 'no.yaml'], /no\.yaml: no such config file/],
  ['no impact', ['--port', '0', '--fail-on', 'sometimes'], /--fail-on: unknown value "sometimes"/],
  ['a folder that is a file', ['--port', '0', '--out', 'gateway-conformance.yaml'], /a file has this name/],
  [
    'an address of others',
    ['--port', '0', '--host', '203.0.113.7'],
    /--host 203\.0\.113\.7: is no address of this/,
  ],
])('%s is one error and exit code 2', async (_, args, message) => {
  const { code, stdout, stderr } = await proxy(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(existsSync(join(dir, 'conformance-report'))).toBe(false);
});

it('a port in use is one error, and nothing is written', async () => {
  const { port } = new URL(gateway.url);
  const { code, stderr } = await proxy('--port', port, '--out', 'live');
  expect(code).toBe(2);
  expect(stderr).toContain(`--port ${port}: can't be listened on (EADDRINUSE); 0 takes a free one`);
  expect(existsSync(join(dir, 'live'))).toBe(false);
});
