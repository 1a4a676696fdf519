import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { faultById } from '../../fixtures/faults/index.ts';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { conformantReport, sampleReport } from '../../reporters/sample.fixture.ts';
import {
  compare,
  type Config,
  diff,
  judge,
  NotJudgedError,
  run,
  type RunProgress,
  UsageError,
  verify,
} from './index.ts';
import { gatewayIn, testFolder } from '../folder.fixture.ts';

const folder = testFolder('api');
const { hooks = {} } = faultById('chat.result.usage.missing') ?? {};
const { url, config: file } = await gatewayIn(folder, { hooks });
const { name, baseUrl, models, tokens } = targetFor(defaultConsole(), url);
const values = Object.entries(tokens).map(([key, { value }]) => [key, value]);
const config: Config = { target: { name, baseUrl }, tokens: Object.fromEntries(values), models };

const few = { requirement: ['chat.result.usage'], seed: 7 } as const;

test('a run without `out` gives the report, prints nothing, and leaves the process and its folder alone', async () => {
  const printed = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  const [before, listeners] = [readdirSync('.'), process.listenerCount('SIGINT')];
  const steps: RunProgress[] = [];
  try {
    const { report, exitCode, dir } = await run(config, {
      ...few,
      onProgress: (step) => {
        steps.push(step);
        expect(process.listenerCount('SIGINT')).toBe(listeners);
      },
    });
    expect({ verdict: report.verdict, exitCode, dir }).toEqual({
      verdict: 'non-conformant',
      exitCode: 1,
      dir: undefined,
    });
    for (const write of printed) expect(write).not.toHaveBeenCalled();
  } finally {
    for (const write of printed) write.mockRestore();
  }
  expect(readdirSync('.')).toEqual(before);
  const exchanges = steps.filter((step) => step.kind === 'exchange');
  expect(exchanges.at(-1)).toMatchObject({ done: exchanges.at(-1)?.planned });
});

test('what `out` holds is judged, verified and compared by path and by value', async () => {
  const out = join(folder, 'out');
  const ran = await run(config, { ...few, out, allure: false });
  expect(ran.dir).toBe(out);
  expect(existsSync(join(out, 'allure-results'))).toBe(false);
  expect(judge(out)).toMatchObject({
    exitCode: 1,
    notes: [],
    report: { requirements: ran.report.requirements },
  });
  expect(verify(out)).toMatchObject({ outcome: 'verified', exitCode: 0, verification: { certified: false } });
  expect(diff(out, ran.report)).toMatchObject({ exitCode: 0, diff: { same: true } });
  expect(diff(conformantReport(), sampleReport()).exitCode).toBe(1);
  expect(compare([out, sampleReport()]).targets).toHaveLength(2);
});

test('a selection of cases sends what they need, and is judged again as such', async () => {
  const out = join(folder, 'case');
  const { report } = await run(config, { case: ['errors.chat.invalid-token'], out, allure: false });
  expect(report.cases.map(({ id }) => id)).toEqual(['errors.chat.invalid-token']);
  expect(report.scope.selection).toEqual({ cases: ['errors.chat.invalid-token'] });
  expect(report.run.requests).toBeLessThan(14);
  expect(judge(out).notes).toEqual([]);
});

test('a signal stops a run: before the first request there is no report, later the rest is inconclusive', async () => {
  await expect(run(config, { ...few, signal: AbortSignal.abort() })).rejects.toThrow(NotJudgedError);
  const controller = new AbortController();
  const onProgress = () => controller.abort();
  const { report, exitCode } = await run(config, { signal: controller.signal, onProgress });
  expect(report.run.partial).toBe(true);
  expect(exitCode).not.toBe(0);
});

test.each([
  [{ profil: 'smoke' }, 'options.profil: unknown option; did you mean profile?'],
  [{ profile: 'fast' }, 'options.profile: must be one of smoke, standard, full'],
  [{ concurrency: 0 }, 'options.concurrency: must be a whole number from 1 to 256'],
  [{ timeout: -1 }, 'options.timeout: must be a number of milliseconds, more than 0 and at most 3600000'],
  [{ suite: 'errors' }, 'options.suite: must be a list of strings'],
  [{ suite: ['error'] }, 'unknown suite "error"; did you mean errors?'],
  [{ signal: {} }, 'options.signal: must be an AbortSignal'],
  [{ certify: true }, '--certify certifies a report folder: name one with --out DIR'],
  [{ case: ['none'] }, 'the selection leaves no case to run in profile standard'],
])('%j is a usage error', async (options, message) => {
  const error = await run(config, options as object).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).toContain(message);
});

test('a config is a file, or what such a file holds; what is wrong with either is told by its key', async () => {
  await expect(run(file, { env: {} })).rejects.toThrow(`${file}:6: tokens.default: environment variable`);
  const token = { ...config, tokens: { default: '$' + '{NOT_SET}' } };
  await expect(run(token, { env: {} })).rejects.toThrow(
    'config: tokens.default: environment variable NOT_SET',
  );
  const misspelt = { ...config, modles: {} } as Config;
  await expect(run(misspelt)).rejects.toThrow('config: modles: unknown key; did you mean models?');
  await expect(run(undefined as unknown as Config)).rejects.toThrow(UsageError);
  expect(() => diff(sampleReport(), {} as never)).toThrow('the report that was given is none');
  expect(() => compare([])).toThrow(UsageError);
  expect(() => judge(folder, { pin: 'x' } as object)).toThrow(
    'options.pin: unknown option; did you mean pins?',
  );
  expect(() => verify(folder, { key: 7 } as never)).toThrow(
    'options.key: must be a string that is not empty',
  );
  await expect(run(config, null as never)).rejects.toThrow('options: must be an object');
});
