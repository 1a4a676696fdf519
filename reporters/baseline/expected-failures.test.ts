import { describe, expect, test } from 'vitest';
import { sampleReport } from '../sample.fixture.ts';
import { markExpected, expectedFailures, noExpectedFailures } from './expected-failures.ts';
import { allEntries, entry, expectedIn } from './entries.fixture.ts';

const one = 'chat.result.0.0';
const failedCases = (id: string): string[] =>
  sampleReport()
    .cases.filter(({ findings }) =>
      findings.some(({ requirement, verdict }) => requirement === id && verdict === 'fail'),
    )
    .map((outcome) => outcome.id);

describe('what a baseline expects of a report', () => {
  test('is every failure that it has an entry for, by requirement and by case, with reason, owner and day', () => {
    const known = expectedIn(sampleReport(), ...allEntries());
    expect([...known.requirements.keys()].sort()).toEqual(
      allEntries()
        .map(({ requirement }) => requirement)
        .sort(),
    );
    expect(known.requirements.get(one)).toBe('ticket 12 (Kim), until 2027-03-31');
    expect([...known.cases.keys()].sort()).toEqual(
      sampleReport()
        .cases.filter(({ verdict }) => verdict === 'fail')
        .map(({ id }) => id)
        .sort(),
    );
  });

  test('is no failure of another requirement, and nothing without a baseline', () => {
    const known = expectedIn(sampleReport(), entry(one));
    expect([...known.requirements.keys()]).toEqual([one]);
    expect([...known.cases.keys()]).toEqual(failedCases(one));
    expect(expectedFailures(sampleReport(), undefined)).toEqual(noExpectedFailures);
  });

  test('is nothing past the last day', () => {
    const known = expectedIn(sampleReport(), { ...entry(one), expires: '2026-11-20' });
    expect(known).toEqual(noExpectedFailures);
  });

  test('is no case in which another requirement failed too', () => {
    const report = sampleReport();
    const [first = ''] = failedCases(one);
    const cases = report.cases.map((outcome) =>
      outcome.id === first
        ? {
            ...outcome,
            findings: outcome.findings.flatMap((found) => [
              found,
              { ...found, requirement: 'chat.result.0.1' },
            ]),
          }
        : outcome,
    );
    const known = expectedIn({ ...report, cases }, entry(one));
    expect(known.cases.has(first)).toBe(false);
    expect(known.cases.size).toBe(failedCases(one).length - 1);
  });

  test('has beside it the entries that are errors themselves, with file and line', () => {
    const passing = sampleReport().requirements.find(
      ({ verdict, level }) => verdict === 'pass' && level === 'stated',
    );
    const stale = passing?.id ?? '';
    const known = expectedIn(sampleReport(), entry(one), entry(stale), entry('made.up'));
    expect(known.problems).toEqual([
      {
        requirement: stale,
        entry: `${stale} (b.yaml:2)`,
        message: 'stale: it passes now, remove the entry',
      },
      {
        requirement: 'made.up',
        entry: 'made.up (b.yaml:2)',
        message: 'unmatched: this full run judged nothing that it names',
      },
    ]);
  });

  test('says in which cell, where an entry is narrowed to one', () => {
    const cell = { family: 'general', protocol: 'chat', group: 'default', stream: true } as const;
    const report = sampleReport();
    const cases = report.cases.map((outcome) =>
      outcome.verdict === 'fail' ? { ...outcome, cell } : outcome,
    );
    const known = expectedIn({ ...report, cases }, { ...entry(one), cell });
    expect(known.requirements.get(one)).toBe(
      'in general/chat/default/stream: ticket 12 (Kim), until 2027-03-31',
    );
  });
});

describe('results of Allure', () => {
  const result = (historyId: string, status: string) =>
    JSON.stringify({ historyId, status, statusDetails: { message: 'm', trace: 't' } });
  const files = new Map([
    ['a-result.json', result('case-1', 'failed')],
    ['b-result.json', result('case-2', 'failed')],
    ['c-result.json', result('case-3', 'passed')],
    ['d-attachment.json', result('case-1', 'failed')],
  ]);

  test('that are expected to fail are known and muted, with why; their status and all others stay', () => {
    const expected = new Map([
      ['case-1', 'ticket 12'],
      ['case-3', 'ticket 13'],
    ]);
    const marked = new Map(markExpected(files, expected));
    expect(JSON.parse(marked.get('a-result.json') ?? '')).toEqual({
      historyId: 'case-1',
      status: 'failed',
      statusDetails: { message: 'expected failure: ticket 12\n\nm', trace: 't', known: true, muted: true },
    });
    for (const name of ['b-result.json', 'c-result.json', 'd-attachment.json'])
      expect(marked.get(name)).toBe(files.get(name));
  });

  test('that failed without a word say why they are expected, and no more', () => {
    const bare = new Map([['a-result.json', JSON.stringify({ historyId: 'case-1', status: 'failed' })]]);
    const marked = new Map(markExpected(bare, new Map([['case-1', 'ticket 12']])));
    expect(JSON.parse(marked.get('a-result.json') ?? '')).toMatchObject({
      statusDetails: { message: 'expected failure: ticket 12', known: true, muted: true },
    });
  });

  test('are left as they are without a baseline', () => {
    expect([...markExpected(files, new Map())]).toEqual([...files]);
  });
});
