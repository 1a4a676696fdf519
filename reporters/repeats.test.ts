import { describe, expect, test } from 'vitest';
import { createRepeats } from '../suites/judge/repeated-runs/repeats.ts';
import type { Report, ReportRequirement } from '../suites/types/report.ts';
import { causedReport } from './causes.fixture.ts';
import { renderHtml, renderMarkdown, renderSummary } from './run/document.ts';
import { renderJunit } from './junit.ts';
import { failedRunsText, rateText, repeatSentence } from './repeats.ts';
import { validateReport } from './schema/validate.ts';
import { smallReport } from './small.fixture.ts';

const failing = 'chat.result.usage.total-tokens';

/** A report of one run, with its own id, seed and cost. */
const run = (seed: number, report: Report = smallReport()): Report => ({
  ...report,
  run: {
    ...report.run,
    id: `id-${seed}`,
    seed,
    cost: { currency: 'USD', expected: 0.2, actual: 0.1, estimated: 1 },
  },
});

/** The same run where the total is an integer. */
function passing(seed: number): Report {
  const { requirements, cases, ...report } = run(seed);
  return {
    ...report,
    verdict: 'inconclusive',
    requirements: requirements.map((row) => {
      if (row.id !== failing) return row;
      const { reason: _, ...rest } = row;
      return { ...rest, verdict: 'pass' };
    }),
    cases: cases.map((outcome) =>
      outcome.id === 'plain'
        ? { ...outcome, verdict: 'pass', findings: [], passed: outcome.requirements }
        : outcome,
    ),
  };
}

function repeated(asked: number, reports: readonly Report[]): Report {
  const repeats = createRepeats(asked);
  for (const report of reports) repeats.add(report);
  return repeats.merged();
}

const rowOf = (report: Report, id: string): ReportRequirement | undefined =>
  report.requirements.find((row) => row.id === id);

const unsteady = repeated(3, [passing(7), run(8), passing(9)]);

