import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseBaseline } from '../../fixtures/baseline/baseline.ts';
import { requirementRow } from '../../reporters/empty-report.fixture.ts';
import { conformantReport } from '../../reporters/sample.fixture.ts';
import type { Report } from '../../suites/types/report.ts';
import { call } from '../command.fixture.ts';
import { putReport, testFolder } from '../folder.fixture.ts';

const folder = testFolder('baseline');

/** A report in which these requirements of the register failed, and these were kept. */
function report(failed: readonly string[], kept: readonly string[]): Report {
  const base = conformantReport();
  return {
    ...base,
    requirements: [
      ...failed.map((id) => requirementRow(id, { verdict: 'fail' })),
      ...kept.map((id) => requirementRow(id)),
    ],
    cases: [],
  };
}

const file = join(folder, 'known.yaml');

test('an update writes what fails, then keeps reasons and comments and drops what passes', async () => {
  const first = putReport(folder, 'first', report(['chat.result.id', 'chat.result.object'], []));
  const written = await call(['baseline', 'update', '--baseline', file, '--report', first]);
  expect(written).toMatchObject({ code: 0, stderr: '' });
  expect(written.stdout).toContain('2 entries added, 0 entries dropped, 0 entries kept.');
  const entries = parseBaseline(file, readFileSync(file, 'utf8')).entries;
  expect(entries.map(({ requirement, reason }) => [requirement, reason])).toEqual([
    ['chat.result.id', 'TODO: say why'],
    ['chat.result.object', 'TODO: say why'],
  ]);
  const days = (Date.parse(entries[0]?.expires ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(88);
  expect(days).toBeLessThan(91);

  writeFileSync(file, readFileSync(file, 'utf8').replace('"TODO: say why"', 'ticket 12 # ask Kim'));
  const second = putReport(
    folder,
    'second',
    report(['chat.result.id', 'chat.result.model'], ['chat.result.object']),
  );
  const again = await call(['baseline', 'update', '--baseline', file, '--report', second]);
  expect(again.stdout).toContain('1 entry added, 1 entry dropped, 1 entry kept.');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('reason: ticket 12 # ask Kim');
  expect(parseBaseline(file, text).entries.map(({ requirement }) => requirement)).toEqual([
    'chat.result.id',
    'chat.result.model',
  ]);
});

test('a baseline that is broken is refused, and left as it is', async () => {
  const broken = join(folder, 'broken.yaml');
  writeFileSync(
    broken,
    'expected:\n  - requirement: chat.result.idd\n    reason: r\n    expires: 2027-01-01\n',
  );
  const dir = putReport(folder, 'third', report(['chat.result.id'], []));
  const { code, stderr } = await call(['baseline', 'update', '--baseline', broken, '--report', dir]);
  expect(code).toBe(2);
  expect(stderr).toContain(
    'broken.yaml:2: expected[0].requirement: unknown requirement "chat.result.idd"; did you mean chat.result.id?',
  );
  expect(readFileSync(broken, 'utf8')).toContain('chat.result.idd');
});

test('without a report nothing is written', async () => {
  const { code, stderr } = await call(['baseline', 'update'], { cwd: folder });
  expect(code).toBe(2);
  expect(stderr).toContain('conformance-report: no such file');
  expect(existsSync(join(folder, 'gateway-conformance.baseline.yaml'))).toBe(false);
});
