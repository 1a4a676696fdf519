import { expect, test } from 'vitest';
import { servingToken } from '../../fixtures/faults/fault.ts';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { countOf } from '../../suites/plan/plan-counts.ts';
import { run } from '../api/run.ts';
import { limitsFor, plannedRun } from './planned-run.ts';
import { settingsOf } from './run-settings.ts';

const settings = defaultConsole();

/** Runs `smoke` against a gateway that answers anybody, by three images where one is asked for, and counts what it bills. */
async function runSmoke() {
  let generations = 0;
  const gateway = await createGateway({
    console: settings,
    hooks: {
      authenticate: (verdict, ctx) =>
        verdict.problem === null ? verdict : { problem: null, token: servingToken(ctx) },
      generate: (generation, { protocol }) => {
        generations += protocol === 'images' ? 0 : 1;
        return generation;
      },
      result: (body, { protocol }) => {
        if (protocol !== 'images' || !Array.isArray(body.data)) return body;
        const [image] = body.data as readonly unknown[];
        generations += 3;
        return { ...body, data: Array.from({ length: 3 }, () => image) };
      },
    },
  }).listen();
  const { name, baseUrl, tokens, models } = targetFor(settings, gateway.url);
  const config = {
    target: { name, baseUrl },
    tokens: Object.fromEntries(Object.entries(tokens).map(([key, { value }]) => [key, value])),
    models,
  };
  const { report } = await run(config, { profile: 'smoke' }).finally(gateway.close);
  return { report, generations };
}

test('smoke ends where 12 generations are billed, however many a target makes of one request', async () => {
  const { report, generations } = await runSmoke();
  // The last reply may be of more images than were asked for: what a target makes can't be bounded.
  expect(generations).toBeLessThanOrEqual(12 + 2);
  expect(report.run.partial).toBe(true);
});

test('what smoke bills at most is what its plan needs, of each of several runs', () => {
  const target = targetFor(settings, 'http://127.0.0.1:9');
  const smoke = settingsOf({ profile: 'smoke', timeout: 1, maxDuration: 1 });
  const plan = plannedRun(target, smoke);
  expect(countOf(plan.requests).billed).toBe(12);
  expect(limitsFor(plan, smoke)).toEqual({ maxGenerations: 12 });
  expect(limitsFor(plan, smoke, 3)).toEqual({ maxGenerations: 36 });
  expect(limitsFor(plan, { ...smoke, limits: { maxGenerations: 5 } })).toEqual({ maxGenerations: 5 });
  expect(limitsFor(plan, settingsOf({ timeout: 1, maxDuration: 1 }))).toEqual({});
});
