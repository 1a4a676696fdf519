import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { configYaml } from '../../../fixtures/gateway/describe.ts';
import { validateReport } from '../../../reporters/schema/validate.ts';
import { run } from '../../api/run.ts';
import { call, type Ended } from '../../command.fixture.ts';
import { gatewayIn, reportIn, testFolder, tokensByVariable as env } from '../../folder.fixture.ts';

const folder = testFolder('repeat');
const failing = 'responses.result.id';

/** Which results are broken, by their numbers from 1 on. */
let isBroken: (number: number) => boolean = () => false;
let results = 0;
const { config } = await gatewayIn(folder, {
  hooks: {
    result: (body) => {
      results += 1;
      if (!isBroken(results)) return body;
      const { id: _, ...rest } = body;
      return rest;
    },
  },
});

/** One requirement, with the fewest requests. */
const asked = ['--config', config, '--requirement', failing, '--profile', 'smoke'];
/** In one order: so each run has the same number of results. */
const narrow = [...asked, '--concurrency', '1', '--seed', '40'];

const judgeTarget = (dir: string, ...more: readonly string[]): Promise<Ended> => {
  results = 0;
  return call(['run', ...narrow, '--out', dir, ...more], { env });
};

const breaksFirst = (number: number): boolean => number === 1;
const breaksAll = (): boolean => true;
afterEach(() => {
  isBroken = () => false;
});

describe('a gateway that breaks its first result and no other', () => {
  const dir = join(folder, 'flaky');
  const once = join(folder, 'once');
  let ended: Ended;
  beforeAll(async () => {
    await judgeTarget(once, '--no-allure');
    isBroken = breaksFirst;
    ended = await judgeTarget(dir, '--repeat', '4');
    isBroken = () => false;
  }, 60_000);

  test('is asked again what failed and no more, as often as it was said, for it stays unsteady', () => {
    expect(ended.stderr).toContain('run 2 of 4, seed 41: asked 1 requirement again, 0 failed, 1 passed');
    expect(ended.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Judged 1 time in full, and 3 times again what had failed or was undecided; 1 requirement failed in some runs',
    );
    const { runs } = reportIn(dir).run.repeat ?? { runs: [] };
    expect(runs.map(({ askedAgain }) => askedAgain)).toEqual([undefined, [failing], [failing], [failing]]);
    const second = reportIn(join(dir, 'runs', '2'));
    expect(second.scope.again).toMatchObject({ run: runs[0]?.id, repeated: true });
    expect(readFileSync(join(dir, 'runs', '2', 'report.md'), 'utf8')).toMatch(/1 PASSES NOW/);
  });

  test('fails, with the runs and the exchange that did', () => {
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('failed in 1 of 4 runs, passed in 3: unsteady');
    expect(ended.stderr).toContain('run 1 of 4, seed 40: non-conformant, 1 failed');
    expect(ended.stdout.trimEnd().split('\n').at(-1)).toBe(join(dir, 'report.html'));
    const report = reportIn(dir);
    expect(validateReport(report)).toEqual([]);
    const { runs } = report.requirements.find(({ id }) => id === failing) ?? {};
    expect(runs).toMatchObject({ judged: 4, failed: 1, failures: [{ run: 1, seed: 40 }] });
    const [shown = ''] = runs?.failures[0]?.exchanges ?? [];
    const exchange = report.exchanges.find(({ id }) => id === shown);
    expect(JSON.parse(exchange?.response?.body.text ?? '')).not.toHaveProperty('id');
    expect(report.causes.find(({ requirements }) => requirements.includes(failing))?.runs).toEqual({
      judged: 4,
      seen: 1,
    });
  });

  test('leaves a whole folder of each run, which judge and verify take, and one report of all', async () => {
    expect(readdirSync(join(dir, 'runs')).sort()).toEqual(['1', '2', '3', '4']);
    expect(existsSync(join(dir, 'evidence.jsonl'))).toBe(false);
    expect((await call(['verify', join(dir, 'runs', '3')])).code).toBe(0);
    expect((await call(['judge', join(dir, 'runs', '2')])).code).toBe(0);
    const all = await call(['verify', dir]);
    expect([all.code, all.stdout]).toEqual([0, expect.stringMatching(/^✓ Run 4 /m)]);
    expect(all.stdout).toContain('NOT CERTIFIED');
  });

  test('is judged again from the evidence of all runs, and the report is the same', async () => {
    const again = join(folder, 'again');
    const judged = await call(['judge', dir, '--out', again]);
    expect(judged.code).toBe(1);
    expect(judged.stdout).not.toContain('differs');
    for (const file of ['report.json', 'report.html', 'junit.xml'])
      expect(readFileSync(join(again, file), 'utf8')).toBe(readFileSync(join(dir, file), 'utf8'));
  });

  test('is no regression after a run that passed, for that may be chance', async () => {
    const { code, stdout } = await call(['diff', once, dir]);
    expect(code).toBe(0);
    // The line is wrapped where the terminal ends.
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'failed in 0 of 1 run before, in 1 of 4 runs now: no more than chance may bring',
    );
  });

  test('goes on with none of its runs as if it were one', async () => {
    const { code, stderr } = await call(['run', '--config', config, '--resume', dir], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(join(dir, 'runs', '1'))]);
  });

  test('where one run follows in the same DIR, nothing of the runs is left', async () => {
    await judgeTarget(dir, '--no-allure');
    expect(existsSync(join(dir, 'runs'))).toBe(false);
    expect(reportIn(dir).run.repeat).toBeUndefined();
  });
});

