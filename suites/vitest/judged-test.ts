import { ownSection } from '../../spec/extension.ts';
import { requirement } from '../../spec/requirements.ts';
import type { ReportCase } from '../types/report.ts';

/** A judged case as the test runner gets it: what a test needs to come out as the case did, nothing to judge with. */
export type JudgedTest = ReturnType<typeof judgedTest>;

/** What a test keeps of its case while the runner has it. */
export type JudgedMeta = Pick<JudgedTest, 'caseId' | 'verdict'>;

/** What a failed case says: its findings one by one, and the command that shows them. */
function failureText(outcome: ReportCase): string {
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

/** Why a case neither passed nor failed. */
const skipReason = ({ verdict, findings }: ReportCase): string =>
  [verdict, ...findings.map((finding) => `${finding.requirement}: ${finding.message}`)].join('\n');

/** What the test of a case says that fails or is skipped; empty where the case passed. */
export function messageOf(outcome: ReportCase): string {
  if (outcome.verdict === 'pass') return '';
  return outcome.verdict === 'fail' ? failureText(outcome) : skipReason(outcome);
}

const epicOf = (section: string): string =>
  section === ownSection ? 'Own statements' : `Section ${section}`;

/** What Allure groups results by: the suite is a feature, each section of the interface an epic. */
function labelsOf({ suite, requirements }: ReportCase) {
  const sections = new Set(requirements.flatMap((id) => requirement(id).sections));
  return [
    { name: 'feature', value: suite },
    ...[...sections].map((section) => ({ name: 'epic', value: epicOf(section) })),
    ...requirements.map((value) => ({ name: 'requirement', value })),
  ];
}

/** A judged case as a test. It reads the register, so the extension of its plan has to be in force. */
export const judgedTest = (outcome: ReportCase) => ({
  caseId: outcome.id,
  title: outcome.title,
  verdict: outcome.verdict,
  message: messageOf(outcome),
  labels: labelsOf(outcome),
});
