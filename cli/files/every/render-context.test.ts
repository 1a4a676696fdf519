import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultById } from '../../../fixtures/faults/index.ts';
import { applyBaseline } from '../../../reporters/baseline/apply.ts';
import { parseHistory } from '../../../reporters/history.ts';
import { isGating } from '../../../suites/types/gating.ts';
import { conformantReport, sampleReport } from '../../../reporters/sample.fixture.ts';
import type { Report } from '../../../suites/types/report.ts';
import { exitCodeAgainst } from '../../run/fail-on.ts';
import { readRenderContext } from '../render-context.ts';
import { verifyBundle } from '../../certificate/verify-bundle.ts';
import { call, type Ended, words } from '../../command.fixture.ts';
import { gatewayIn, testFolder, tokensByVariable as env } from '../../folder.fixture.ts';

const folder = testFolder('beside');
const path = (name: string): string => join(folder, name);

const failed = sampleReport().requirements.filter(({ verdict }) => verdict === 'fail');
const entries = failed.map(({ id }) => ({ requirement: id, reason: 'r', expires: '2027-01-01', line: 1 }));
const held = (report: Report, list = entries) =>
  applyBaseline(report, { file: 'b.yaml', entries: list }, '2026-11-21');
/** The sample without what could not be judged. */
const decided = (): Report => {
  const report = sampleReport();
  return { ...report, requirements: report.requirements.filter(({ verdict }) => verdict !== 'inconclusive') };
};
/** Entries for all that failed or is open. */
const known = () =>
  sampleReport()
    .requirements.filter((row) => row.verdict === 'fail' || isGating(row))
    .map(({ id }) => ({ requirement: id, reason: 'r', expires: '2027-01-01', line: 1 }));
const stopped = (): Report => ({ ...decided(), run: { ...decided().run, partial: true } });

describe('the exit code beside a baseline', () => {
  test.each([
    ['all failures expected', decided(), entries, 0],
    ['all failures expected, and something that gates could not be judged', sampleReport(), entries, 3],
    ['all failures expected, and all that could not be judged', sampleReport(), known(), 0],
    ['a failure that is new', decided(), entries.slice(1), 1],
    ['nothing failed, and an entry is stale', conformantReport(), entries, 1],
    ['nothing failed, and nothing was expected', conformantReport(), [], 0],
    ['a stopped run, and all failures expected', stopped(), entries, 3],
    ['a stopped run, and a failure that is new', stopped(), entries.slice(1), 1],
  ])('%s', (_, report, list, code) => {
    expect(exitCodeAgainst(report, held(report, list))).toBe(code);
  });

  test('without a baseline is that of the report', () => {
    expect(exitCodeAgainst(decided(), undefined)).toBe(1);
    expect(exitCodeAgainst(stopped(), undefined)).toBe(1);
    expect(exitCodeAgainst(conformantReport(), undefined)).toBe(0);
  });
});

test.each([
  '{',
  '[]',
  'null',
  '{"history":[{}],"baseline":{"file":1}}',
  '{"baseline":{"file":"b","text":"expcted: 1"}}',
])('a render-context.json that is %s says nothing', (text) => {
  writeFileSync(path('render-context.json'), text);
  expect(readRenderContext(folder)?.context).toEqual({});
});

