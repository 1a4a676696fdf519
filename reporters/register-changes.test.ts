import { expect, test } from 'vitest';
import { requirements } from '../spec/requirements.ts';
import { noticesOf } from './certificate/verification.ts';
import { diffReports } from './diff/diff.ts';
import { renderDiffText } from './diff/document.ts';
import { rowChanges, sinceReport } from './register-changes.ts';
import { conformantReport } from './sample.fixture.ts';
import type { Report, ReportRequirement } from '../suites/types/report.ts';

const row: ReportRequirement = {
  id: 'chat.result.id',
  sections: ['4.3'],
  level: 'derived',
  impact: 'client',
  statement: 'It has an id.',
  verdict: 'pass',
  cases: [],
};

test.each<[string, Partial<ReportRequirement>, readonly string[]]>([
  ['nothing', {}, []],
  ['the verdict alone', { verdict: 'fail' }, []],
  ['the statement', { statement: 'It has a longer id.' }, ['another statement']],
  ['the level', { level: 'stated' }, ['level derived → stated']],
  ['who is hurt', { impact: 'lenient' }, ['impact client → lenient']],
  [
    'a stricter row',
    { since: 2, provisional: 'fail' },
    ['stricter since version 2', 'does not count any more'],
  ],
])('a row that changed by %s', (_, change, words) => {
  expect(rowChanges(row, { ...row, ...change })).toEqual(words);
});

const report = (...requirements: ReportRequirement[]): Report => ({
  ...conformantReport(),
  requirements,
  excluded: [],
});

test('diff tells a changed target from a changed statement, row by row', () => {
  const other = { ...row, id: 'chat.result.model' };
  const before = report(row, other);
  const after = report({ ...row, level: 'stated', verdict: 'fail' }, { ...other, verdict: 'fail' });
  const suite = { ...after.suite, version: '9.9.9', statements: '2' };
  const found = diffReports(before, { ...after, suite });
  expect(found.changes.map(({ id, kind }) => [id, kind])).toEqual([
    ['chat.result.model', 'regression'],
    ['chat.result.id', 'register'],
  ]);
  const text = renderDiffText(found);
  expect(text).toContain('1 statement is another one now, listed apart');
  expect(text).toContain('level derived → stated');
});

test('a row that begins to count and fails as before is no regression', () => {
  const provisional = { ...row, since: 2, provisional: 'fail', verdict: 'observed' } as const;
  const counted = { ...row, since: 2, verdict: 'fail' } as const;
  const found = diffReports(report(provisional), report(counted));
  expect(found.changes.map(({ kind, register }) => [kind, register])).toEqual([['register', ['counts now']]]);
  expect(found.regressed).toBe(false);
});

const register = (): ReportRequirement[] =>
  requirements()
    .filter(({ excluded }) => excluded === undefined)
    .map(({ id, sections, level, impact, statement, reading }) => ({
      ...{ id, sections, level, statement, verdict: 'pass' as const, cases: [] },
      ...(impact ? { impact } : {}),
      ...(reading ? { reading } : {}),
    }));

test('what changed since a report is told by row, and nothing where its statements still stand', () => {
  const [first, second, ...rows] = register();
  expect(sinceReport(report(...register()))).toEqual([]);
  const old = report({ ...(first ?? row), statement: 'It was so.' }, { ...row, id: 'gone.row' }, ...rows);
  expect(sinceReport(old)).toEqual([
    `${first?.id}: another statement`,
    `${second?.id}: new`,
    'gone.row: removed',
  ]);
});

test('an error of the suite is named for a version that it affects, with what the report says', () => {
  const erratum = {
    requirement: 'chat.result.id',
    from: '0.1.0',
    until: '99.0.0',
    url: 'https://example.com/errata/1',
    error: 'An id of one letter was failed.',
    holds: 'Any string is an id.',
  };
  const judged = report({ ...row, verdict: 'fail' });
  const [notice] = noticesOf(judged, [erratum], true);
  expect(notice?.lines).toEqual([
    'chat.result.id (here: fail): An id of one letter was failed. What holds instead: Any string is an id. https://example.com/errata/1',
  ]);
  expect(noticesOf(judged, [{ ...erratum, from: '98.0.0' }], true)).toEqual([]);
  expect(noticesOf(judged, [], false)[0]?.name).toBe('Since then');
});
