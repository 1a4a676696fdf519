import { describe, expect, test } from 'vitest';
import { sampleReport } from '../sample.fixture.ts';
import {
  describeDifference,
  differences,
  isSameSuite,
  reportDifferences,
  verdictDifferences,
} from './differences.ts';

const report = sampleReport();
const [first] = report.requirements;
const flipped = first?.verdict === 'pass' ? 'fail' : 'pass';

const said = (found: ReturnType<typeof differences>): string[] =>
  found.map((each) => describeDifference(each, 'one', 'other'));

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

  test('are only those of verdicts where another suite judged', () => {
    expect(verdictDifferences(report, edited)).toHaveLength(2);
  });

  test('a suite is another one by any of its digests', () => {
    expect(isSameSuite(report.suite, { ...report.suite })).toBe(true);
    expect(isSameSuite(report.suite, { ...report.suite, openapiDigest: 'sha256:other' })).toBe(false);
  });

  test('a long value is told by its beginning', () => {
    const [line = ''] = said(differences({ a: 'x'.repeat(1000) }, { a: '' }));
    expect(line.length).toBeLessThan(120);
  });
});