describe('a conformant gateway', () => {
  test('is judged once, for nothing is left to ask again', async () => {
    const dir = join(folder, 'steady');
    const ended = await judgeTarget(dir, '--no-allure', '--repeat', '3');
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('nothing is left to ask again after 1 of 3 runs');
    expect(ended.stdout.replaceAll(/\s+/g, ' ')).toContain('Judged 1 time: nothing was left to ask again.');
    expect(reportIn(dir).run).toMatchObject({ partial: false, repeat: { asked: 3, runs: [{ run: 1 }] } });
    expect(validateReport(reportIn(dir))).toEqual([]);
  });
});

describe('a gateway that breaks every result', () => {
  test('is asked again until chance explains it no more, and a budget is that of all runs together', async () => {
    const dir = join(folder, 'broken');
    isBroken = breaksAll;
    const whole = await judgeTarget(dir, '--no-allure', '--repeat', '20', '--quiet');
    expect([whole.code, whole.stderr]).toEqual([1, '']);
    const { requests, repeat } = reportIn(dir).run;
    const { length: runs } = repeat?.runs ?? [];
    expect(runs).toBeGreaterThan(2);
    expect(runs).toBeLessThan(10);
    expect(reportIn(dir).requirements.find(({ id }) => id === failing)?.runs).toMatchObject({
      judged: runs,
      failed: runs,
    });
    const ended = await judgeTarget(
      dir,
      '--no-allure',
      '--repeat',
      '20',
      '--max-requests',
      String(requests - 1),
    );
    expect(ended.code).toBe(1);
    expect(reportIn(dir).run).toMatchObject({ requests: requests - 1, partial: true });
    expect(ended.stderr).toContain(`--max-requests ${requests - 1}`);
    expect(ended.stderr).toContain(`judged ${runs} of 20 runs, the last one in part`);
    const part = join(dir, 'runs', String(runs));
    expect(ended.stderr).toContain(`run --resume ${part}`);
    const goOn = (most: number) =>
      call(['run', '--config', config, '--no-allure', '--resume', part, '--max-requests', String(most)], {
        env,
      });
    // What the runs before it used up counts.
    expect((await goOn(requests - 1)).stderr).toContain(`${requests - 1} used`);
    expect(reportIn(part).run.partial).toBe(true);
    await goOn(requests + 9);
    expect(reportIn(part).run.partial).toBe(false);
    expect((await call(['judge', dir, '--out', dir])).code).toBe(1);
    expect(reportIn(dir).run).toMatchObject({ partial: false });
  }, 60_000);
});

describe('a target that is declared wrong', () => {
  test('is judged once, for its config is to be mended first', async () => {
    const dir = join(folder, 'mistaken');
    const wrong = join(folder, 'wrong.yaml');
    writeFileSync(wrong, configYaml(defaultConsole(), 'http://127.0.0.1:9'));
    const { code, stderr } = await call(
      ['run', '--config', wrong, '--profile', 'smoke', '--repeat', '5', '--no-allure', '--out', dir],
      { env },
    );
    expect(code).toBe(3);
    expect(stderr).toContain('judged 1 of 5 runs');
    expect(readdirSync(join(dir, 'runs'))).toEqual(['1']);
  });
});

