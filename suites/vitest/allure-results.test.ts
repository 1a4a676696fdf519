import { expect, test } from 'vitest';
import { requirements } from '../../spec/requirements.ts';
import type { ReportCase, Verdict } from '../model/report.ts';
import { allureResults } from './allure-results.ts';
import type { ReturnedTest } from './join.ts';

const row = requirements()[0];
const judged = (id: string, verdict: Verdict): ReportCase => ({
  id,
  title: `title of ${id}`,
  suite: 'errors',
  requirements: row === undefined ? [] : [row.id],
  verdict,
  findings: [],
  passed: [],
  exchanges: [],
});
const returned = (caseId: string, state: ReturnedTest['state']): ReturnedTest => ({
  caseId,
  verdict: undefined,
  state,
  startedMs: 1000.4,
  durationMs: 2,
});

function read(
  cases: readonly ReportCase[],
  tests: readonly ReturnedTest[],
  attachment: string | null = null,
) {
  const byId = new Map(cases.map((outcome) => [outcome.id, outcome]));
  const files = [...allureResults(byId, tests, () => attachment)];
  const results = files.filter(([name]) => name.endsWith('-result.json'));
  return { files, results: results.map(([, text]) => JSON.parse(text) as Record<string, unknown>) };
}

test('a result is told apart by the id of its case, and grouped by suite, section and requirement', () => {
  const { results } = read([judged('a', 'pass')], [returned('a', 'passed')]);
  expect(results).toEqual([
    {
      uuid: expect.any(String),
      name: 'title of a',
      historyId: 'a',
      testCaseId: 'a',
      fullName: 'a',
      titlePath: [],
      links: [],
      parameters: [],
      attachments: [],
      steps: [],
      status: 'passed',
      statusDetails: {},
      stage: 'finished',
      start: 1000,
      stop: 1002,
      labels: [
        { name: 'framework', value: 'vitest' },
        { name: 'language', value: 'javascript' },
        { name: 'feature', value: 'errors' },
        ...(row?.sections ?? []).map((section) => ({ name: 'epic', value: `Section ${section}` })),
        { name: 'requirement', value: row?.id },
      ],
    },
  ]);
});

test('a failed and a skipped result say why', () => {
  const cases = [{ ...judged('a', 'fail'), reproduce: 'curl' }, judged('b', 'untested')];
  const { results } = read(cases, [returned('a', 'failed'), returned('b', 'skipped')]);
  expect(results).toMatchObject([
    { status: 'failed', stage: 'finished', statusDetails: { message: 'curl', trace: 'curl' } },
    { status: 'skipped', stage: 'pending', statusDetails: { message: 'untested' }, description: 'untested' },
  ]);
});

test('exchanges are a file of their own that the result names', () => {
  const { files, results } = read([judged('a', 'pass')], [returned('a', 'passed')], '[1]');
  const attached = files.find(([name]) => name.endsWith('-attachment.json'));
  expect(attached?.[1]).toBe('[1]');
  const attachments = [{ name: 'exchanges', source: attached?.[0], type: 'application/json' }];
  expect(results).toMatchObject([{ steps: [{ name: 'exchanges', attachments, start: 1000, stop: 1002 }] }]);
});

test('a test that did not end, or that no case stands behind, has no result', () => {
  const { files } = read([judged('a', 'pass')], [returned('a', 'pending'), returned('b', 'passed')]);
  expect(files).toEqual([]);
});
