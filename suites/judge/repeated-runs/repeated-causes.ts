import type { ReportCause } from '../../types/cause.ts';
import type { Report, ReportRequirement } from '../../types/report.ts';
import { causeWeight } from '../causes/causes.ts';

/** A cause as the run has it in which what it explains is worst. */
export interface SeenCause {
  readonly cause: ReportCause;
  readonly explainsFailure: boolean;
  readonly seen: number;
}

/** Adds the causes that one more run showed. */
export function addCauses(known: Map<string, SeenCause>, { causes, requirements }: Report): void {
  const failed = new Set(requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  for (const cause of causes) {
    const earlier = known.get(cause.id);
    const explainsFailure = cause.requirements.some((id) => failed.has(id));
    const isWorse = explainsFailure && earlier?.explainsFailure === false;
    const kept = earlier === undefined || isWorse ? { cause, explainsFailure } : earlier;
    known.set(cause.id, { ...kept, seen: (earlier?.seen ?? 0) + 1 });
  }
}

/** The causes of the rows, and the mistakes of the operator whatever they explain. */
export function mergedCauses(
  known: ReadonlyMap<string, SeenCause>,
  rows: readonly ReportRequirement[],
  judged: number,
): readonly ReportCause[] {
  return [...known.values()]
    .map(({ cause, seen }) => {
      const own = rows.filter((row) => row.cause === cause.id);
      const merged = { ...cause, requirements: own.map(({ id }) => id), runs: { judged, seen } };
      return { merged, weight: causeWeight(own, cause) };
    })
    .filter(({ merged }) => merged.requirements.length > 0 || merged.configKeys !== undefined)
    .sort(
      (one, other) =>
        one.weight - other.weight || other.merged.requirements.length - one.merged.requirements.length,
    )
    .map(({ merged }) => merged);
}
