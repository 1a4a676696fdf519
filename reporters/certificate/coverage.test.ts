import { describe, expect, test } from 'vitest';
import type { Report, ReportRequirement } from '../../suites/types/report.ts';
import { requirementRow as row } from '../empty-report.fixture.ts';
import { sampleReport } from '../sample.fixture.ts';
import { certificationBlockers, coverageOf } from './coverage.ts';

const report = (...requirements: ReportRequirement[]): Report => {
  const { scope, run, ...rest } = sampleReport();
  return {
    ...rest,
    verdict: 'conformant',
    scope: { ...scope, selection: {} },
    run: { ...run, partial: false },
    requirements: [row('kept', {}), ...requirements],
  };
};

const missingOf = (wanted: ReportRequirement): string[] =>
  coverageOf(report(wanted)).missing.map(
    ({ requirement, reason, remedy }) => `${requirement}: ${reason}; ${remedy}`,
  );

describe('what is missing from a certificate', () => {
  test('is nothing where all was judged', () => {
    const whole = report(row('broken', { verdict: 'fail' }), row('derived', { level: 'derived' }));
    expect(coverageOf(whole)).toEqual({ missing: [], notCovered: [] });
  });

  test.each([
    ['too-fast', 'run against a slower model'],
    ['model-behaviour', 'declare a model that follows instructions'],
    [undefined, 'read the reason in the report'],
  ] as const)('is what stayed inconclusive (%s), with a remedy', (nonGating, remedy) => {
    const open = row('open', {
      verdict: 'inconclusive',
      reason: 'who knows',
      ...(nonGating ? { nonGating } : {}),
    });
    const [line = ''] = missingOf(open);
    expect(line).toContain('open: who knows; ');
    expect(line).toContain(remedy);
  });

  test('is not what had nothing to be tested with: the certificate says that it does not cover it', () => {
    const open = row('open', { verdict: 'untested', reason: 'no control' });
    expect(coverageOf(report(open))).toEqual({
      missing: [],
      notCovered: [{ requirement: 'open', reason: 'no control' }],
    });
  });

  test('is not what the document leaves open, or contradicts', () => {
    for (const level of ['unspecified', 'conflicting'] as const)
      for (const verdict of ['untested', 'inconclusive'] as const)
        expect(coverageOf(report(row('a', { level, verdict })))).toEqual({ missing: [], notCovered: [] });
  });
});

describe('no certificate is given', () => {
  const covered = { missing: [], notCovered: [] };
  const whole = report();

  test.each([
    ['the target is not conformant', { ...whole, verdict: 'non-conformant' as const }],
    ['the run was stopped', { ...whole, run: { ...whole.run, partial: true } }],
    [
      'remove --suite and --group',
      { ...whole, scope: { ...whole.scope, selection: { suites: ['errors'], groups: ['default'] } } },
    ],
    [
      'profile smoke leaves out what can fail',
      { ...whole, scope: { ...whole.scope, profile: 'smoke' as const } },
    ],
    [
      'profile full, without n = 10 and quality = hd leaves out what can fail',
      { ...whole, scope: { ...whole.scope, skipCostly: true } },
    ],
    ['no requirement passed', { ...whole, requirements: [] }],
    [
      'no requirement passed',
      {
        ...whole,
        requirements: [row('a', { level: 'unspecified' }), row('b', { verdict: 'untested' as const })],
      },
    ],
  ])('where %s', (reason, given) => {
    const [first = '', ...others] = certificationBlockers(given, covered);
    expect(first).toContain(reason);
    expect(others).toEqual([]);
  });

  test('where something was tried and not decided, each named with its reason and a way out', () => {
    const missing = [{ requirement: 'open', reason: 'who knows', remedy: 'run again' }];
    expect(certificationBlockers(whole, { missing, notCovered: [] })).toEqual([
      'open was not judged: who knows; run again',
    ]);
  });

  test('where nothing shows that a declared token or model is accepted', () => {
    const shown = (kind: 'token' | 'model', knowledge: 'accepted' | 'known' | 'alike' | 'not-compared') => ({
      keys: [`${kind}s.${knowledge}`],
      kind,
      knowledge,
      exchanges: [],
    });
    const right = [shown('token', 'accepted'), shown('token', 'known'), shown('model', 'accepted')];
    expect(certificationBlockers({ ...whole, declared: right }, covered)).toEqual([]);
    const open = [shown('token', 'alike'), shown('token', 'not-compared'), shown('model', 'known')];
    const blockers = certificationBlockers({ ...whole, declared: [...right, ...open] }, covered);
    expect(blockers.map((blocker) => blocker.slice(0, blocker.indexOf(':')))).toEqual(
      open.flatMap(({ keys }) => keys),
    );
  });

  test('but for a whole run that was kept', () => {
    expect(certificationBlockers(whole, covered)).toEqual([]);
  });
});