describe('a run against a gateway with a fault', async () => {
  const fault = faultById('responses.auth.invalid');
  const [dir, known] = [path('report'), path('known.yaml')];
  await gatewayIn(folder, { hooks: fault?.hooks ?? {} }, 'faulty');
  await gatewayIn(folder, {}, 'sound');

  const runWithAllure = (
    config: string,
    args: readonly string[] = [],
    more: Record<string, string> = {},
  ): Promise<Ended> =>
    call(
      [
        ...words(`run --config ${path(config)} --out ${dir} --requirement responses.auth.invalid --quiet`),
        ...args,
      ],
      { env: { GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '', ...env, ...more } },
    );

  const run = (config: string, args: readonly string[] = [], more: Record<string, string> = {}) =>
    runWithAllure(config, ['--no-allure', ...args], more);

  test('what is expected passes, what passes is stale, and the report says so', async () => {
    expect((await run('faulty.yaml')).code).toBe(1);
    await call(['baseline', 'update', '--baseline', known, '--report', dir]);
    const expected = await runWithAllure('faulty.yaml', ['--baseline', known]);
    expect(expected.code).toBe(0);
    expect(expected.stdout).toContain('✓ Expected failures\n  Baseline: Every failure is expected by');
    expect(expected.stdout.trimEnd().split('\n').at(-1)).toBe(join(dir, 'report.html'));
    expect(readFileSync(join(dir, 'report.md'), 'utf8')).toContain('## ✓ Expected failures');
    expect(readFileSync(join(dir, 'report.sarif'), 'utf8')).toContain('"suppressions"');
    expect(readFileSync(join(dir, 'junit.xml'), 'utf8')).toContain('failures="0" errors="0"');
    expect(readFileSync(join(dir, 'ctrf-report.json'), 'utf8')).toContain('"failed": 0');
    expect(readFileSync(join(dir, 'report.html'), 'utf8')).toContain('id="part-baseline"');
    const results = readdirSync(join(dir, 'allure-results')).filter((name) => name.endsWith('-result.json'));
    const texts = results.map((name) => readFileSync(join(dir, 'allure-results', name), 'utf8'));
    const failedResults = texts.filter((text) => text.includes('"status":"failed"'));
    expect(failedResults.length).toBeGreaterThan(0);
    for (const text of failedResults) expect(text).toContain('"known":true,"muted":true');
    const stale = await run('sound.yaml', ['--baseline', known]);
    expect(stale.code).toBe(1);
    expect(stale.stdout).toContain('✕ Stale: passes now, remove the entry (1)');
  });

  test('a bundle beside a baseline and a history verifies, and every change of it is named', async () => {
    const history = path('both.jsonl');
    rmSync(history, { force: true });
    const both = ['--baseline', known, '--history', history];
    await run('faulty.yaml', both);
    expect((await run('faulty.yaml', both)).code).toBe(0);
    const sane = await call(['verify', dir]);
    expect(sane).toMatchObject({ code: 0, stderr: '' });
    expect(sane.stdout).toContain('badge.json, render-context.json');
    const changes = [
      ['junit.xml', /expected failure: TODO/, 'expected failure: DONE', ['junit.xml is not']],
      ['ctrf-report.json', /expected failure: TODO/, 'expected failure: DONE', ['ctrf-report.json is not']],
      ['report.sarif', /"kind": "external"/, '"kind": "inSource"', ['report.sarif is not']],
      ['render-context.json', /TODO: say why/, 'never mind', ['junit.xml is not', 'report.html is not']],
      [
        'render-context.json',
        /expires: 20\d\d/,
        'expires: 2020',
        ['junit.xml is not', 'report.sarif is not'],
      ],
      ['render-context.json', /^{/, '{ ', ['render-context.json is not written as']],
      [
        'render-context.json',
        /("fail": )\d(?!.*"fail")/s,
        '$19',
        ['render-context.json ends with another run'],
      ],
      ['render-context.json', /.*/s, '', ['render-context.json is not written as', 'junit.xml is not']],
    ] as const;
    for (const [at, [name, from, to, told]] of changes.entries()) {
      const copy = path(`changed-${at}`);
      cpSync(dir, copy, { recursive: true });
      const before = readFileSync(join(copy, name), 'utf8');
      const after = before.replace(from, to);
      expect(after, name).not.toBe(before);
      writeFileSync(join(copy, name), after);
      const wrong = verifyBundle(copy).steps.flatMap((step) => step.problems);
      for (const line of told) expect(wrong.join('\n'), `${name} ${from}`).toContain(line);
    }
  });

  test('a broken baseline or history is refused before anything is sent or written', async () => {
    writeFileSync(path('broken.yaml'), 'expected:\n  - requirement: nope\n');
    writeFileSync(path('broken.jsonl'), '{}\n');
    for (const [option, file, message] of [
      ['--baseline', 'broken.yaml', 'broken.yaml:2: expected[0].requirement: unknown requirement "nope"'],
      ['--baseline', 'absent.yaml', 'absent.yaml: no such baseline file'],
      ['--history', 'broken.jsonl', 'broken.jsonl: line 1 is not a run of a history'],
      ['--history', 'no/such/history.jsonl', "history.jsonl: can't be written (ENOENT)"],
    ] as const) {
      const ended = await run('sound.yaml', [option, path(file), '--out', path('never')]);
      expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
      expect(ended.stderr).toContain(message);
    }
    expect(existsSync(path('never'))).toBe(false);
  });

  test('a job of GitHub gets annotations and a summary, and no one else does', async () => {
    const summary = path('summary.md');
    writeFileSync(summary, '# Before\n');
    const job = await run('faulty.yaml', [], { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
    expect(job.stdout).toMatch(
      /^::error title=not-refused%3Awithout-valid-token::.*responses\.auth\.invalid/m,
    );
    expect(job.stdout.trimEnd().split('\n').at(-1)).toBe(join(dir, 'report.html'));
    expect(readFileSync(summary, 'utf8')).toMatch(/^# Before\n# ✕ Not conformant/);
    const known = await run('faulty.yaml', ['--baseline', path('known.yaml')], { GITHUB_ACTIONS: 'true' });
    expect(known.stdout).toMatch(
      /^::notice title=Expected failure%3A not-refused%3Awithout-valid-token::.*responses\.auth\.invalid/m,
    );
    const stale = await run('sound.yaml', ['--baseline', path('known.yaml')], { GITHUB_ACTIONS: 'true' });
    expect(stale.stdout).toMatch(/^::error file=[^,]*known\.yaml,line=\d+,title=Stale baseline entry::/m);
    expect((await run('faulty.yaml')).stdout).not.toContain('::error');
  });

  test('the demo keeps a history too', async () => {
    const args = ['--history', path('demo.jsonl'), '--requirement', 'responses.auth.invalid', '--quiet'];
    expect((await call(['demo', '--out', path('demo'), '--no-allure', ...args])).code).toBe(0);
    expect(parseHistory(readFileSync(path('demo.jsonl'), 'utf8'))).toHaveLength(1);
  });

  test('history is kept where it is asked for, and then in DIR by itself', async () => {
    const own = join(dir, 'history.jsonl');
    await run('faulty.yaml', ['--history', own]);
    expect(readFileSync(join(dir, 'report.html'), 'utf8')).not.toContain('class="trend"');
    await run('sound.yaml');
    expect(parseHistory(readFileSync(own, 'utf8')).map(({ verdict }) => verdict)).toEqual([
      'non-conformant',
      'conformant',
    ]);
    expect(readFileSync(join(dir, 'report.html'), 'utf8')).toContain('2 runs since');
    expect((await call(['verify', dir])).code).toBe(0);
    rmSync(own);
    await run('sound.yaml');
    expect(existsSync(own)).toBe(false);
    expect(existsSync(join(dir, 'render-context.json'))).toBe(false);
  });
});
