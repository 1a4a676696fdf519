import { request as send } from 'node:http';
import { expect, test } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { judgeRun } from '../judge/judge-run.ts';
import { planRun, everything } from '../plan/plan.ts';
import { serveHttp } from '../wire/loopback.fixture.ts';
import { executePlan } from './execute-plan.ts';

const [concurrency, timeoutMs] = [4, 2_000];
const selection = { ...everything, requirements: ['service.broken-off-streams'] };

/** What is observed of a gateway behind a relay that may refuse whatever comes behind a stream that was broken off. */
async function observed(refusesBehind: boolean) {
  const settings = { ...defaultConsole(), pace: { initialMs: 0, tokenMs: 3 } };
  const gateway = await createGateway({ console: settings }).listen();
  let broken = 0;
  const relay = await serveHttp((request, response) => {
    if (refusesBehind && broken > 0) {
      response.writeHead(409, { 'content-type': 'application/json' });
      return void response.end('{"error":{"code":"busy"}}');
    }
    const { method, url, headers } = request;
    const onward = send({ port: new URL(gateway.url).port, path: url, method, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 500, upstream.headers);
      upstream.pipe(response);
    });
    response.on('close', () => {
      if (!response.writableFinished) broken += 1;
    });
    request.pipe(onward);
  });
  const target = targetFor(settings, relay.url);
  const general = { ...target, models: { general: target.models.general ?? '' } };
  const asked = { seed: 1, selection };
  const plan = planRun(general, { ...asked, profile: 'full', skipCostly: false });
  const ran = await executePlan(general, plan, { ...asked, concurrency, timeoutMs });
  await relay.close();
  await gateway.close();
  const { observations } = judgeRun(general, plan, ran.evidence, { ...asked, ...ran, runId: 'run' });
  return { broken, values: [...new Set(observations.map(({ value }) => value))] };
}

test('a stream is broken off at its first byte, and what the next request gets is observed', async () => {
  const served = await observed(false);
  expect(served.values).toEqual(['answered, HTTP 200']);
  expect(served.broken).toBe(2);
  const refused = await observed(true);
  expect(refused.values).toEqual(['refused, HTTP 409']);
  expect(refused.broken).toBeGreaterThan(0);
});
