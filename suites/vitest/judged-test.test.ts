import { expect, test } from 'vitest';
import type { ReportCase } from '../types/report.ts';
import { judgedTest } from './judged-test.ts';

const outcome: ReportCase = {
  id: 'errors.x',
  title: 'an error is told',
  suite: 'errors',
  requirements: ['errors.status'],
  verdict: 'pass',
  findings: [],
  passed: ['errors.status'],
  exchanges: [],
};
const finding = {
  requirement: 'errors.status',
  message: 'is not text',
  expected: 'string',
  actual: '1',
} as const;

test('a case that passed says nothing', () => {
  expect(judgedTest(outcome)).toEqual({
    caseId: 'errors.x',
    title: 'an error is told',
    verdict: 'pass',
    message: '',
    labels: [
      { name: 'feature', value: 'errors' },
      { name: 'epic', value: 'Section 7' },
      { name: 'requirement', value: 'errors.status' },
    ],
  });
});

test('a case that failed says each failure with its pointer, then the command that shows it', () => {
  const { message } = judgedTest({
    ...outcome,
    verdict: 'fail',
    findings: [
      { ...finding, verdict: 'fail', pointer: '/id' },
      { ...finding, verdict: 'inconclusive', message: 'no reply' },
      { ...finding, verdict: 'fail' },
    ],
    reproduce: 'curl',
  });
  expect(message.split('\n')).toEqual([
    'errors.status: is not text',
    '  at       /id',
    '  expected string',
    '  actual   1',
    '',
    'errors.status: is not text',
    '  expected string',
    '  actual   1',
    '',
    'curl',
  ]);
});

test('any other case says its verdict and why', () => {
  const findings = [{ ...finding, verdict: 'inconclusive', message: 'no reply' }] as const;
  const { message } = judgedTest({ ...outcome, verdict: 'inconclusive', findings });
  expect(message).toBe('inconclusive\nerrors.status: no reply');
});
