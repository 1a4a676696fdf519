import { describe, expect, test } from 'vitest';
import type { ReportRequirement } from '../suites/types/report.ts';
import { impactRow as row } from './empty-report.fixture.ts';
import {
  badgeImpact,
  byImpact,
  countImpacts,
  impactCounts,
  impactHeadline,
  impactList,
  levelText,
} from './impact.ts';

const kept = row('client', 'pass');
const broken = row('client', 'fail');
const open = row('client', 'inconclusive');
const undeclared = row('client', 'untested', { code: 'undeclared' });
const refusedStream = row('client', 'untested', { code: 'no-stream-answered' });
const intruder = row('credential', 'fail');
const taken = row('lenient', 'fail');

const headlineOf = (...requirements: readonly ReportRequirement[]): string =>
  impactHeadline(impactCounts({ requirements, causes: [] }));

describe('the headline by impact', () => {
  test('keeps a reservation where the target does not know what is declared', () => {
    const cause = {
      id: 'token-not-accepted:coding-tool',
      kind: 'token-not-accepted',
      summary: '',
      configKeys: ['tokens.coding-tool'],
      evidence: [],
      exchanges: [],
      requirements: [],
    } as const;
    expect(impactHeadline(impactCounts({ requirements: [kept], causes: [cause] }))).toBe(
      'Conforming clients work, as far as was tested.',
    );
  });

  test.each<[string, readonly ReportRequirement[], string]>([
    ['all is kept', [kept, row('lenient', 'pass')], 'Conforming clients work.'],
    [
      'more is taken than is allowed',
      [kept, taken, taken],
      'Conforming clients work. 2 kinds of request are answered that should be refused.',
    ],
    [
      'one more is taken',
      [kept, taken],
      'Conforming clients work. 1 kind of request is answered that should be refused.',
    ],
    [
      'callers get in',
      [kept, intruder, taken],
      '1 failure gives a caller what it should not have; 1 kind of request is answered that should be refused.',
    ],
    ['clients break', [kept, broken], '1 requirement that conforming clients rely on fails.'],
    [
      'everything fails, and something is open',
      [kept, broken, broken, broken, intruder, intruder, taken, open, refusedStream],
      '2 failures give a caller what it should not have; 3 requirements that conforming clients rely on fail; 1 kind of request is answered that should be refused.',
    ],
    [
      'what clients rely on is undecided',
      [kept, open, taken],
      'Whether conforming clients work is not known: 1 requirement that they rely on could not be judged. 1 kind of request is answered that should be refused.',
    ],
    [
      'what clients rely on is untested for a reason of the target',
      [kept, refusedStream, open],
      'Whether conforming clients work is not known: 2 requirements that they rely on could not be judged.',
    ],
    ['a family is not declared', [kept, undeclared], 'Conforming clients work, as far as was tested.'],
    [
      'a form that the interface does not show is refused',
      [kept, row('client', 'untested', { code: 'only-form-refused' })],
      'Conforming clients work, as far as was tested.',
    ],
    [
      'nothing of it was asked',
      [undeclared, row('credential', 'pass')],
      'Nothing that conforming clients rely on was tested.',
    ],
    ['nothing at all is known', [], ''],
  ])('where %s', (_, rows, words) => {
    expect(headlineOf(...rows)).toBe(words);
    expect(headlineOf(...[...rows].reverse())).toBe(words);
  });

  test('takes no notice of what depends on the model, was not needed, or can’t fail', () => {
    const nonGating = row('client', 'inconclusive', { nonGating: 'model-behaviour' });
    const notNeeded = row('client', 'untested', { code: 'not-needed' });
    const observed = row(undefined, 'observed', { level: 'unspecified' });
    expect(headlineOf(kept, nonGating, notNeeded, observed)).toBe('Conforming clients work.');
  });

  test('tells with how many requests at once clients were seen to work', () => {
    const counts = impactCounts({ requirements: [kept, taken], causes: [] });
    expect(impactHeadline(counts, 8)).toBe(
      'Conforming clients work, with up to 8 requests at once. 1 kind of request is answered that should be refused.',
    );
    expect(impactHeadline(counts, 1)).toMatch(/^Conforming clients work, with up to 1 request at once\./);
  });

  test('says nothing of a report without impacts', () => {
    expect(headlineOf(row(undefined, 'pass'), row(undefined, 'fail'))).toBe('');
  });
});

test('failures go by impact, then level, else as they stand', () => {
  const rows = [
    row(undefined, 'fail', { id: 'old' }),
    row('lenient', 'fail', { id: 'l' }),
    row('client', 'fail', { id: 'cd', level: 'derived' }),
    row('credential', 'fail', { id: 'k' }),
    row('client', 'fail', { id: 'c1' }),
    row('client', 'fail', { id: 'c2' }),
  ];
  expect(rows.sort(byImpact).map(({ id }) => id)).toEqual(['k', 'c1', 'c2', 'cd', 'l', 'old']);
});

test('counts and levels have their words', () => {
  expect(impactList(countImpacts([taken, broken, taken, row(undefined, 'fail')]))).toBe(
    '1 client, 2 lenient',
  );
  expect(impactList(countImpacts([]))).toBe('');
  expect(levelText(broken)).toBe('stated, client');
  expect(levelText(row(undefined, 'observed', { level: 'unspecified' }))).toBe('unspecified');
});

test.each<[readonly ReportRequirement[], string]>([
  [[kept, taken], ' · clients work'],
  [[kept, taken, intruder], ' · 1 credential'],
  [[kept, broken, taken, intruder], ' · 1 credential, 1 client'],
  [[kept, open, taken], ''],
  [[kept, undeclared, taken], ''],
])('the badge of %j says no more than is known', (requirements, words) => {
  expect(badgeImpact(impactCounts({ requirements, causes: [] }))).toBe(words);
});
