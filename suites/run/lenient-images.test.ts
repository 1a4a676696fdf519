import { json as readJson } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Target } from '../../fixtures/target/target.ts';
import { isObject } from '../../spec/json.ts';
import { judgeRun } from '../judge/judge-run.ts';
import { countOf, mostSmaller } from '../plan/plan-counts.ts';
import { everything } from '../plan/plan.ts';
import { planned } from '../plan/planned.fixture.ts';
import { scopeOf } from '../types/scope.ts';
import { serveHttp } from '../wire/loopback.fixture.ts';
import { executePlan } from './execute-plan.ts';

const selection = { ...everything, suites: ['parameters'] } as const;

/** Images are drawn for whatever is asked, as many as `n` says. */
async function runOnLenient() {
  let drawn = 0;
  const server = await serveHttp(async (request, response) => {
    const body: unknown = await readJson(request).catch(() => null);
    const asked = isObject(body) && Number.isInteger(body.n) ? Math.max(1, Number(body.n)) : 1;
    drawn += asked;
    const data = Array.from({ length: asked }, () => ({ url: 'https://example.com/image.png' }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ created: Math.floor(Date.now() / 1000), data }));
  });
  const target: Target = {
    name: 'Lenient',
    baseUrl: server.url,
    versionHeader: { name: 'a-version', value: '2023-06-01' },
    tokens: { default: { value: 'sk-lenient-1', variable: 'TOKEN' } },
    models: { image: 'image-1' },
  };
  const plan = planned(scopeOf(target), selection);
  const options = { seed: 1, concurrency: 8, timeoutMs: 5000, selection };
  const ran = await executePlan(target, plan, options).finally(server.close);
  const report = judgeRun(target, plan, ran.evidence, { runId: 'run', selection, ...ran });
  return { plan, report, drawn: () => drawn };
}

test('of a target that draws images for every wrong value one answer shows each failure', async () => {
  const { plan, report, drawn } = await runOnLenient();
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed).toEqual(
    expect.arrayContaining([
      'images.param.n.range',
      'images.param.size.allowed',
      'images.param.model.unknown',
    ]),
  );
  expect(drawn()).toBeLessThanOrEqual(countOf(plan.requests).billed + failed.length + mostSmaller(plan));
  const left = report.cases.find(({ id }) => id === 'parameters.images.size.allowed.near');
  expect(left).toMatchObject({ verdict: 'untested', findings: [{ code: 'not-needed' }] });
});
