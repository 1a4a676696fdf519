import { canFail as isFailable } from '../suites/types/gating.ts';
import type { ReportCase, ReportRequirement } from '../suites/types/report.ts';
import type { ExpectedFailures } from './baseline/expected-failures.ts';

export type CaseOutcome = 'passed' | 'failure' | 'error' | 'skipped';

type Requirements = ReadonlyMap<string, ReportRequirement>;

/** An inconclusive case gates where a finding about a requirement that can fail is inconclusive and gating. */
function isGatingCase(outcome: ReportCase, requirements: Requirements): boolean {
  const canFail = (id: string) => isFailable(requirements.get(id) ?? { level: 'stated' });
  const open = outcome.findings.filter(({ verdict }) => verdict === 'inconclusive');
  if (open.length === 0) return outcome.requirements.some(canFail);
  return open.some(({ nonGating, requirement }) => nonGating === undefined && canFail(requirement));
}

/** An inconclusive case that gates is an error; a failure that a baseline expects, and what is untested, is skipped. */
export function caseOutcome(
  outcome: ReportCase,
  requirements: Requirements,
  { cases }: Pick<ExpectedFailures, 'cases'>,
): CaseOutcome {
  if (outcome.verdict === 'fail') return cases.has(outcome.id) ? 'skipped' : 'failure';
  if (outcome.verdict === 'untested') return 'skipped';
  if (outcome.verdict === 'inconclusive') return isGatingCase(outcome, requirements) ? 'error' : 'skipped';
  return 'passed';
}
