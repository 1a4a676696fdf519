import { randomUUID } from 'node:crypto';
import type { Stage, Status, StepResult, TestResult } from 'allure-js-commons';
import { requirement } from '../../spec/requirements.ts';
import type { ReportCase } from '../model/report.ts';
import type { ReturnedTest } from './join.ts';
import { judgedTest } from './judged-test.ts';

/** A step that the recorded exchanges are attached to. */
type ExchangesStep = Pick<StepResult, 'name' | 'attachments' | 'start' | 'stop'>;

/** A result file: Allure's own type, with the values of its enums as they are written. */
type AllureResult = Omit<TestResult, 'status' | 'stage' | 'steps'> & {
  readonly status: `${Status}`;
  readonly stage: `${Stage}`;
  readonly steps: readonly ExchangesStep[];
};

const times = ({ startedMs, durationMs }: ReturnedTest) => ({
  start: Math.round(startedMs),
  stop: Math.round(startedMs + durationMs),
});

/** What Allure groups results by: the suite is a feature, each section of the interface an epic. */
function labels({ suite, requirements }: ReportCase): TestResult['labels'] {
  const sections = new Set(requirements.flatMap((id) => requirement(id).sections));
  return [
    { name: 'framework', value: 'vitest' },
    { name: 'language', value: 'javascript' },
    { name: 'feature', value: suite },
    ...[...sections].map((section) => ({ name: 'epic', value: `Section ${section}` })),
    ...requirements.map((value) => ({ name: 'requirement', value })),
  ];
}

/** How the test came out, with what it said. */
function outcome(
  judged: ReportCase,
  state: 'passed' | 'failed' | 'skipped',
): Pick<AllureResult, 'status' | 'statusDetails' | 'stage' | 'description'> {
  const { message } = judgedTest(judged);
  switch (state) {
    case 'passed':
      return { status: 'passed', statusDetails: {}, stage: 'finished' };
    case 'failed':
      return { status: 'failed', statusDetails: { message, trace: message }, stage: 'finished' };
    case 'skipped':
      return { status: 'skipped', statusDetails: { message }, stage: 'pending', description: message };
    default:
      return state satisfies never;
  }
}

const exchangesStep = (source: string, test: ReturnedTest): ExchangesStep => ({
  name: 'exchanges',
  attachments: [{ name: 'exchanges', source, type: 'application/json' }],
  ...times(test),
});

/** A test as a result of Allure: nothing in it tells of the machine or the folder of the suite. */
function resultOf(
  judged: ReportCase,
  test: ReturnedTest,
  state: 'passed' | 'failed' | 'skipped',
  attached: string | undefined,
): AllureResult {
  const { id, title } = judged;
  return {
    uuid: randomUUID(),
    name: title,
    historyId: id,
    testCaseId: id,
    fullName: id,
    titlePath: [],
    links: [],
    parameters: [],
    attachments: [],
    labels: labels(judged),
    steps: attached === undefined ? [] : [exchangesStep(attached, test)],
    ...outcome(judged, state),
    ...times(test),
  };
}

/**
 * The files of allure-results/ by name, for the tests that came back from the runner. They are not yet
 * scanned for secrets.
 * @param attachmentOf the exchanges of a case as one JSON text; null where there is nothing to attach
 */
export function allureResults(
  judged: ReadonlyMap<string, ReportCase>,
  returned: readonly ReturnedTest[],
  attachmentOf: (outcome: ReportCase) => string | null,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const test of returned) {
    const ours = judged.get(test.caseId);
    if (ours === undefined || test.state === 'pending') continue;
    const attachment = attachmentOf(ours);
    const name = attachment === null ? undefined : `${randomUUID()}-attachment.json`;
    if (name !== undefined && attachment !== null) files.set(name, attachment);
    const result = resultOf(ours, test, test.state, name);
    files.set(`${result.uuid}-result.json`, JSON.stringify(result));
  }
  return files;
}
