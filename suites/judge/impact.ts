import { type EvidenceView, requestAt } from '../checks/evidence-view.ts';
import { isOfRightfulCaller } from '../facts/wrongly-answered.ts';
import type { ReportCase, ReportRequirement } from '../types/report.ts';

/**
 * Access is given where someone gets in, or pays, who should not (principle 16). A requirement about access that fails
 * only for who has a right token of a group that must be served the model takes more than the interface allows: it is
 * lenient.
 */
export function withImpacts(
  rows: readonly ReportRequirement[],
  cases: readonly ReportCase[],
  view: EvidenceView,
): readonly ReportRequirement[] {
  const failures = cases.flatMap(({ findings }) => findings.filter(({ verdict }) => verdict === 'fail'));
  return rows.map((row) => {
    if (row.verdict !== 'fail' || row.impact !== 'credential') return row;
    const own = failures.filter(({ requirement }) => requirement === row.id);
    const isHarmless = own.every(({ code, exchange }) => {
      const request = requestAt(view, exchange);
      return code === 'not-refused' && request !== undefined && isOfRightfulCaller(request);
    });
    return isHarmless ? { ...row, impact: 'lenient' } : row;
  });
}
