import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { everything, planRun } from '../plan/plan.ts';
import { judgeRun } from '../judge/judge-run.ts';
import { executePlan } from '../run/execute-plan.ts';
import { selfSigned } from '../wire/certificate.fixture.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The first cause of a run in smoke against an address, and how many requests were sent. */
async function firstCause(baseUrl: string) {
  const target = targetFor(defaultConsole(), baseUrl);
  const settings = { seed: 1, selection: everything };
  const plan = planRun(target, { ...settings, profile: 'smoke', skipCostly: false });
  const options = { ...settings, concurrency: 8, timeoutMs: 2_000 };
  const policy = { backOffMs: 1, outageBackOffMs: 1 };
  const ran = await executePlan(target, plan, { ...options, policy });
  const report = judgeRun(target, plan, ran.evidence, { ...settings, ...ran, runId: 'run' });
  expect(report.verdict).toBe('inconclusive');
  expect(report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'pass')).toEqual([]);
  return report.causes?.[0];
}

const answering = (listener: RequestListener): Server =>
  createServer((request, response) => {
    request.resume();
    listener(request, response);
  });

describe('an address that is not that of a gateway is said to be', () => {
  it.each([
    ['base-address', 'one where every path answers alike', 404, {}],
    ['base-address:redirected', 'one that leads to a login', 302, { location: 'https://login.test/' }],
    ['base-address:upstream-down', 'a proxy whose gateway is down', 502, {}],
    [
      'base-address:proxy-credentials',
      'a proxy that wants credentials',
      407,
      { 'proxy-authenticate': 'Basic' },
    ],
  ])('%s: %s', async (id, _, status, headers) => {
    const page = answering((_request, response) => response.writeHead(status, headers).end('<h1>no</h1>'));
    const cause = await firstCause(`http://127.0.0.1:${await portOf(page)}`);
    expect(cause).toMatchObject({ id, configKeys: ['target.baseUrl'] });
    expect(cause?.summary).toContain(String(status));
  });

  it('one that speaks https, where the config says http', async () => {
    const server = createTlsServer(selfSigned(), () => undefined);
    const cause = await firstCause(`http://127.0.0.1:${await portOf(server)}`);
    expect(cause).toMatchObject({ id: 'base-address:speaks-https', configKeys: ['target.baseUrl'] });
  });
});
