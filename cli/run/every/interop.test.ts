import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { faultById } from '../../../fixtures/faults/index.ts';
import { defaultConsole, tokensOf } from '../../../fixtures/gateway/console.ts';
import { configYaml, targetFor } from '../../../fixtures/gateway/describe.ts';
import { validateReport } from '../../../reporters/schema/validate.ts';
import type { Report } from '../../../suites/types/report.ts';
import { call } from '../../command.fixture.ts';
import { interopCost } from '../interop.ts';
import { gatewayIn, testFolder, tokensByVariable as env } from '../../folder.fixture.ts';

const folder = testFolder('interop');

const settings = defaultConsole();

test('run --interop tells where clients fail beside a verdict that stays, and verify still finds all of it right', async () => {
  const hooks = faultById('chat.stream.well-formed.half-json')?.hooks ?? {};
  const { config } = await gatewayIn(folder, { hooks }, 'gateway', onTestFinished);
  const dir = join(folder, 'report');
  const asked = ['--config', config, '--family', 'general,multimodal', '--suite', 'results'];
  const ended = await call(['run', ...asked, '--interop', '--out', dir, '--quiet', '--no-allure'], { env });
  const text = readFileSync(join(dir, 'report.json'), 'utf8');
  const report = JSON.parse(text) as Report;
  expect(validateReport(report)).toEqual([]);
  expect(tokensOf(settings).filter(({ value }) => text.includes(value))).toEqual([]);
  const failed = (report.interop ?? []).map(({ client, results }) => [
    client,
    results.filter(({ ok }) => !ok).map(({ protocol, asked: what }) => `${protocol} ${what}`),
  ]);
  expect(failed).toEqual([
    ['openai', ['chat stream']],
    ['@anthropic-ai/sdk', []],
    ['ai with @ai-sdk/openai', ['chat stream']],
    ['ai with @ai-sdk/anthropic', []],
  ]);
  expect({ code: ended.code, verdict: report.verdict }).toEqual({ code: 0, verdict: 'conformant' });
  expect(ended.stderr).toMatch(/--interop: .* at most \d+ requests, \d+ billed generations/);
  expect(ended.stdout).toContain('Official clients (no verdict depends on them)');
  const exchanges = report.exchanges.reduce((sum, { attempts }) => sum + attempts.length, 0);
  expect(report.run.requests).toBe(exchanges);
  expect(await call(['verify', dir])).toMatchObject({ code: 0 });
}, 60_000);

test('plan --interop says what the clients would cost', async () => {
  const config = join(folder, 'plan.yaml');
  writeFileSync(config, configYaml(settings, 'https://gateway.example'));
  const { code, stdout } = await call(['plan', '--config', config, '--interop'], { env });
  expect(code).toBe(0);
  expect(stdout).toContain('at most 38 requests, 14 billed generations (2 images of the smallest size');
});

test('where no client can be tried, one error has the command that installs them', () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  expect(() => interopCost(targetFor(settings, 'https://gateway.example'), [empty])).toThrow(
    /no official client can be tried[\s\S]*npm install --save-dev openai\S* @anthropic-ai\/sdk ai/,
  );
});
