import type { Report, ReportRequirement } from '../model/report.ts';

const gates = ({ level }: ReportRequirement): boolean => level === 'stated' || level === 'derived';

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;

/** The verdict of a run and what decided it (design, section 5, exit codes). */
export function overall(
  rows: readonly ReportRequirement[],
  partial: boolean,
): Pick<Report, 'verdict' | 'reasons'> {
  const judged = rows.filter(gates);
  const failed = judged.filter((row) => row.verdict === 'fail');
  const undecided = judged.filter((row) => row.verdict === 'inconclusive' && row.nonGating === undefined);
  const nonGating = judged.filter((row) => row.verdict === 'inconclusive' && row.nonGating !== undefined);
  const passed = judged.filter((row) => row.verdict === 'pass');
  const untested = judged.filter((row) => row.verdict === 'untested');
  const reasons = [
    ...(failed.length > 0 ? [`${count(failed.length, 'requirement')} not kept.`] : []),
    ...(partial ? ['The run was stopped before its plan was done.'] : []),
    ...(undecided.length > 0 ? [`${count(undecided.length, 'requirement')} could not be judged.`] : []),
    ...(passed.length === 0 ? ['No requirement was found kept: nothing speaks for conformance.'] : []),
    `${count(passed.length, 'requirement')} kept of ${judged.length} that can be judged${untested.length > 0 ? `; ${untested.length} not tested` : ''}.`,
    ...(nonGating.length > 0
      ? [
          `${count(nonGating.length, 'requirement')} undecided because of the model’s answers or of timing, which does not count against the target.`,
        ]
      : []),
  ];
  const verdict =
    failed.length > 0
      ? 'non-conformant'
      : partial || undecided.length > 0 || passed.length === 0
        ? 'inconclusive'
        : 'conformant';
  return { verdict, reasons };
}
