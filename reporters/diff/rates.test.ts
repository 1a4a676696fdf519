import { describe, expect, test } from 'vitest';
import type { Report, RequirementRuns, Verdict } from '../../suites/types/report.ts';
import { smallReport, withRow } from '../small.fixture.ts';
import { diffReports } from './diff.ts';
import { renderDiffMarkdown, renderDiffText } from './document.ts';

const id = 'chat.result.id';

/** The requirement in so many runs; one run where none are given. */
function judged(failed: number, of: number, inconclusive = 0): Report {
  const verdict: Verdict = failed > 0 ? 'fail' : inconclusive > 0 ? 'inconclusive' : 'pass';
  const runs: RequirementRuns = { judged: of, failed, inconclusive, failures: [] };
  return withRow(smallReport(), id, of === 1 ? { verdict } : { verdict, runs });
}

const kinds = (before: Report, after: Report): readonly string[] =>
  diffReports(before, after).changes.map(({ kind }) => kind);

describe('a rate that is higher than before', () => {
  test.each([
    ['once in fifty after never in fifty', judged(0, 50), judged(1, 50), ['other']],
    ['six in fifty after never in fifty', judged(0, 50), judged(6, 50), ['regression']],
    ['four in fifty after three in fifty', judged(3, 50), judged(4, 50), ['other']],
    ['always after never, however few the runs', judged(0, 2), judged(2, 2), ['regression']],
    ['always after one run that passed', judged(0, 1), judged(3, 3), ['regression']],
    ['once in fifty after one run that passed', judged(0, 1), judged(1, 50), ['other']],
    ['never after six in fifty', judged(6, 50), judged(0, 50), ['improvement']],
    ['never after once in fifty', judged(1, 50), judged(0, 50), ['other']],
    ['the same as before', judged(2, 50), judged(2, 50), []],
    ['undecided always after a pass always', judged(0, 20), judged(0, 20, 20), ['regression']],
    ['undecided once after a pass always', judged(0, 20), judged(0, 20, 1), ['other']],
    ['undecided always after failed always', judged(20, 20), judged(0, 20, 20), ['other']],
  ] as const)('%s', (_, before, after, expected) => {
    expect(kinds(before, after)).toEqual(expected);
    expect(diffReports(before, after).regressed).toBe((expected as readonly string[]).includes('regression'));
  });

  test('is told with both rates, and whether it is more than chance', () => {
    const chance = renderDiffText(diffReports(judged(0, 50), judged(1, 50))).replace(/\s+/g, ' ');
    expect(chance).toContain(
      'failed in 0 of 50 runs before, in 1 of 50 runs now: no more than chance may bring (Fisher’s exact test, p = 0.5)',
    );
    const worse = diffReports(judged(1, 50), judged(20, 50));
    expect(renderDiffMarkdown(worse)).toContain('failed in 1 of 50 runs before, in 20 of 50 runs now');
    expect(worse.changes[0]?.rates).toMatchObject({ counted: 'failed', isSignificant: true });
  });

  test('does not count where the interface does not specify it', () => {
    const open = (failed: number) => withRow(judged(failed, 50), id, { level: 'unspecified' });
    expect(kinds(open(0), open(50))).toEqual(['other']);
  });
});

describe('where many rates are compared', () => {
  /** A report with a row for each of these numbers of failures in fifty runs. */
  function failing(...failures: readonly number[]): Report {
    const report = judged(0, 50);
    const [first] = report.requirements.filter((row) => row.id === id);
    if (first === undefined) throw new Error('the report has the requirement');
    const requirements = failures.map((failed, at) => {
      const runs: RequirementRuns = { judged: 50, failed, inconclusive: 0, failures: [] };
      return { ...first, id: `${id}.${at}`, verdict: failed > 0 ? 'fail' : 'pass', runs } as const;
    });
    return { ...report, requirements };
  }
  const unsteady = [5, 8, 3, 6, 9, 4, 7, 2, 5];

  test('one that alone would be a change is none among ten that come and go', () => {
    expect(diffReports(failing(0), failing(6)).regressed).toBe(true);
    const [before, after] = [failing(0, ...unsteady), failing(6, ...unsteady.map((failed) => 10 - failed))];
    expect(diffReports(before, after).regressed).toBe(false);
    const text = renderDiffText(diffReports(before, after)).replace(/\s+/g, ' ');
    expect(text).toContain('p = 0.0133, corrected for 10 comparisons)');
  });

  test('one that changed is found among them, and it alone', () => {
    const [before, after] = [failing(0, ...unsteady), failing(20, ...unsteady.toReversed())];
    const worse = diffReports(before, after).changes.filter(({ kind }) => kind === 'regression');
    expect(worse.map((change) => change.id)).toEqual([`${id}.0`]);
  });

  test('what never failed in any run is no comparison', () => {
    const quiet = Array.from({ length: 100 }, () => 0);
    expect(diffReports(failing(0, ...quiet), failing(6, ...quiet)).regressed).toBe(true);
  });
});
