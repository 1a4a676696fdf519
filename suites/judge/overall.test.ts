import { describe, expect, it } from 'vitest';
import type { Level } from '../../spec/vocabulary.ts';
import type { NonGating, ReportRequirement, Verdict } from '../model/report.ts';
import { overall } from './overall.ts';

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
    ['non-conformant', 'one of many is not kept', [kept, kept, row('fail', 'derived')]],
    ['non-conformant', 'one is not kept and others are open', [row('fail'), row('inconclusive')]],
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
    expect(overall(rows, false).verdict).toBe(verdict);
    expect(overall([...rows].reverse(), false).verdict).toBe(verdict);
  });

  it('is never conformant where the run was stopped', () => {
    expect(overall([kept], true)).toMatchObject({
      verdict: 'inconclusive',
      reasons: expect.arrayContaining(['The run was stopped before its plan was done.']),
    });
    expect(overall([kept, row('fail')], true).verdict).toBe('non-conformant');
  });

  it('always says how much was tested', () => {
    expect(overall([kept, row('untested'), row('observed', 'unspecified')], false).reasons).toEqual([
      '1 requirement kept of 2 that can be judged; 1 not tested.',
    ]);
  });

  it('says loudly what does not gate', () => {
    const { reasons } = overall([kept, row('inconclusive', 'stated', 'too-fast')], false);
    expect(reasons.join(' ')).toContain(
      '1 requirement undecided because of the model’s answers or of timing',
    );
  });

  it('says each reason in a sentence, the gravest first', () => {
    const nonGating = row('inconclusive', 'stated', 'model-behaviour');
    const rows = [row('fail'), row('fail'), row('inconclusive'), row('untested'), nonGating];
    expect(overall(rows, true).reasons).toEqual([
      '2 requirements not kept.',
      'The run was stopped before its plan was done.',
      '1 requirement could not be judged.',
      'No requirement was found kept: nothing speaks for conformance.',
      '0 requirements kept of 5 that can be judged; 1 not tested.',
      '1 requirement undecided because of the model’s answers or of timing, which does not count against the target.',
    ]);
  });

  it('gives no reason for what is not so', () => {
    expect(overall([kept, row('fail', 'unspecified')], false).reasons).toEqual([
      '1 requirement kept of 1 that can be judged.',
    ]);
  });
});
