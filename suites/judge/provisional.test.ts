import { expect, test } from 'vitest';
import type { ReportRequirement } from '../types/report.ts';
import { canFail, isGating } from '../types/gating.ts';
import { runVerdict } from './requirements.ts';

const row: ReportRequirement = {
  id: 'a.b',
  sections: ['1'],
  level: 'stated',
  impact: 'client',
  statement: 'It is so.',
  verdict: 'pass',
  cases: [],
};
const provisional = { ...row, provisional: 'fail', verdict: 'observed' } as const;

test('a provisional row turns no verdict, whatever was found of it', () => {
  expect(runVerdict([row, provisional], false)).toEqual(runVerdict([row], false));
  expect(runVerdict([provisional], false).verdict).toBe('inconclusive');
  expect([canFail(row), canFail(provisional)]).toEqual([true, false]);
  expect(isGating({ ...provisional, verdict: 'inconclusive' })).toBe(false);
});
