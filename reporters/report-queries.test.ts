import { describe, expect, test } from 'vitest';
import { emptyReport, manyRequirements, requirementRow as row, withCase } from './empty-report.fixture.ts';
import { isGating } from '../suites/types/gating.ts';
import { byId, byReason, bySection, coverage, findingsOf, headline, isSameSuite } from './report-queries.ts';
import { beyondScopeLimits, isWholeRun, scopeLimits } from './scope-limits.ts';
import { compareSections, sectionTitle } from './sections.ts';
import { smallReport } from './small.fixture.ts';
import { count, groupDigits } from '../spec/text.ts';
import { families, groups } from '../spec/vocabulary.ts';
import { duration, utcTime } from './wording.ts';
import { type Depth, fullDepth } from '../suites/types/profile.ts';

describe('requirements', () => {
  test('gate where they are inconclusive, can fail, and depend on neither model nor timing', () => {
    expect(isGating(row('a', { verdict: 'inconclusive' }))).toBe(true);
    expect(isGating(row('a', { verdict: 'inconclusive', level: 'derived' }))).toBe(true);
    expect(isGating(row('a', {}))).toBe(false);
    expect(isGating(row('a', { verdict: 'inconclusive', nonGating: 'too-fast' }))).toBe(false);
    expect(isGating(row('a', { verdict: 'inconclusive', level: 'unspecified' }))).toBe(false);
  });

  test('stand by section in the order of the interface, the worst first, else as the register has them', () => {
    const rows = [
      row('pass', {}),
      row('late', { sections: ['10'] }),
      row('nowhere', { sections: [] }),
      row('untested', { verdict: 'untested' }),
      row('observed', { verdict: 'observed', level: 'unspecified' }),
      row('conflict', { verdict: 'conflict', level: 'conflicting' }),
      row('nonGating', { verdict: 'inconclusive', nonGating: 'too-fast' }),
      row('hard', { verdict: 'inconclusive' }),
      row('early', { sections: ['2', '9'] }),
      row('fail 1', { verdict: 'fail' }),
      row('fail 2', { verdict: 'fail' }),
    ];
    expect(
      bySection(rows).map(({ section, requirements }) => [section, ...requirements.map(({ id }) => id)]),
    ).toEqual([
      ['2', 'early'],
      ['2.5', 'fail 1', 'fail 2', 'hard', 'nonGating', 'conflict', 'observed', 'untested', 'pass'],
      ['', 'nowhere'],
      ['10', 'late'],
    ]);
  });

  test('stand by reason, the most frequent first, with one where none is recorded', () => {
    const rows = [
      row('a', { reason: 'rare' }),
      row('b', {}),
      row('c', { reason: 'often' }),
      row('d', { reason: 'often' }),
      row('e', { reason: 'often' }),
      row('f', {}),
    ];
    expect(
      byReason(rows).map(({ reason, requirements }) => [reason, ...requirements.map(({ id }) => id)]),
    ).toEqual([
      ['often', 'c', 'd', 'e'],
      ['no reason recorded', 'b', 'f'],
      ['rare', 'a'],
    ]);
  });

  test('have their own findings, failures first, and none of a case that is gone', () => {
    const [own] = smallReport().cases[0]?.findings ?? [];
    if (own === undefined) throw new Error('the fixture has a finding');
    const { cases } = withCase('plain', {
      findings: [
        { ...own, verdict: 'untested', message: 'third' },
        { ...own, verdict: 'inconclusive', message: 'second' },
        { ...own, requirement: 'chat.result.id', message: 'of another' },
        { ...own, message: 'first' },
      ],
    });
    const found = findingsOf(row(own.requirement, { cases: ['gone', 'plain'] }), byId(cases));
    expect(found.map(({ case: { id }, finding }) => [id, finding.message])).toEqual([
      ['plain', 'first'],
      ['plain', 'second'],
      ['plain', 'third'],
    ]);
  });
});

test.each([
  [[], 'None of 0 stated and derived requirements could be judged.'],
  [['untested'], 'None of 1 stated and derived requirement could be judged.'],
  [['pass', 'untested'], '1 of 2 stated and derived requirements was judged; none failed, 1 untested.'],
  [['pass', 'fail', 'fail'], '3 of 3 stated and derived requirements were judged; 2 failed.'],
] as const)('the headline of a run with %j', (verdicts, words) => {
  const requirements = [
    ...verdicts.map((verdict, at) => row(`r${at}`, { verdict, level: at === 0 ? 'derived' : 'stated' })),
    ...manyRequirements(2, { level: 'unspecified', verdict: 'observed' }),
  ];
  const report = { ...emptyReport(), requirements };
  expect(headline(report)).toBe(words);
  expect(coverage(report).total).toBe(verdicts.length);
});