describe('a run of several', () => {
  test('is judged through the API without a folder, the seeds follow one another, and no listener is left', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', note);
    isBroken = breaksFirst;
    results = 0;
    const { report, exitCode, dir } = await run(config, {
      env,
      requirement: [failing],
      profile: 'smoke',
      seed: 2 ** 31 - 1,
      repeat: 12,
      concurrency: 1,
    });
    process.off('warning', note);
    expect(warnings).toEqual([]);
    expect([exitCode, dir]).toEqual([1, undefined]);
    expect(report.run.repeat?.runs.map(({ seed }) => seed)).toEqual([
      2 ** 31 - 1,
      ...Array.from({ length: 11 }, (_, at) => at),
    ]);
    await expect(run(config, { env, repeat: 2, shard: { index: 1, count: 2 }, seed: 1 })).rejects.toThrow(
      '--repeat',
    );
  });

  test('that is stopped is reported with the runs that were judged', async () => {
    const stop = new AbortController();
    const one = { env, requirement: [failing], profile: 'smoke', concurrency: 1 } as const;
    isBroken = breaksFirst;
    results = 0;
    const perRun = (await run(config, one)).report.run.requests;
    results = 0;
    let sent = 0;
    const warned: string[] = [];
    const { report, exitCode } = await run(config, {
      ...one,
      repeat: 50,
      onWarning: (text) => warned.push(text),
      signal: stop.signal,
      onProgress: ({ kind }) => {
        if (kind === 'exchange') sent += 1;
        if (sent === perRun + 1) stop.abort();
      },
    });
    expect(exitCode).toBe(1);
    expect(report.run).toMatchObject({ partial: true, repeat: { asked: 50 } });
    expect(warned.join('\n')).toMatch(/judged [12] of 50 runs/);
    expect(report.requirements.find(({ id }) => id === failing)).toMatchObject({
      verdict: 'fail',
      runs: { judged: 1, failed: 1 },
    });
  });
});

describe('what is refused, with nothing written', () => {
  const dir = join(folder, 'refused');
  test.each([
    ['0', ['--repeat', '0']],
    ['101', ['--repeat', '101']],
    ['no number', ['--repeat', 'often']],
    ['a shard', ['--repeat', '2', '--shard', '1/2']],
    ['official clients', ['--repeat', '2', '--interop']],
    ['a resumed run', ['--repeat', '2', '--resume', join(folder, 'once')]],
    ['a selection without a case', ['--repeat', '2', '--case', 'none']],
  ])('%s', async (_, given) => {
    const out = given.includes('--resume') ? [] : ['--out', dir];
    const { code, stderr } = await call(['run', '--config', config, ...out, ...given], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/--repeat|--case|no case/);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(existsSync(dir)).toBe(false);
  });

  test('a DIR whose folder runs holds what is no run of --repeat, which stays as it is', async () => {
    const other = join(folder, 'other');
    mkdirSync(join(other, 'runs', '2'), { recursive: true });
    writeFileSync(join(other, 'runs', '2', 'notes.txt'), 'mine');
    const { code, stderr } = await judgeTarget(other, '--repeat', '2');
    expect([code, stderr]).toEqual([2, expect.stringContaining(join(other, 'runs', '2'))]);
    expect((await judgeTarget(other, '--no-allure')).code).toBe(0);
    expect(readFileSync(join(other, 'runs', '2', 'notes.txt'), 'utf8')).toBe('mine');
    const certified = await call(['run', '--config', config, '--out', other, '--certify'], { env });
    expect([certified.code, certified.stderr]).toEqual([
      2,
      expect.stringContaining('holds runs, which no run writes'),
    ]);
  });
});

test('plan says what so many runs come to at most, and what limits make of the first', async () => {
  const { stdout } = await call(['plan', ...asked, '--repeat', '50', '--max-requests', '3'], { env });
  const [head = [], one = [], all = []] = ['in all', 'one run', '50 runs, at most'].map((name) =>
    (stdout.split('\n').find((line) => line.startsWith(name)) ?? '').split(/ {2,}/),
  );
  expect(head.slice(1, 2)).toEqual(['requests']);
  expect(all.slice(1).map(Number)).toEqual(one.slice(1).map((amount) => Number(amount) * 50));
  expect(stdout).toContain('the plan needs');
});
