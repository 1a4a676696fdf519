import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../../spec/package-root.ts';
import type { Report } from '../../../suites/types/report.ts';
import { call, copyWithHeader } from '../../command.fixture.ts';
import { gatewayIn, testFolder, tokensByVariable as env, reportIn } from '../../folder.fixture.ts';

const folder = testFolder('merge');
const { config } = await gatewayIn(folder);
const at = (name: string): string => join(folder, name);
const asked = ['--profile', 'smoke', '--seed', '9', '--quiet'];
const run = (...args: string[]) => call(['run', '--config', config, '--no-allure', ...args], { env });
const merge = (names: readonly string[], out: string, ...args: string[]) =>
  call(['merge', ...names.map(at), '--out', at(out), ...args]);

beforeAll(async () => {
  expect((await run('--out', at('whole'), ...asked)).code).toBe(0);
  for (const index of [1, 2, 3]) {
    const { code, stdout } = await run('--out', at(`s${index}`), '--shard', `${index}/3`, ...asked);
    expect(code).toBe(0);
    expect(stdout).toContain(`✓ Conformant (shard ${index} of 3)`);
  }
}, 60_000);

const reportOf = (name: string) => reportIn(at(name));

/** A copy of a shard with another header. */
function changed(name: string, of: string, change: (header: string) => string): string {
  copyWithHeader(at(of), at(name), change);
  return name;
}

describe('a shard', () => {
  test('says in every rendering that it is one', () => {
    const { scope, requirements } = reportOf('s2');
    expect(scope.shard).toEqual({ index: 2, count: 3 });
    expect(requirements.filter(({ code }) => code === 'not-in-shard').length).toBeGreaterThan(10);
    expect(readFileSync(join(at('s2'), 'report.md'), 'utf8')).toContain('Conformant (shard 2 of 3):');
    expect(readFileSync(join(at('s2'), 'report.html'), 'utf8')).toContain('Conformant (shard 2 of 3)</p>');
    expect(readFileSync(join(at('s2'), 'badge.json'), 'utf8')).toContain('(part)');
  });

  test('is judged again, and goes on, as the shard that it is', async () => {
    const judged = await call(['judge', at('s1')]);
    expect(judged.stdout).toContain('(shard 1 of 3)');
    expect(judged.stdout).not.toContain('differs from the evidence');
    const resumed = await run('--resume', at('s1'), '--quiet');
    expect(resumed.stderr).toContain('was finished');
    expect(resumed.stdout).toContain('(shard 1 of 3)');
  });

  test.each(['3/2', '0/2', 'x', '1', '1/65', '1/2/3', '-1/2', ''])('%j is none', async (text) => {
    const { code, stderr } = await run('--shard', text, '--seed', '1');
    expect(code).toBe(2);
    expect(stderr.split('\n')[0]).toBe(
      `error: option '--shard <i/n>' argument '${text}' is invalid. It must be i/n, shard i of n: 2/3, with i from 1 to n and n at most 64.`,
    );
  });

  test.each([['--certify'], ['--baseline', 'b.yaml'], ['--pins', 'p.yaml'], ['--history', 'h.jsonl']])(
    'has no %s: that is for the merged report',
    async (...args) => {
      const { code, stderr } = await run('--shard', '1/2', '--seed', '1', ...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`cannot be used with option '${args[0]}`)]);
    },
  );

  test('needs a seed, is not resumed as another one, and has a case', async () => {
    const without = await run('--shard', '1/2');
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--shard needs --seed')]);
    const resumed = await run('--resume', at('s1'), '--shard', '2/3');
    expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining("'--shard <i/n>'")]);
    const one = ['--requirement', 'chat.result.usage.total-tokens', '--shard', '64/64', '--seed', '1'];
    const empty = await run(...one, '--out', at('empty'));
    expect([empty.code, empty.stderr]).toEqual([
      2,
      expect.stringContaining('leaves no case for shard 64 of 64'),
    ]);
    expect(existsSync(at('empty'))).toBe(false);
  });
});

