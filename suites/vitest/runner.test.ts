import { expect, onTestFinished, test } from 'vitest';
import type { Verdict } from '../types/report.ts';
import { startTestRunner } from './runner.ts';

function started() {
  const runner = startTestRunner();
  onTestFinished(runner.close);
  return runner;
}

const judged = (caseId: string, verdict: Verdict) => ({
  caseId,
  title: 'cases may have one title',
  verdict,
  message: verdict === 'pass' ? '' : `why ${caseId}`,
  labels: [{ name: 'feature', value: 'errors' }],
});

test('each judged case comes back once, passed, failed or skipped as it was judged', async () => {
  const before = [process.listenerCount('SIGINT'), process.listenerCount('SIGTERM'), process.exitCode];
  const { returned, allure, problems } = await started().run([
    judged('a', 'pass'),
    judged('b', 'fail'),
    judged('c', 'inconclusive'),
    judged('d', 'observed'),
  ]);
  expect(problems).toEqual([]);
  expect(returned.map(({ caseId, verdict, state }) => [caseId, verdict, state])).toEqual([
    ['a', 'pass', 'passed'],
    ['b', 'fail', 'failed'],
    ['c', 'inconclusive', 'skipped'],
    ['d', 'observed', 'passed'],
  ]);
  expect(allure).toMatchObject([
    { testCaseId: 'a', historyId: 'a', fullName: 'a', status: 'passed', titlePath: [] },
    { testCaseId: 'b', status: 'failed', statusDetails: { message: 'why b', trace: 'why b' } },
    { testCaseId: 'c', status: 'skipped', statusDetails: { message: 'why c' }, description: 'why c' },
    { testCaseId: 'd', status: 'passed', description: 'why d' },
  ]);
  expect(allure[0]?.labels).toEqual([
    { name: 'framework', value: 'vitest' },
    { name: 'language', value: 'javascript' },
    { name: 'feature', value: 'errors' },
  ]);
  const after = [process.listenerCount('SIGINT'), process.listenerCount('SIGTERM'), process.exitCode];
  expect(after).toEqual(before);
});

test('a runner that is closed before it is done gives a problem and never hangs', async () => {
  const runner = started();
  const run = runner.run([judged('a', 'pass')]);
  await runner.close();
  expect(await run).toMatchObject({
    returned: [],
    problems: ['the test runner failed: its thread ended early'],
  });
});
