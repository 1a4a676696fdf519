import { describe, expect, test } from 'vitest';
import type { Case, Check } from '../../suites/model/case.ts';
import type { Report, ReportRequirement } from '../../suites/model/report.ts';
import { sampleReport } from '../sample.fixture.ts';
import { coverageOf, obstacles } from './coverage.ts';

const row = (id: string, rest: Partial<ReportRequirement>): ReportRequirement => ({
  id,
  sections: ['4.3'],
  level: 'stated',
  statement: 'It is so.',
  verdict: 'pass',
  cases: [],
  ...rest,
});

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

const entry = (requirement: string, check: Check): Case => ({
  id: `${requirement}.${check.kind}`,
  title: requirement,
  suite: 'errors',
  requirements: [requirement],
  check,
});

const undeclared: Check = { kind: 'undeclared', reason: 'no image model is declared' };
const served: Check = { kind: 'served', requirement: 'open', probes: ['a'] };
const uncontrolled: Check = {
  kind: 'refused',
  requirement: 'open',
  probe: 'a',
  controls: [],
  after: '',
  expected: 'none',
};

const missingOf = (wanted: ReportRequirement, ...checks: Check[]): string[] =>
  coverageOf(
    report(wanted),
    checks.map((check) => entry(wanted.id, check)),
  ).missing.map(({ requirement, reason, wayOut }) => `${requirement}: ${reason}; ${wayOut}`);

describe('what is missing from a certificate', () => {
  test('is nothing where all was judged', () => {
    const whole = report(row('broken', { verdict: 'fail' }), row('derived', { level: 'derived' }));
    expect(coverageOf(whole, [])).toEqual({ missing: [], notCovered: [] });
  });

  test.each([
    ['too-fast', 'run against a model that takes its time'],
    ['model-behaviour', 'declare a model that does as it is told'],
    [undefined, 'see why in the report'],
  ] as const)('is what stayed inconclusive (%s), with a way out', (soft, wayOut) => {
    const open = row('open', { verdict: 'inconclusive', reason: 'who knows', ...(soft ? { soft } : {}) });
    const [line = ''] = missingOf(open, served);
    expect(line).toContain('open: who knows; ');
    expect(line).toContain(wayOut);
  });

  test('is what is untested although the target declares what it needs', () => {
    const open = row('open', { verdict: 'untested', reason: 'no control' });
    expect(missingOf(open, undeclared, served)).toHaveLength(1);
    expect(missingOf(open, undeclared)).toEqual([]);
    expect(missingOf(open, uncontrolled)).toEqual([]);
  });

  test('is not what the document leaves open, or contradicts', () => {
    expect(missingOf(row('a', { level: 'unspecified', verdict: 'untested' }), served)).toEqual([]);
    expect(missingOf(row('a', { level: 'conflicting', verdict: 'untested' }), served)).toEqual([]);
  });

  test('is named as outside the scope where the target declares nothing for it', () => {
    const open = row('open', { verdict: 'untested', reason: 'no image model is declared' });
    expect(coverageOf(report(open), [entry('open', undeclared)]).notCovered).toEqual([
      { requirement: 'open', reason: 'no image model is declared' },
    ]);
  });
});

describe('no certificate is given', () => {
  const covered = { missing: [], notCovered: [] };
  const whole = report();

  test.each([
    ['the target is not conformant', { ...whole, verdict: 'non-conformant' as const }],
    ['the run was stopped', { ...whole, run: { ...whole.run, partial: true } }],
    [
      'leave out --suite and --group',
      { ...whole, scope: { ...whole.scope, selection: { suites: ['errors'], groups: ['default'] } } },
    ],
    ['no requirement was found kept', { ...whole, requirements: [] }],
  ])('where %s', (reason, given) => {
    const [first = '', ...others] = obstacles(given, covered);
    expect(first).toContain(reason);
    expect(others).toEqual([]);
  });

  test('but for a whole run that was kept', () => {
    expect(obstacles(whole, covered)).toEqual([]);
  });
});
