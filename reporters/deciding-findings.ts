import type { Report, ReportRequirement } from '../suites/model/report.ts';
import { isGating } from '../suites/model/gating.ts';
import { byId, type CaseFinding, findingsOf, withVerdict } from './report-queries.ts';

/** What decided the verdict of a requirement, and those that were left open by the very same. */
export interface DecidingFinding {
  readonly requirement: ReportRequirement;
  readonly found: CaseFinding | undefined;
  readonly sameFinding: readonly ReportRequirement[];
}

/** Each failure, then what could not be judged by what left it open: a target that is gone leaves all open by one thing. */
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
