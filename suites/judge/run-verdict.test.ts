import { describe, expect, it } from 'vitest';
import type { Level } from '../../spec/vocabulary.ts';
import type { NonGating, ReportRequirement, Verdict } from '../types/report.ts';
import { runVerdict } from './requirements.ts';

const row = (verdict: Verdict, level: Level = 'stated', nonGating?: NonGating): ReportRequirement => ({
  id: `${level}.${verdict}`,
  sections: ['1'],
  level,
  statement: 'It is so.',
  verdict,
  cases: [],
  ...(nonGating ? { nonGating } : {}),
});

const kept = row('pass');

describe('the verdict of a run', () => {
  it.each([
    ['conformant', 'all is kept', [kept, row('pass', 'derived')]],
    ['conformant', 'something had nothing to be tested with', [kept, row('untested')]],
    ['conformant', 'something hung on the model', [kept, row('inconclusive', 'stated', 'model-behaviour')]],
    ['conformant', 'something was too fast to time', [kept, row('inconclusive', 'derived', 'too-fast')]],
    [
      'conformant',
      'what is unspecified was not seen',
      [kept, row('untested', 'unspecified'), row('observed', 'unspecified')],
    ],
    ['conformant', 'the document contradicts itself', [kept, row('conflict', 'conflicting')]],
    ['non-conformant', 'one of many fails', [kept, kept, row('fail', 'derived')]],
    ['non-conformant', 'one fails and others are inconclusive', [row('fail'), row('inconclusive')]],
    ['inconclusive', 'one could not be judged', [kept, row('inconclusive')]],
    ['inconclusive', 'a derived one could not be judged', [kept, row('inconclusive', 'derived')]],
    ['inconclusive', 'nothing was kept', [row('untested')]],
    [
      'inconclusive',
      'only what is unspecified was seen',
      [row('observed', 'unspecified'), row('conflict', 'conflicting')],
    ],
    ['inconclusive', 'everything hung on the model', [row('inconclusive', 'stated', 'model-behaviour')]],
    ['inconclusive', 'there is nothing at all', []],
  ] as const)('is %s where %s', (verdict, _, rows) => {
    expect(runVerdict(rows, false).verdict).toBe(verdict);
    expect(runVerdict([...rows].reverse(), false).verdict).toBe(verdict);
  });

  it('is never conformant where the run was stopped', () => {
    expect(runVerdict([kept], true)).toMatchObject({
      verdict: 'inconclusive',
      reasons: expect.arrayContaining(['The run was stopped before all requests of its plan were sent.']),
    });
    expect(runVerdict([kept, row('fail')], true).verdict).toBe('non-conformant');
  });

  it('always says how much was tested', () => {
    expect(runVerdict([kept, row('untested'), row('observed', 'unspecified')], false).reasons).toEqual([
      '1 requirement passed of 2 that can be judged; 1 not tested.',
    ]);
  });

  it('says loudly what does not gate', () => {
    const { reasons } = runVerdict([kept, row('inconclusive', 'stated', 'too-fast')], false);
    expect(reasons.join(' ')).toContain(
      '1 requirement inconclusive because of the model’s answers or of timing',
    );
  });

  it('says each reason in a sentence, the gravest first', () => {
    const nonGating = row('inconclusive', 'stated', 'model-behaviour');
    const rows = [row('fail'), row('fail'), row('inconclusive'), row('untested'), nonGating];
    expect(runVerdict(rows, true).reasons).toEqual([
      '2 requirements failed.',
      'The run was stopped before all requests of its plan were sent.',
      '1 requirement could not be judged.',
      'No requirement passed: there is no evidence of conformance.',
      '0 requirements passed of 5 that can be judged; 1 not tested.',
      '1 requirement inconclusive because of the model’s answers or of timing, which does not count against the target.',
    ]);
  });

  it('gives no reason for what is not so', () => {
    expect(runVerdict([kept, row('fail', 'unspecified')], false).reasons).toEqual([
      '1 requirement passed of 1 that can be judged.',
    ]);
  });
});
