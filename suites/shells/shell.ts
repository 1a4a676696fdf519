import { AssertionError } from 'node:assert';
import * as allure from 'allure-js-commons';
import { afterAll, inject, type TestContext, test } from 'vitest';
import type { ReportCase, SuiteName } from '../model/report.ts';
import type { Outcome, ShellCase } from './channel.ts';
import { openOutcomes } from './outcomes.ts';

/** What a failed case says: its findings one by one, and the command that shows them. */
export function failureText(outcome: ReportCase): string {
  const findings = outcome.findings
    .filter(({ verdict }) => verdict === 'fail')
    .map((finding) =>
      [
        `${finding.requirement}: ${finding.message}`,
        ...(finding.pointer ? [`  at       ${finding.pointer}`] : []),
        `  expected ${finding.expected}`,
        `  actual   ${finding.actual}`,
      ].join('\n'),
    );
  return [...findings, ...(outcome.reproduce ? [outcome.reproduce] : [])].join('\n\n');
}

/** Why a case is neither passed nor failed. */
function skipReason(outcome: ReportCase): string {
  const said = outcome.findings.map((finding) => `${finding.requirement}: ${finding.message}`);
  return [outcome.verdict, ...said].join('\n');
}

async function label(ours: ShellCase, outcome: Outcome): Promise<void> {
  await allure.testCaseId(ours.id);
  await allure.historyId(ours.id);
  await allure.feature(ours.suite);
  for (const section of ours.sections) await allure.epic(`Section ${section}`);
  for (const requirement of ours.requirements) await allure.label('requirement', requirement);
  if (outcome.exchanges !== null) {
    await allure.attachment('exchanges', outcome.exchanges, 'application/json');
  }
}

async function settle(ours: ShellCase, outcome: Outcome, context: TestContext): Promise<void> {
  const { verdict } = outcome.case;
  context.task.meta.verdict = verdict;
  await label(ours, outcome);
  if (verdict === 'pass') return;
  if (verdict !== 'fail') {
    const reason = skipReason(outcome.case);
    await allure.description(reason);
    context.skip(reason);
  }
  const error = new AssertionError({ message: failureText(outcome.case) });
  // A stack of ours says nothing about the target, and names folders of this machine.
  error.stack = error.message;
  throw error;
}

/** One test for each case of the suite; the engine judges, the test only says what came out. */
export function defineShell(suite: SuiteName): void {
  const { channel, cases } = inject('conformance');
  const outcomes = openOutcomes(channel, suite);
  afterAll(() => outcomes.close());
  for (const ours of cases.filter((candidate) => candidate.suite === suite)) {
    test.concurrent(ours.title, async (context) => {
      context.task.meta.caseId = ours.id;
      await settle(ours, await outcomes.of(ours.id), context);
    });
  }
}
