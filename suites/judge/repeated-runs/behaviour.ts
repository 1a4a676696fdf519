import type { ReportCell, ReportConflict, ReportObservation, Verdict } from '../../types/report.ts';

/** What several runs show of the same thing; a run that does not show it changes nothing. */
const isShown = (value: string): boolean => !['unknown', 'untested', 'not sent'].includes(value);

/** Names an observation, with what of it is the same in each run. */
export const observationKey = ({
  id,
  requirement,
  subject,
  value,
  stable = value,
}: ReportObservation): string => JSON.stringify([id, requirement, subject, stable]);

/** A conflict as each run has it; of those that read it alike, the first. */
export function mergedConflict(rows: readonly [ReportConflict, ...ReportConflict[]]): ReportConflict {
  const readings = new Map(rows.filter(({ follows }) => isShown(follows)).map((row) => [row.follows, row]));
  const [first = rows[0]] = readings.values();
  if (readings.size < 2) return first;
  return {
    ...first,
    follows: 'unknown',
    exchanges: [...readings.values()].flatMap(({ exchanges }) => exchanges),
  };
}

const worst: readonly Verdict[] = ['fail', 'inconclusive', 'pass'];

/** A combination as each run has it: served in one and refused in another is neither. */
export function mergedCell(cells: readonly [ReportCell, ...ReportCell[]]): ReportCell {
  const shown = new Map(
    cells.filter(({ observed }) => isShown(observed)).map((cell) => [cell.observed, cell]),
  );
  const [first = cells[0]] = shown.values();
  const verdicts = cells.flatMap(({ anyGroup }) => anyGroup ?? []);
  const anyGroup = worst.find((verdict) => verdicts.includes(verdict)) ?? verdicts[0];
  return {
    ...first,
    ...(shown.size > 1 ? { observed: 'unknown' } : {}),
    ...(anyGroup === undefined ? {} : { anyGroup }),
  };
}
