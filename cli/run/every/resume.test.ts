import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Console, defaultConsole } from '../../../fixtures/gateway/console.ts';
import { call, start } from '../../command.fixture.ts';
import { artefacts, claimFolder } from '../../files/folder.ts';
import { lockFolder } from '../../files/run-lock.ts';
import { gatewayIn, reportIn, testFolder, tokensByVariable as env } from '../../folder.fixture.ts';

const folder = testFolder('resume');
const slow: Console = { ...defaultConsole(), pace: { initialMs: 40, tokenMs: 0 } };
const counted = { requests: 0 };
const asked = ['--profile', 'smoke', '--seed', '9', '--concurrency', '2'];
const endpoint = <T>(protocol: T): T => {
  counted.requests += 1;
  return protocol;
};
const { config } = await gatewayIn(folder, { console: slow, hooks: { endpoint } });

const runWithAllure = (...args: string[]) => call(['run', '--config', config, '--quiet', ...args], { env });
const run = (...args: string[]) => runWithAllure('--no-allure', ...args);
const withoutAllure = artefacts.filter((name) => name !== 'allure-results');
const linesOf = (dir: string): string[] => readFileSync(join(dir, 'evidence.jsonl'), 'utf8').split('\n');
const verdictsIn = (dir: string) => {
  const { verdict, summary, cases } = reportIn(dir);
  return {
    verdict,
    summary,
    cases: cases.map(({ id, verdict: own }) => `${id} ${own}`),
  };
};

/** A DIR whose run was killed: the first lines of the evidence of another, and a torn one. */
function killedCopy(
  of: string,
  name: string,
  change: (header: string) => string = (header) => header,
): string {
  const dir = join(folder, name);
  cpSync(of, dir, { recursive: true });
  const [header = '', ...rest] = linesOf(of);
  const kept = [change(header), ...rest.slice(0, 9), '{"kind":"exchange","id":"torn'];
  writeFileSync(join(dir, 'evidence.jsonl'), kept.join('\n'));
  rmSync(join(dir, 'report.json'));
  return dir;
}

