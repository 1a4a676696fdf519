import { describe, expect, test } from 'vitest';
import type { Report } from '../../suites/types/report.ts';
import { sampleReport } from '../sample.fixture.ts';
import { smallReport } from '../small.fixture.ts';
import {
  describedBetween,
  differences,
  reportDifferences,
  suiteName,
  verdictDifferences,
} from './differences.ts';

const report = sampleReport();
const [first] = report.requirements;
const flipped = first?.verdict === 'pass' ? 'fail' : 'pass';

const said = (found: ReturnType<typeof differences>): string[] => found.map(describedBetween('one', 'other'));

describe('differences of JSON values', () => {
  test('are none between equal values', () => {
    expect(differences(report, structuredClone(report))).toEqual([]);
  });

  test('go by id in lists that have one, whatever the position', () => {
    const rows = (...ids: string[]) => ids.map((id) => ({ id, verdict: 'pass' }));
    expect(said(differences({ cases: rows('a', 'b') }, { cases: rows('b', 'c') }))).toEqual([
      'case a: in one, but not in other',
      'case c: not in one, but in other',
    ]);
  });

  test('notice an order that changed', () => {
    expect(differences([{ id: 'a' }, { id: 'b' }], [{ id: 'b' }, { id: 'a' }])).toHaveLength(1);
  });

  test('notice an id that stands twice', () => {
    expect(differences([{ id: 'a' }], [{ id: 'a' }, { id: 'a' }])).not.toEqual([]);
  });

  test('go by position where an element has no id, or one that is no text', () => {
    const list = (...ids: readonly unknown[]) => ({ cases: ids.map((id) => ({ id })) });
    expect(said(differences(list('a', 1), list('a', 2)))).toEqual(['case 1, id: one has 1, other 2']);
    expect(said(differences(['x', { id: 'a' }], ['y', { id: 'a' }]))).toEqual(['0: one has "x", other "y"']);
    expect(said(differences([{ id: 'a' }, 'x'], [{ id: 'b' }, 'x']))).toEqual([
      '0/id: one has "a", other "b"',
    ]);
    expect(said(differences({ id: 'a' }, { id: 'b' }))).toEqual(['id: one has "a", other "b"']);
  });

  test('of an order tell both lists', () => {
    const [one, other] = [
      [{ id: 'a' }, { id: 'b' }],
      [{ id: 'b' }, { id: 'a' }],
    ];
    expect(differences({ cases: one }, { cases: other })).toEqual([
      { path: ['cases'], stored: one, derived: other },
    ]);
    expect(said(differences({ cases: one }, { cases: other }))).toEqual([
      'cases: one has [{"id":"a"},{"id":"b"}], other [{"id":"b"},{"id":"a"}]',
    ]);
  });

  test('name a value that is not there, and cut one of more than sixty characters', () => {
    const at = (path: string[], stored: unknown, derived: unknown) =>
      describedBetween('A', 'B')({ path, stored, derived });
    expect(at([], 1, 2)).toBe('the whole: A has 1, B 2');
    expect(at(['exchanges', 'e1', 'timing', 'endMs'], 1, 2)).toBe('exchange e1, timing/endMs: A has 1, B 2');
    expect(at(['observations'], 1, undefined)).toBe('observations: in A, but not in B');
    const [fits, long] = ['x'.repeat(58), 'x'.repeat(59)];
    expect(at(['a'], fits, long)).toBe(`a: A has "${fits}", B "${long}…`);
  });

  test('tell null, an empty list and an empty object apart', () => {
    for (const [one, other] of [
      [null, []],
      [[], {}],
      [{}, null],
    ]) {
      expect(differences(one, other)).toHaveLength(1);
    }
  });
});

describe('differences of reports', () => {
  const edited = {
    ...report,
    summary: { ...report.summary, pass: 999 },
    requirements: report.requirements.map((row) => (row === first ? { ...row, verdict: flipped } : row)),
    verdict: 'inconclusive' as const,
  } as typeof report;

  test('begin with the verdicts', () => {
    const lines = said(reportDifferences(report, edited));
    expect(lines[0]).toContain('verdict: one has');
    expect(lines[1]).toBe(
      `requirement ${first?.id}, verdict: one has "${first?.verdict}", other "${flipped}"`,
    );
    expect(lines.at(-1)).toContain('summary/pass: one has');
  });

  test('come with verdicts first, then whole exchanges, then parts of them, then cases', () => {
    const small = smallReport();
    const later: Report = {
      ...small,
      schemaVersion: 3,
      run: { ...small.run, id: 'run-2' },
      cases: small.cases.map((row) => ({ ...row, title: `${row.title}!`, verdict: 'untested' })),
      requirements: small.requirements.map((row) => ({ ...row, statement: '', verdict: 'untested' })),
      exchanges: small.exchanges
        .slice(0, -1)
        .map((row) => ({ ...row, ending: { kind: 'cut', detail: 'closed' } })),
      verdict: 'conformant',
    };
    const paths = reportDifferences(small, later).map(({ path }) => path.join('/'));
    expect(paths).toEqual([
      'verdict',
      ...small.requirements
        .filter(({ verdict }) => verdict !== 'untested')
        .map(({ id }) => `requirements/${id}/verdict`),
      'exchanges/three',
      'exchanges/one/ending/kind',
      'exchanges/one/ending/detail',
      'exchanges/two/ending/kind',
      'exchanges/two/ending/detail',
      ...['plain', 'hot', 'streamed', 'refusal'].map((id) => `cases/${id}/verdict`),
      'run/id',
      ...small.requirements.map(({ id }) => `requirements/${id}/statement`),
      ...small.cases.map(({ id }) => `cases/${id}/title`),
    ]);
  });

  test('are only those of verdicts where another suite judged, an order not among them', () => {
    expect(verdictDifferences(report, edited)).toHaveLength(2);
    const small = smallReport();
    const [first, ...rest] = small.cases;
    if (first === undefined) throw new Error('the fixture has cases');
    const later: Report = { ...small, cases: [...rest, { ...first, title: 'another' }] };
    expect(verdictDifferences(small, later)).toEqual([]);
    const judged: Report = { ...small, cases: [{ ...first, verdict: 'pass' }, ...rest] };
    expect(said(verdictDifferences(small, judged))).toEqual([
      'case plain, verdict: one has "fail", other "pass"',
    ]);
  });

  test('name a suite by its version and the beginning of both digests', () => {
    expect(suiteName(smallReport().suite)).toBe('1.2.0 (aaaaaaaa, bbbbbbbb)');
    expect(suiteName({ ...report.suite, requirementsDigest: 'asha256:bcd' })).toMatch(
      /^1\.2\.0 \(asha256:, bbbbbbbb\)$/,
    );
  });

  test('a long value is told by its beginning', () => {
    const [line = ''] = said(differences({ a: 'x'.repeat(1000) }, { a: '' }));
    expect(line.length).toBeLessThan(120);
  });
});