describe('merge', () => {
  test('gives the report of one run, in any order of the shards', async () => {
    const { code, stdout } = await merge(['s3', 's1', 's2'], 'merged');
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(join(at('merged'), 'report.html'));
    const [merged, whole] = [reportOf('merged'), reportOf('whole')];
    expect(merged.scope).toEqual(whole.scope);
    expect(merged.summary).toEqual(whole.summary);
    const verdicts = ({ cases }: Report) => cases.map(({ id, verdict }) => `${id} ${verdict}`);
    expect(verdicts(merged)).toEqual(verdicts(whole));
    expect(merged.requirements).toEqual(whole.requirements);
    expect(merged.run.seed).toBe(9);
    expect((await call(['judge', at('merged')])).stdout).not.toContain('differs from the evidence');
    expect((await call(['verify', at('merged')])).code).toBe(0);
    expect(readdirSync(at('merged'))).toEqual(readdirSync(at('whole')));
  });

  test('of a shard that was killed is partial: exit code 3', async () => {
    const file = join(at(changed('killed', 's2', (header) => header)), 'evidence.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(0, 8).join('\n'));
    expect((await merge(['s1', 'killed', 's3'], 'partial')).code).toBe(3);
    expect(reportOf('partial').run.partial).toBe(true);
  });

  test.each([
    ['one is missing', ['s1', 's3'], /shard 2 of 3 is missing; name the DIRs of all shards/],
    ['one is there twice', ['s1', 's1', 's2', 's3'], /s1 and .*s1 are both shard 1 of 3; name each once/],
    ['one is no shard', ['s1', 'whole'], /whole: is no shard: it was run without --shard/],
    ['one is nothing', ['s1', 'nowhere'], /nowhere: holds no evidence\.jsonl; name the DIR of a shard/],
  ])('is refused where %s', async (_name, names, message) => {
    await expectRefused(names, message);
  });

  test.each([
    ['base address', '127.0.0.1', '127.0.0.2', /no shards of one run: target\.baseUrl is ".*" in the first/],
    ['model', 'g-large', 'g-small', /target is/],
    ['suite version', '"version":"', '"version":"9.', /suite is/],
    ['seed', '"seed":9', '"seed":8', /--seed is 9 in the first, 8 in the second/],
    ['profile', '"profile":"smoke"', '"profile":"full"', /--profile is "smoke" in the first/],
    ['number of shards', '"count":3', '"count":4', /number of shards is 3 in the first, 4 in the second/],
  ])('is refused for another %s', async (name, from, to, message) => {
    const other = changed(`other-${name}`, 's2', (header) => header.replace(from, to));
    await expectRefused(['s1', other, 's3'], message);
  });

  test('does not replace a shard', async () => {
    const { code, stderr } = await merge(['s1', 's2', 's3'], 's2');
    expect([code, stderr]).toEqual([2, expect.stringContaining('is the DIR of a shard')]);
    expect(reportOf('s2').scope.shard).toEqual({ index: 2, count: 3 });
  });

  async function expectRefused(names: readonly string[], message: RegExp): Promise<void> {
    const { code, stderr } = await merge(names, 'refused');
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr).not.toContain('    at ');
    expect(existsSync(at('refused'))).toBe(false);
  }
});

test('the example for GitHub names the same shards everywhere', () => {
  const text = readFileSync(packageFile('examples/github/sharded.yml'), 'utf8');
  const { jobs } = parse(text) as { jobs: { shard: { strategy: { matrix: { shard: number[] } } } } };
  const { shard } = jobs.shard.strategy.matrix;
  expect(text).toContain(`--shard "$SHARD/${shard.length}"`);
  expect(text).toContain(`merge ${shard.map((index) => `shard-${index}`).join(' ')} --out`);
});
