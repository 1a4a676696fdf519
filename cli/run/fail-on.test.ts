import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BaselineEntry } from '../../fixtures/baseline/baseline.ts';
import { faultById } from '../../fixtures/faults/index.ts';
import { applyBaseline } from '../../reporters/baseline/apply.ts';
import { emptyReport, impactRow as row } from '../../reporters/empty-report.fixture.ts';
import type { Impact } from '../../spec/vocabulary.ts';
import { runVerdict } from '../../suites/judge/requirements.ts';
import type { Report, ReportRequirement } from '../../suites/types/report.ts';
import { call } from '../command.fixture.ts';
import { exitCodeAgainst, exitCodeOf, failOnOf, uncountedText } from './fail-on.ts';
import { gatewayIn, testFolder, tokensByVariable as env } from '../folder.fixture.ts';

function reportOf(requirements: readonly ReportRequirement[], partial = false): Report {
  const report = emptyReport();
  return { ...report, ...runVerdict(requirements, partial), run: { ...report.run, partial }, requirements };
}

const [kept, open] = [row('client', 'pass'), row('client', 'inconclusive')];
const [broken, intruder, taken] = [row('client', 'fail'), row('credential', 'fail'), row('lenient', 'fail')];

describe('the exit code by impact', () => {
  test.each<[string, readonly ReportRequirement[], readonly Impact[], number]>([
    ['all impacts count, and one fails', [kept, taken], ['client', 'credential', 'lenient'], 1],
    ['only others fail', [kept, taken], ['client', 'credential'], 0],
    ['one of those that count fails', [kept, taken, intruder], ['client', 'credential'], 1],
    ['only others fail, and one could not be judged', [kept, open, taken], ['client'], 3],
    ['only others fail, and nothing passed', [taken, intruder], ['client'], 3],
    ['one that counts fails, and one could not be judged', [kept, open, broken], ['client'], 1],
    ['nothing fails', [kept], ['lenient'], 0],
  ])('where %s', (_, rows, failOn, code) => {
    expect(exitCodeOf(reportOf(rows), failOn)).toBe(code);
  });

  test('of a stopped run is 3 where only others fail', () => {
    expect(exitCodeOf(reportOf([kept, taken], true), ['client'])).toBe(3);
    expect(exitCodeOf(reportOf([kept, taken], true))).toBe(1);
  });

  test('counts a failure without an impact, as a report of an earlier version has it', () => {
    const { impact: _, ...old } = taken;
    expect(exitCodeOf(reportOf([kept, old]), ['client'])).toBe(1);
  });

  test('is told where it leaves something out', () => {
    const report = reportOf([kept, broken, taken, intruder]);
    expect(uncountedText(report, ['client'])).toBe(
      '2 failures (1 credential, 1 lenient) without effect on the exit code: --fail-on client',
    );
    expect(uncountedText(report, failOnOf({}))).toBeUndefined();
  });
});

describe('the exit code by impact beside a baseline', () => {
  const entry = ({ id }: ReportRequirement, expires: string): BaselineEntry => ({
    requirement: id,
    reason: 'r',
    expires,
    line: 1,
  });
  const code = (rows: readonly ReportRequirement[], entries: readonly BaselineEntry[]): number => {
    const report = reportOf(rows);
    const outcome = applyBaseline(report, { file: 'b.yaml', entries }, '2026-11-21');
    return exitCodeAgainst(report, outcome, ['client']);
  };
  const [inForce, expired] = ['2027-01-01', '2026-01-01'];

  test.each<[string, readonly ReportRequirement[], readonly BaselineEntry[], number]>([
    ['a new failure of another impact', [kept, taken], [], 0],
    ['a new failure that counts', [kept, broken], [], 1],
    ['an expected failure that counts', [kept, broken], [entry(broken, inForce)], 0],
    ['an expired entry of another impact', [kept, taken], [entry(taken, expired)], 0],
    ['an expired entry that counts', [kept, broken], [entry(broken, expired)], 1],
    [
      'a stale entry of any impact',
      [kept, row('lenient', 'pass')],
      [entry(row('lenient', 'pass'), inForce)],
      1,
    ],
    ['only failures of another impact, and nothing passed', [taken], [], 3],
  ])('%s', (_, rows, entries, expected) => {
    expect(code(rows, entries)).toBe(expected);
  });
});

describe('--fail-on of the command', async () => {
  const folder = testFolder('fail-on');
  const dir = join(folder, 'report');
  const { hooks = {} } = faultById('chat.param.temperature.range.above') ?? {};
  const { config } = await gatewayIn(folder, { hooks }, 'lenient');

  const run = (...args: readonly string[]) =>
    call(['run', '--config', config, '--out', dir, '--quiet', '--no-allure', ...args], {
      env: { GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '', ...env },
    });

  test('leaves the verdict as it is, and says what does not count; judge does the same', async () => {
    const only = ['--requirement', 'chat.param.temperature.range,chat.endpoint'];
    expect((await run(...only)).code).toBe(1);
    const { code, stdout, stderr } = await run(...only, '--fail-on', 'client,credential');
    const told = '1 failure (1 lenient) without effect on the exit code: --fail-on client,credential';
    expect(code).toBe(0);
    expect(stderr).toContain(`gateway-conformance: ${told}\n`);
    expect(stdout).toContain('✕ Not conformant');
    const report = JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8')) as Report;
    expect(report.verdict).toBe('non-conformant');
    const again = await call(['judge', dir, '--fail-on', 'client', '--fail-on', 'credential']);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain(told);
    expect((await call(['judge', dir, '--fail-on', 'lenient'])).code).toBe(1);
  });

  test.each(['', 'client,', 'clients', 'Client'])(
    'refuses %j with exit code 2, and sends nothing',
    async (value) => {
      const word = value.split(',').at(-1);
      const stderr = `gateway-conformance: --fail-on: unknown value "${word}"; allowed are credential, client, lenient, own\n`;
      expect(await run('--fail-on', value)).toEqual({ code: 2, stdout: '', stderr });
      expect(await call(['judge', 'absent', '--fail-on', value])).toEqual({ code: 2, stdout: '', stderr });
    },
  );
});
