import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { faultById } from '../../../fixtures/faults/index.ts';
import type { Hooks } from '../../../fixtures/gateway/hooks.ts';
import { call, copyWithHeader } from '../../command.fixture.ts';
import { gatewayIn, testFolder, tokensByVariable as env, reportIn } from '../../folder.fixture.ts';

const folder = testFolder('last-failed');
const at = (name: string): string => join(folder, name);
const failing = 'chat.result.usage';
/** One gateway, which is mended by taking its hooks away. */
const hooks: { -readonly [Name in keyof Hooks]: Hooks[Name] } = {};
const { config } = await gatewayIn(folder, { hooks });
let received = 0;
const counted: Hooks['endpoint'] = (protocol) => {
  received += 1;
  return protocol;
};

const run = (...args: string[]) =>
  call(['run', '--config', config, '--no-allure', '--quiet', ...args], { env });
const again = (of: string, out: string, ...args: string[]) =>
  run('--last-failed', at(of), '--out', at(out), ...args);
const reportOf = (name: string) => reportIn(at(name));

/** A copy of a DIR with another header. */
function changed(name: string, of: string, change: (header: string) => string): string {
  copyWithHeader(at(of), at(name), change);
  return name;
}

const mend = (): void => {
  for (const name of Object.keys(hooks)) delete hooks[name as keyof Hooks];
  hooks.endpoint = counted;
};

beforeAll(async () => {
  Object.assign(hooks, faultById('chat.result.usage.missing')?.hooks);
  expect((await run('--profile', 'smoke', '--out', at('first'))).code).toBe(1);
}, 60_000);

describe('a run that asks again what failed', () => {
  test('says that it still fails where nothing was mended, and sends less than the run before', async () => {
    const { code, stdout } = await again('first', 'still');
    expect(code).toBe(1);
    expect(stdout).toContain('1 STILL FAILING');
    expect(stdout).toContain('✕ Not conformant (asked again)');
    expect(reportOf('still').scope.again?.requirements).toEqual([{ id: failing, verdict: 'fail' }]);
    expect(reportOf('still').run.requests).toBeLessThan(reportOf('first').run.requests);
  });

  test('says that it is fixed in every form, and judge puts that in the place of the failure', async () => {
    mend();
    const { code, stdout } = await again('first', 'mended');
    expect(code).toBe(0);
    expect(stdout).toContain(`✓ FIXED (1)\n    ${failing}`);
    expect(readFileSync(join(at('mended'), 'report.md'), 'utf8')).toContain('**FIXED (1)**');
    expect(readFileSync(join(at('mended'), 'report.html'), 'utf8')).toContain('1 FIXED');
    expect((await call(['judge', at('mended')])).stdout).not.toContain('differs from the evidence');

    const joined = await call(['judge', at('first'), '--again', at('mended'), '--out', at('joined')]);
    expect(joined.code).toBe(0);
    expect(joined.stdout).toContain('✓ Conformant  ');
    const judged = (name: string) =>
      reportOf(name)
        .requirements.filter(({ level }) => level === 'stated' || level === 'derived')
        .map(({ id, verdict }) => ({ id, verdict }));
    expect(judged('joined')).toEqual(
      judged('first').map(({ id, verdict }) => ({ id, verdict: id === failing ? 'pass' : verdict })),
    );
    expect((await call(['judge', at('joined')])).stdout).not.toContain('differs from the evidence');
  });

  test('that was stopped says of nothing that it is fixed, and is joined only when it is finished', async () => {
    const most = reportOf('mended').run.requests - 8;
    const stopped = await again('first', 'stopped-again', '--max-requests', `${most}`);
    expect(stopped.code).toBe(3);
    expect(stopped.stdout).not.toMatch(/\bFIXED\b/);
    const joined = await call(['judge', at('first'), '--again', at('stopped-again')]);
    expect(joined.code).toBe(2);
    expect(joined.stderr).toContain('was stopped before its end; finish it first with run --resume');
    const resumed = await run('--resume', at('stopped-again'));
    expect(resumed.stdout).toContain('1 FIXED');
    expect((await call(['judge', at('first'), '--again', at('stopped-again')])).code).toBe(0);
  });

  test('sends nothing where nothing failed, and that is no error', async () => {
    const before = received;
    const { code, stdout } = await again('joined', 'unused');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /: nothing failed there, and nothing that gates is undecided: nothing was sent\n$/,
    );
    expect(received).toBe(before);
    expect(existsSync(at('unused'))).toBe(false);
  });

  test('asks what a cause explains, and no other failure', async () => {
    const [cause] = reportOf('first').causes.filter(({ requirements }) => requirements.includes(failing));
    const asked = await again('first', 'of-cause', '--only-causes', cause?.id ?? '');
    expect(asked.stdout).toContain('1 FIXED');
    const { code, stderr } = await again('first', 'of-none', '--only-causes', 'no-such-cause');
    expect(code).toBe(2);
    expect(stderr).toMatch(/--only-causes no-such-cause: no cause of that report; /);
  });
});

describe('what can not be asked again', () => {
  const header = (name: string, change: (fields: Record<string, unknown>) => object): string =>
    changed(name, 'first', (line) => {
      const fields = JSON.parse(line) as Record<string, unknown>;
      return JSON.stringify({ ...fields, ...change(fields) });
    });

  beforeAll(() => {
    mkdirSync(at('empty'), { recursive: true });
    header('other-target', ({ target }) => ({ target: { ...(target as object), baseUrl: 'http://other' } }));
    header('other-suite', ({ suite }) => ({ suite: { ...(suite as object), version: '0.0.1' } }));
    header('a-shard', () => ({ shard: { index: 1, count: 2 } }));
    cpSync(at('first'), at('stopped'), { recursive: true });
    const file = join(at('stopped'), 'evidence.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/.*\n$/, ''));
  });

  test.each([
    ['empty', 'holds no evidence.jsonl; name the DIR of a run that is over'],
    ['missing', 'holds no evidence.jsonl; name the DIR of a run that is over'],
    ['other-target', 'is the run of another target: target.baseUrl is'],
    ['other-suite', 'was recorded by the suite'],
    ['a-shard', 'is shard 1 of 2; merge all of them first'],
    ['stopped', 'was stopped before its end; finish it first: run --resume'],
  ])('%s is told in one sentence', async (name, problem) => {
    const { code, stdout, stderr } = await again(name, 'unused');
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(`--last-failed ${at(name)}: ${problem}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(at('unused'))).toBe(false);
  });

  test('--out is never the report that is asked again', async () => {
    const { code, stderr } = await again('first', 'first');
    expect(code).toBe(2);
    expect(stderr).toContain('is the DIR of --last-failed, which it would replace; name another folder');
  });

  test('--only-causes needs a report', async () => {
    const { code, stderr } = await run('--only-causes', 'x', '--out', at('unused'));
    expect(code).toBe(2);
    expect(stderr).toContain('name its DIR with --last-failed');
  });

  test.each([
    ['first', 'still', 'other-target', 'is of another target: '],
    ['first', 'first', 'first', 'is no run of --last-failed'],
  ])('judge %s --again joins only what belongs together', async (_, own, of, problem) => {
    const { code, stderr } = await call(['judge', at(of), '--again', at(own)]);
    expect(code).toBe(2);
    expect(stderr).toContain(`--again ${at(own)}: ${problem}`);
  });
});