test('what a profile leaves out is told, and what is skipped for its price', () => {
  const { scope, ...report } = emptyReport();
  const limits = (depth: Depth) => scopeLimits({ ...report, scope: { ...scope, ...depth } });
  expect(limits({ profile: 'smoke', skipCostly: false })).toEqual([
    'Profile smoke: only endpoints, families, the shape of streams, and missing and invalid tokens were asked for.',
  ]);
  expect(limits({ profile: 'standard', skipCostly: true })).toEqual([
    'Profile standard: what the interface does not specify was only observed where no further generation is billed for it.',
    'n = 10 and quality = hd were left out: --skip-costly.',
  ]);
});

test.each([
  ['full', false, true],
  ['standard', false, true],
  ['standard', true, false],
  ['smoke', false, false],
] as const)('a run of %s is whole where it asks for all that can fail', (profile, skipCostly, whole) => {
  const { scope, run } = emptyReport();
  expect(isWholeRun({ scope: { ...scope, profile, skipCostly }, run })).toBe(whole);
});

test('what was left out is told: a stop, a selection, families, groups, the rate limit', () => {
  const report = emptyReport();
  expect(scopeLimits(report)).toEqual([]);
  const selection = { suite: ['errors', 'results'], family: [], group: ['default'] };
  expect(
    scopeLimits({
      ...report,
      scope: {
        families: ['general', 'image'],
        groups: ['default'],
        rateLimited: false,
        selection,
        ...fullDepth,
      },
      run: { ...report.run, partial: true },
    }),
  ).toEqual([
    'The run was stopped before it was complete.',
    'Only suite errors, results: the run was limited to it.',
    'Only group default: the run was limited to it.',
    'No model declared for conversational, multimodal, chat-image.',
    'No token declared for the group coding-tool, third-party-client.',
    'No rate-limited token declared, so rate-limit errors were not tested.',
  ]);
});

test('a reason that the limits of the scope tell is not told again', () => {
  const report = smallReport();
  const codes = ['not-in-profile', 'undeclared', 'only-form-refused'];
  const rows = codes.map((code) => row(code, { verdict: 'untested', code }));
  const left = (scope: Partial<typeof report.scope>) =>
    beyondScopeLimits({ ...report, scope: { ...report.scope, ...scope } }, rows).map(({ id }) => id);
  expect(left({ rateLimited: false })).toEqual(['only-form-refused']);
  expect(left({ families: [...families], groups: [...groups], rateLimited: true })).toEqual([
    'undeclared',
    'only-form-refused',
  ]);
});

test('a suite is another one by its name, its version or any of its digests', () => {
  const { suite } = smallReport();
  expect(isSameSuite(suite, { ...suite })).toBe(true);
  for (const member of ['name', 'version', 'requirementsDigest', 'openapiDigest'])
    expect(isSameSuite(suite, { ...suite, [member]: 'sha256:other' })).toBe(false);
});

test('sections go by their place in the interface, unknown ones behind them by name', () => {
  const sections = ['b', '9', 'a', '4.5', '4', '10', '2.6', '3'];
  expect(sections.sort(compareSections)).toEqual(['2.6', '3', '4', '4.5', '9', '10', 'a', 'b']);
  expect([compareSections('a', 'b'), compareSections('b', 'a'), compareSections('a', 'a')]).toEqual([
    -1, 1, 0,
  ]);
  expect([sectionTitle('4.2'), sectionTitle('10')]).toEqual(['POST /v1/messages', '']);
});

describe('numbers', () => {
  test.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [1_000, '1.00 s'],
    [9_999, '10.00 s'],
    [10_000, '10.0 s'],
    [59_900, '59.9 s'],
    [60_000, '1 min 0 s'],
    [119_600, '2 min 0 s'],
    [754_400, '12 min 34 s'],
  ])('%d ms are told as %s', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  test('have a thin space between thousands, and a noun that fits', () => {
    expect([999, 1_000, 12_345, 1_234_567].map(groupDigits)).toEqual([
      '999',
      '1\u202f000',
      '12\u202f345',
      '1\u202f234\u202f567',
    ]);
    expect([count(0, 'run'), count(1, 'run'), count(2, 'entry', 'entries')]).toEqual([
      '0 runs',
      '1 run',
      '2 entries',
    ]);
  });

  test('of a moment are read in UTC, with or without a fraction; what is no timestamp stays', () => {
    expect(utcTime('2026-11-21T09:00:12Z')).toBe('2026-11-21 09:00:12 UTC');
    expect(utcTime('2026-11-21T09:00:12.5Z')).toBe('2026-11-21 09:00:12 UTC');
    for (const other of ['x2026-11-21T09:00:12Z', '2026-11-21T09:00:12Zx', '2026-11-21T09:00:12+01:00'])
      expect(utcTime(other)).toBe(other);
  });
});
