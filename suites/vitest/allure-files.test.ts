import { Stage, type TestResult } from 'allure-js-commons';
import { expect, test } from 'vitest';
import type { ReportCase } from '../types/report.ts';
import { allureResults } from './allure-files.ts';

const judged: ReportCase = {
  id: 'a',
  title: 'title of a',
  suite: 'errors',
  requirements: [],
  verdict: 'pass',
  findings: [],
  passed: [],
  exchanges: ['x', 'y'],
};
const cases = new Map([['a', judged]]);
const result = (testCaseId: string): TestResult => ({
  uuid: `uuid-${testCaseId}`,
  name: testCaseId,
  testCaseId,
  statusDetails: {},
  stage: Stage.FINISHED,
  steps: [],
  attachments: [],
  parameters: [],
  labels: [],
  links: [],
  start: 1000,
  stop: 1002,
});

test('the exchanges of a case are a file of their own that its result names', () => {
  const files = [...allureResults([result('a')], cases, () => '[1]')];
  const attached = files.find(([name]) => name.endsWith('-attachment.json'));
  expect(attached?.[1]).toBe('[1]');
  const [, text = ''] = files.find(([name]) => name === 'uuid-a-result.json') ?? [];
  const attachments = [{ name: 'exchanges', source: attached?.[0], type: 'application/json' }];
  expect(JSON.parse(text)).toMatchObject({
    testCaseId: 'a',
    steps: [{ name: 'exchanges', attachments, start: 1000, stop: 1002 }],
    parameters: [{ name: 'exchanges', value: 'x, y', excluded: true }],
  });
});

test('a result without exchanges, or without a case, has nothing attached', () => {
  const files = [
    ...allureResults([result('a')], cases, () => null),
    ...allureResults([result('b')], cases, () => '[1]'),
  ];
  expect(files.map(([name]) => name)).toEqual(['uuid-a-result.json', 'uuid-b-result.json']);
  for (const [, text] of files) expect(JSON.parse(text)).toMatchObject({ steps: [] });
});