describe('a run that goes on', () => {
  const whole = join(folder, 'whole');
  let all = 0;
  beforeAll(async () => {
    expect((await run('--out', whole, ...asked)).code).toBe(0);
    all = counted.requests;
  }, 60_000);

  test('keeps to a budget that it was begun with: what its earlier part used up counts', async () => {
    const dir = join(folder, 'bounded');
    counted.requests = 0;
    for (const [budget, most] of [
      ['12', 12],
      ['12', 12],
      ['20', 20],
    ] as const) {
      const begun = existsSync(dir) ? ['--resume', dir] : ['--out', dir, ...asked];
      expect((await run(...begun, '--max-requests', budget)).code).toBe(3);
      expect(counted.requests).toBeLessThanOrEqual(most);
    }
    expect(counted.requests).toBeGreaterThan(12);
    expect((await run('--resume', dir)).code).toBe(0);
    expect(verdictsIn(dir)).toEqual(verdictsIn(whole));
  }, 60_000);

  test('sends what is not recorded, and its report is that of one that was not killed', async () => {
    const dir = killedCopy(whole, 'torn');
    writeFileSync(join(dir, 'report.html.7.tmp'), 'a draft');
    const recorded = linesOf(dir).filter((line) => line.startsWith('{"kind":"exchange"')).length - 1;
    counted.requests = 0;
    const { code, stderr } = await runWithAllure('--resume', dir);
    expect(code).toBe(0);
    expect(stderr).toMatch(/goes on with run \w+: \d+ of \d+ requests are recorded, and not sent again/);
    // One control may go before the logins that may have been under way.
    expect([all, all + 1]).toContain(counted.requests + recorded);
    expect(verdictsIn(dir)).toEqual(verdictsIn(whole));
    expect(reportIn(dir).run.id).toBe(reportIn(whole).run.id);
    expect(readdirSync(dir).sort()).toEqual([...artefacts].sort());
    expect((await call(['judge', dir])).stdout).not.toContain('differs');
  });

  test('was killed by SIGKILL, twice, and loses nothing', async () => {
    const dir = join(folder, 'sigkill');
    counted.requests = 0;
    const begun = (): number => (existsSync(join(dir, 'evidence.jsonl')) ? linesOf(dir).length : 0);
    // Controls that are sent once more cost more than the 12 generations of the profile.
    const budget = ['--max-generations', '20'];
    for (const [lines, args] of [
      [6, ['--out', dir, ...asked]],
      [18, ['--resume', dir, '--concurrency', '2']],
    ] as const) {
      const child = start(['run', '--config', config, '--quiet', ...args, ...budget], { env });
      while (begun() < lines) await sleep(5);
      child.kill('SIGKILL');
      expect((await child.ended).code).toBe(null);
      expect(existsSync(join(dir, 'report.json'))).toBe(false);
    }
    expect((await run('--resume', dir, ...budget)).code).toBe(0);
    expect(verdictsIn(dir)).toEqual(verdictsIn(whole));
    // At each kill, at most as many as the concurrency were under way; then, one control may go before logins.
    expect(counted.requests - all).toBeLessThanOrEqual(2 * 3);
    expect(readdirSync(dir).sort()).toEqual([...withoutAllure].sort());
  }, 60_000);

  test('was stopped, which names the command to go on with', async () => {
    const dir = join(folder, 'stopped');
    const stopped = await run('--out', dir, ...asked, '--max-duration', '0.2');
    expect(stopped.code).toBe(3);
    expect(stopped.stderr.trimEnd().split('\n').at(-1)).toBe(
      `  gateway-conformance run --config ${config} --resume ${dir}`,
    );
    expect(reportIn(dir).run.partial).toBe(true);
    // What was under way when it stopped is sent once more, and costs more than the 12 generations of the profile.
    const budget = ['--max-generations', '20'];
    expect((await run('--resume', dir, '--seed', '9', '--profile', 'smoke', ...budget)).code).toBe(0);
    expect(verdictsIn(dir)).toEqual(verdictsIn(whole));
  });

  test('was finished: nothing is sent, and it is judged again', async () => {
    const dir = join(folder, 'finished');
    cpSync(whole, dir, { recursive: true });
    rmSync(join(dir, 'report.json'));
    counted.requests = 0;
    const { code, stderr } = await run('--resume', dir);
    expect([code, counted.requests]).toEqual([0, 0]);
    expect(stderr).toContain('was finished: nothing is sent, and it is judged again');
    expect(reportIn(dir)).toEqual(reportIn(whole));
    expect(linesOf(dir)).toEqual(linesOf(whole));
  });

  test.each([
    ['seed', ['--seed', '10'], /--seed 10 contradicts that run, which had 9; leave the option out/],
    ['profile', ['--profile', 'full'], /--profile "full" contradicts that run, which had "smoke"/],
    ['skip', ['--skip-costly'], /--skip-costly true contradicts that run, which had false/],
    ['suite', ['--suite', 'errors'], /--suite \["errors"\] contradicts that run, which had \[\]/],
    ['out', ['--out', 'other'], /'--resume <dir>' cannot be used with option '--out <dir>'/],
  ])('is not asked for something else: %s', async (name, args, message) => {
    const dir = killedCopy(whole, `asked-${name}`);
    await expectRefused(dir, args, message);
  });

  test.each([
    [
      'base address',
      'http://127.0.0.1:',
      'http://localhost:',
      /target\.baseUrl is ".*" in the config, and was/,
    ],
    ['model', '"g-large"', '"g-small"', /another target: models is .* in the config, and was .*g-small/],
    ['group', /"coding-tool":"[^"]*",?/, '', /another target: tokens is/],
    [
      'suite version',
      '"version":"',
      '"version":"9.',
      /was recorded by the suite 9\..*; resume it with that one/,
    ],
    ['register', '"requirementsDigest":"', '"requirementsDigest":"x', /was recorded by the suite/],
    ['format', '"schemaVersion":3', '"schemaVersion":2', /is evidence of format 2/],
  ])('is of the same target and suite: another %s is refused', async (name, from, to, message) => {
    const dir = killedCopy(whole, `other-${name}`, (header) => header.replace(from, to));
    await expectRefused(dir, [], message);
  });

  test('is not written to by another run', async () => {
    const dir = killedCopy(whole, 'in-use');
    const unlock = lockFolder(dir);
    await expectRefused(dir, [], /another run is writing to this folder \(process \d+\); wait for its end/);
    const other = await run('--out', dir, ...asked);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('another run is writing')]);
    unlock();
    expect((await run('--resume', dir)).code).toBe(0);
  });

  test('keeps the evidence until its own replaces it', () => {
    const dir = killedCopy(whole, 'cleared');
    claimFolder(dir).clear();
    expect(readdirSync(dir)).toEqual(['evidence.jsonl']);
  });

  test('has evidence', async () => {
    const { code, stderr } = await run('--resume', join(folder, 'nowhere'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/--resume .*nowhere: holds no evidence\.jsonl; name the DIR of a run/);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  async function expectRefused(dir: string, args: readonly string[], message: RegExp): Promise<void> {
    const before = [readdirSync(dir), linesOf(dir)];
    const { code, stderr } = await run('--resume', dir, ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect([readdirSync(dir), linesOf(dir)]).toEqual(before);
  }
});
