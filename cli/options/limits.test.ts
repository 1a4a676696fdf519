import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { families, groups } from '../../spec/vocabulary.ts';
import { planned } from '../../suites/plan/planned.fixture.ts';
import { call } from '../command.fixture.ts';
import { limitNotices, needsOf } from './limits.ts';
import { testFolder } from '../folder.fixture.ts';

const folder = testFolder('limits');

const lines = [
  'target: { name: Acme, baseUrl: "http://127.0.0.1:9" }',
  'tokens: { default: sk-test-0123456789 }',
  'models: { general: g, image: i }',
];
const prices = 'prices: { default: { input: 2, output: 8 }, image: { image: 0.05 } }';

/** Writes a config and gives its name. */
function config(name: string, ...more: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, [...lines, ...more, ''].join('\n'));
  return file;
}

describe('plan', () => {
  test('shows the cost by suite, by profile and in --json, where the config has prices', async () => {
    const file = config('priced.yaml', prices);
    const { stdout } = await call(['plan', '--config', file, '--seed', '1']);
    expect(stdout).toMatch(/images +cost USD +at most\n/);
    expect(stdout).toMatch(/\nsmoke( +\d+){4} +0\.1\d* +\d/);
    const json = await call(['plan', '--config', file, '--seed', '1', '--json', '--profile', 'smoke']);
    const { counts, currency, needs } = JSON.parse(json.stdout);
    const total = counts.at(-1).cost;
    expect(currency).toBe('USD');
    expect(total.most).toBeGreaterThan(total.expected);
    expect(needs).toMatchObject({ cost: total.expected, seconds: 0 });
    expect((await call(['plan', '--config', config('free.yaml'), '--seed', '1'])).stdout).not.toContain(
      'cost',
    );
  });

  test('says how long a rate takes and what a budget leaves out; an option goes before the config', async () => {
    const file = config('limited.yaml', 'limits: { requestsPerMinute: 1, maxRequests: 5 }');
    const asked = ['plan', '--config', file, '--profile', 'smoke', '--seed', '1'];
    const { stdout } = await call([...asked, '--max-requests', '7']);
    expect(stdout).toMatch(/Limits: \d+ requests at --requests-per-minute 1 take at least \d+ min 0 s\./);
    expect(stdout).toMatch(/the plan needs \d+ requests; --max-requests 7 leaves \d+ of them unsent/);
    expect(stdout).not.toContain('--max-duration 1800 ends');
    const short = await call([...asked, '--max-duration', '60']);
    expect(short.stdout).toMatch(/--max-duration 60 ends the run before that.*give it --max-duration \d+/);
  });

  test.each([
    [
      'an option',
      [],
      ['--max-cost', '1'],
      /^gateway-conformance: --max-cost needs prices.*add a section prices/,
    ],
    ['the config', ['limits: { maxCost: 1 }'], [], /limits\.yaml:4: limits\.maxCost: needs prices; add/],
  ])('refuses to limit a cost without prices, by %s', async (_, more, options, message) => {
    const ended = await call(['plan', '--config', config('limits.yaml', ...more), ...options]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(message);
  });
});

describe('a budget that covers a plan', () => {
  const plan = planned(
    { families, groups, rateLimited: true },
    {},
    {
      profile: 'standard',
      skipCostly: false,
    },
  );
  const target = {
    prices: {
      currency: 'USD',
      families: Object.fromEntries(
        families.map((family) => [family, { input: 1, output: 1, image: 1, hd: 1 }]),
      ),
    },
  };

  test('is told by nothing, and one that is smaller by a sentence each', () => {
    const { requests, generations, spare, cost = 0, dearest = 0 } = needsOf(plan, target, {});
    const enough = {
      maxRequests: requests,
      maxGenerations: generations + spare,
      maxCost: cost + dearest,
    };
    expect(limitNotices(plan, target, enough)).toEqual([]);
    const less = { maxRequests: requests - 1, maxGenerations: 1, maxCost: 1 };
    expect(limitNotices(plan, target, less).map((notice) => /--[a-z-]+/.exec(notice)?.[0])).toEqual([
      '--max-requests',
      '--max-generations',
      '--max-cost',
    ]);
  });

  test('of requests a minute is told by the time that it takes: a window for each that is full before the last', () => {
    const { requests } = needsOf(plan, target, {});
    const at = (perMinute: number) =>
      needsOf(plan, target, { rate: { requests: perMinute, windowMs: 60_000 } }).ms / 60_000;
    expect([at(requests), at(requests - 1), at(1)]).toEqual([0, 1, requests - 1]);
  });
});
