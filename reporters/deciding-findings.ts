import type { Report, ReportRequirement } from '../suites/model/report.ts';
import { isGating } from '../suites/model/gating.ts';
import { byId, type CaseFinding, findingsOf, withVerdict } from './report-queries.ts';

/** The finding that decided the verdict of a requirement, and other requirements with the same finding. */
export interface DecidingFinding {
  readonly requirement: ReportRequirement;
  readonly found: CaseFinding | undefined;
  readonly sameFinding: readonly ReportRequirement[];
}

/** Each failure, then what gates because it is inconclusive, grouped by finding: an unreachable target gives one group. */
export function decidingFindings(report: Report): DecidingFinding[] {
  const cases = byId(report.cases);
  const foundOf = (requirement: ReportRequirement) => findingsOf(requirement, cases)[0];
  const groups = new Map<string, DecidingFinding & { readonly sameFinding: ReportRequirement[] }>();
  for (const requirement of withVerdict(report, 'inconclusive').filter(isGating)) {
    const found = foundOf(requirement);
    const key = JSON.stringify([found?.finding.message ?? requirement.reason, found?.finding.actual]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { requirement, found, sameFinding: [] });
    else group.sameFinding.push(requirement);
  }
  const failed = withVerdict(report, 'fail').map((requirement) => ({
    requirement,
    found: foundOf(requirement),
    sameFinding: [],
  }));
  return [...failed, ...groups.values()];
}
