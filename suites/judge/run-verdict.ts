import { count } from '../../spec/text.ts';
import { canFail, isGating } from '../types/gating.ts';
import type { Report, ReportRequirement, Verdict } from '../types/report.ts';

/** The verdict of a run and what decided it (design, section 5, exit codes). */
export function runVerdict(
  rows: readonly ReportRequirement[],
  partial: boolean,
): Pick<Report, 'verdict' | 'reasons'> {
  const judged = rows.filter(canFail);
  const number = (verdict: Verdict): number => judged.filter((row) => row.verdict === verdict).length;
  const [failed, passed, untested] = [number('fail'), number('pass'), number('untested')];
  const undecided = judged.filter(isGating).length;
  const nonGating = number('inconclusive') - undecided;
  const reasons = [
    failed > 0 && `${count(failed, 'requirement')} failed.`,
    partial && 'The run was stopped before all requests of its plan were sent.',
    undecided > 0 && `${count(undecided, 'requirement')} could not be judged.`,
    passed === 0 && 'No requirement passed: there is no evidence of conformance.',
    `${count(passed, 'requirement')} passed of ${judged.length} that can be judged${untested > 0 ? `; ${untested} not tested` : ''}.`,
    nonGating > 0 &&
      `${count(nonGating, 'requirement')} inconclusive because of the model’s answers or of timing, which does not count against the target.`,
  ].filter((reason) => reason !== false);
  const isOpen = partial || undecided > 0 || passed === 0;
  return { verdict: failed > 0 ? 'non-conformant' : isOpen ? 'inconclusive' : 'conformant', reasons };
}