describe('the report of several runs', () => {
  test('is what its schema says, and has a verdict: the worst', () => {
    expect(validateReport(unsteady)).toEqual([]);
    expect(unsteady.verdict).toBe('non-conformant');
    expect(rowOf(unsteady, failing)).toMatchObject({
      verdict: 'fail',
      runs: {
        judged: 3,
        failed: 1,
        inconclusive: 0,
        failures: [{ run: 2, seed: 8, exchanges: ['run-2/one'] }],
      },
    });
    expect(unsteady.summary.fail).toBe(1);
  });

  test('sums requests, generations and cost, and has an id that none of the runs has', () => {
    const once = smallReport().run;
    expect(unsteady.run).toMatchObject({
      requests: once.requests * 3,
      billedGenerations: once.billedGenerations * 3,
      cost: { currency: 'USD', expected: 0.6, actual: 0.3, estimated: 3 },
      seed: 7,
      partial: false,
      repeat: { asked: 3 },
    });
    expect(['id-7', 'id-8', 'id-9']).not.toContain(unsteady.run.id);
    expect(unsteady.run.repeat?.runs.map(({ id, seed }) => [id, seed])).toEqual([
      ['id-7', 7],
      ['id-8', 8],
      ['id-9', 9],
    ]);
  });

  test('holds every exchange that it names, each by its run', () => {
    const held = new Set(unsteady.exchanges.map(({ id }) => id));
    const named = [
      ...unsteady.cases.flatMap(({ exchanges }) => exchanges),
      ...unsteady.observations.flatMap(({ exchanges }) => exchanges),
      ...unsteady.cases.flatMap(({ findings }) => findings.flatMap(({ exchange }) => exchange ?? [])),
    ];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((id) => !held.has(id))).toEqual([]);
    expect([...held].every((id) => /^run-[123]\//.test(id))).toBe(true);
  });

  test('holds the exchanges of the first runs that failed, however many did', () => {
    const all = repeated(
      20,
      Array.from({ length: 20 }, (_, at) => run(at)),
    );
    expect(rowOf(all, failing)?.runs?.failures).toHaveLength(20);
    const ofFailure = all.exchanges.filter(({ id }) => id.endsWith('/one')).map(({ id }) => id);
    expect(ofFailure).toEqual(['run-1/one', 'run-2/one', 'run-3/one']);
  });

  test('keeps one observation where the runs agree, and both values where they do not', () => {
    const values = smallReport().observations.map(({ id }) => id);
    expect(unsteady.observations.map(({ id }) => id)).toEqual(values);
    const other = run(8);
    const changed = {
      ...other,
      observations: other.observations.map((row, at) => (at === 0 ? { ...row, value: 'another' } : row)),
    };
    const first = values[0];
    const seen = repeated(2, [run(7), changed]).observations.filter(({ id }) => id === first);
    expect(seen.map(({ value }) => value)).toEqual([smallReport().observations[0]?.value, 'another']);
  });

  test('does not say that a combination is served that was refused in another run', () => {
    const [served, ...rest] = smallReport().matrix;
    if (served === undefined) throw new Error('the fixture has a cell');
    const refused = { ...run(8), matrix: [{ ...served, observed: 'refused' as const }, ...rest] };
    expect(repeated(2, [run(7), refused]).matrix[0]?.observed).toBe('unknown');
    expect(repeated(2, [run(7), run(8)]).matrix[0]?.observed).toBe(served.observed);
  });

  test('says in how many runs a cause was seen', () => {
    const twice = repeated(2, [run(1, causedReport()), run(2, causedReport())]);
    expect(validateReport(twice)).toEqual([]);
    expect(twice.causes.map(({ id }) => id)).toEqual(causedReport().causes.map(({ id }) => id));
    expect(twice.causes.every(({ runs }) => runs?.seen === 2 && runs.judged === 2)).toBe(true);
  });
});

describe('a run that asks again', () => {
  /** The report as that of a run that asked these requirements again. */
  const again = (report: Report, ...ids: readonly string[]): Report => ({
    ...report,
    scope: {
      ...report.scope,
      again: {
        run: 'id-7',
        repeated: true,
        requirements: ids.map((id) => ({ id, verdict: 'fail' })),
        cases: [],
      },
    },
  });
  const other = 'chat.result.id';
  const leftAfter = (...reports: readonly Report[]): readonly string[] => {
    const repeats = createRepeats(50);
    for (const report of reports) repeats.add(report);
    return repeats.left().map(({ id }) => id);
  };

  test('counts for what it asked and for what failed, and for nothing else', () => {
    const report = repeated(5, [run(7), again(passing(8), failing), again(run(9), other)]);
    expect(validateReport(report)).toEqual([]);
    expect(rowOf(report, failing)?.runs).toMatchObject({ judged: 3, failed: 2 });
    expect(rowOf(report, other)).toMatchObject({ verdict: 'pass', runs: { judged: 2, failed: 0 } });
    expect(report.run.repeat?.runs.map(({ askedAgain }) => askedAgain)).toEqual([
      undefined,
      [failing],
      [other],
    ]);
    expect(repeatSentence(report)).toContain('Judged 3 times, not 5 as asked for');
  });

  test('leaves what is unsteady for the next one, and what always fails until chance explains it no more', () => {
    expect(leftAfter(run(7))).toContain(failing);
    expect(leftAfter(run(7), again(passing(8), failing))).toContain(failing);
    const always = Array.from({ length: 9 }, (_, at) => again(run(8 + at), failing));
    expect(leftAfter(run(7), ...always)).not.toContain(failing);
  });

  const undecided = run(7);
  const open: Report = {
    ...undecided,
    requirements: undecided.requirements.map((row) =>
      row.id === failing ? { ...row, verdict: 'inconclusive' } : row,
    ),
    cases: undecided.cases.map((outcome) =>
      outcome.id === 'plain'
        ? {
            ...outcome,
            verdict: 'inconclusive',
            findings: outcome.findings.map((finding) => ({ ...finding, verdict: 'inconclusive' })),
          }
        : outcome,
    ),
  };

  test('decides what another could not, whichever comes first, and a failure outweighs both', () => {
    for (const reports of [
      [open, again(passing(8), failing)],
      [passing(7), again(open, failing)],
    ]) {
      const report = repeated(5, reports);
      expect(rowOf(report, failing)).toMatchObject({
        verdict: 'pass',
        runs: { judged: 2, failed: 0, inconclusive: 1 },
      });
      expect(report.cases.find(({ id }) => id === 'plain')).toMatchObject({ verdict: 'pass', findings: [] });
    }
    const failed = repeated(5, [open, again(passing(8), failing), again(run(9), failing)]);
    expect(rowOf(failed, failing)?.verdict).toBe('fail');
    expect(failed.cases.find(({ id }) => id === 'plain')?.verdict).toBe('fail');
  });

  test('leaves nothing that passed, nor what one of the runs decided', () => {
    expect(leftAfter(passing(7))).not.toContain(failing);
    expect(leftAfter(open)).toContain(failing);
    expect(leftAfter(open, again(passing(8), failing))).not.toContain(failing);
  });
});

describe('a run that was stopped', () => {
  /** Nothing of it was asked any more, and it would have passed. */
  function stopped(seed: number): Report {
    const report = passing(seed);
    const words = { message: 'not sent', expected: 'a reply', actual: 'stopped' };
    return {
      ...report,
      run: { ...report.run, partial: true },
      requirements: report.requirements.map((row) =>
        row.id === failing ? { ...row, verdict: 'inconclusive', cause: 'run-stopped' } : row,
      ),
      cases: report.cases.map((outcome) =>
        outcome.id === 'plain'
          ? {
              ...outcome,
              verdict: 'inconclusive',
              findings: [{ requirement: failing, verdict: 'inconclusive', ...words }],
              passed: ['chat.result.id'],
            }
          : outcome,
      ),
      causes: [
        {
          id: 'run-stopped',
          kind: 'run-stopped',
          summary: 'The run was stopped.',
          evidence: [],
          exchanges: [],
          requirements: [failing],
        },
      ],
    };
  }

  test('takes nothing from what the others showed, and leaves the whole partial', () => {
    const report = repeated(5, [passing(7), passing(8), stopped(9)]);
    expect(rowOf(report, failing)).toMatchObject({ verdict: 'pass', runs: { judged: 2, failed: 0 } });
    expect(report.cases.find(({ id }) => id === 'plain')?.verdict).toBe('pass');
    expect(report.run.partial).toBe(true);
    expect(report.verdict).toBe('inconclusive');
    expect(repeatSentence(report)).toBe(
      'Judged 3 times, not 5 as asked for; nothing failed in some runs and passed in others.',
    );
  });

  test('is not counted where it sent nothing', () => {
    const none = stopped(9);
    const report = repeated(3, [run(7), { ...none, run: { ...none.run, requests: 0 } }]);
    expect(report.run.repeat?.runs).toHaveLength(1);
    expect(report.run.partial).toBe(true);
  });
});

describe('how often a requirement failed', () => {
  const rate = 'failed in 1 of 3 runs, passed in 2: unsteady';

  test.each([
    ['the terminal', renderSummary(unsteady, { colour: false, width: 200 })],
    ['HTML', renderHtml(unsteady)],
    ['Markdown', renderMarkdown(unsteady)],
    ['JUnit', renderJunit(unsteady)],
  ])('stands beside it in %s', (name, text) => {
    expect(text).toContain(rate);
    if (name !== 'JUnit')
      expect(text).toContain('Judged 3 times; 1 requirement failed in some runs and passed in others.');
  });

  test('names the runs that failed with their seeds, and is silent where all passed', () => {
    const { runs } = rowOf(unsteady, failing) ?? {};
    expect(runs && failedRunsText(runs)).toBe('run 2 (seed 8)');
    const passed = repeated(2, [passing(7), passing(8)]);
    expect(rateText(rowOf(passed, failing) ?? {})).toBeUndefined();
    expect(rateText({ runs: { judged: 2, failed: 2, inconclusive: 0, failures: [] } })).toBe(
      'failed in 2 of 2 runs',
    );
  });

  test('is no word of a report of one run', () => {
    expect(repeatSentence(smallReport())).toBe('');
    expect(renderMarkdown(smallReport())).not.toMatch(/ of \d+ runs/);
  });
});
