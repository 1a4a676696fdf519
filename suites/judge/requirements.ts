import { given } from '../../spec/present.ts';
import { isOwn, type Requirement, requirements } from '../../spec/requirements.ts';
import type { Finding } from '../types/finding.ts';
import type { Plan } from '../types/plan.ts';
import { type UntestedReason, wordsOf } from '../types/reasons/index.ts';
import type { Report, ReportCase, ReportRequirement, Verdict } from '../types/report.ts';
import { counts, type JudgedCase, verdictAt, worstOf, reportedFinding } from './judge-case.ts';
import { type EvidenceView, requestAt } from '../checks/evidence-view.ts';
import { isOfRightfulCaller } from '../facts/wrongly-answered.ts';
import { count } from '../../spec/text.ts';
import { canFail, isGating } from '../types/gating.ts';

/** What all cases together say of each requirement of the register that can be judged. */
export function judgeRequirements(
  cases: readonly JudgedCase[],
  plan: Pick<Plan, 'notAsked' | 'profile' | 'shard' | 'elsewhere' | 'source' | 'extension'>,
): readonly ReportRequirement[] {
  const { notAsked, profile, shard, elsewhere, source, extension } = plan;
  const deeper = new Set(notAsked);
  const ofOthers = new Set(elsewhere);
  const withoutCase = (id: string): UntestedReason => {
    if (source === 'live-traffic') return { kind: 'not-in-traffic' };
    if (shard !== undefined && ofOthers.has(id)) return { kind: 'not-in-shard', shard };
    return deeper.has(id) ? { kind: 'not-in-profile', profile } : { kind: 'not-selected' };
  };
  const found = new Map<string, { readonly findings: Finding[]; readonly cases: string[] }>();
  for (const { outcome, findings } of cases) {
    for (const finding of findings) {
      const entry = found.get(finding.requirement) ?? { findings: [], cases: [] };
      entry.findings.push(finding);
      if (!entry.cases.includes(outcome.id)) entry.cases.push(outcome.id);
      found.set(finding.requirement, entry);
    }
  }
  return requirements()
    .filter((row) => row.excluded === undefined && (extension === undefined || isOwn(row.id)))
    .map((row) => judged(row, found.get(row.id) ?? withoutCase(row.id)));
}

function judged(
  row: Requirement,
  found: { readonly findings: readonly Finding[]; readonly cases: readonly string[] } | UntestedReason,
): ReportRequirement {
  const { id, sections, level, impact, statement, reading, since, place } = row;
  const base = {
    id,
    sections,
    level,
    impact,
    statement,
    reading,
    since: since > 1 ? since : undefined,
    place,
  };
  const provisionalAs = <As extends Verdict>(verdict: As) => (counts(row) ? undefined : verdict);
  if ('kind' in found) {
    const verdict = 'untested' as const;
    const [provisional, reason] = [provisionalAs(verdict), wordsOf(found).message];
    return given({ ...base, provisional, verdict, code: found.kind, reason, cases: [] });
  }
  const findings = withoutSilence(found.findings);
  const worst = worstOf(findings.map((finding) => finding.verdict));
  const deciding = findings.flatMap((finding) =>
    finding.verdict !== 'pass' && finding.verdict === worst ? [reportedFinding(finding)] : [],
  );
  const [first] = deciding;
  // It does not gate only where no finding that leaves it undecided does.
  const nonGating = deciding.every((finding) => finding.nonGating) && first?.nonGating;
  return given({
    ...base,
    provisional: provisionalAs(worst),
    verdict: counts(row) ? verdictAt(row.level, findings) : worst === 'untested' ? worst : 'observed',
    code: first?.code,
    reason: first?.verdict === 'fail' ? `${first.message}: ${first.actual}` : first?.message,
    nonGating: worst === 'inconclusive' && nonGating ? nonGating : undefined,
    cases: found.cases,
  });
}

/** What replies show is not undecided because another could not be had. */
function withoutSilence(findings: readonly Finding[]): readonly Finding[] {
  if (!findings.some(({ verdict }) => verdict === 'pass')) return findings;
  return findings.filter(
    (finding) => finding.verdict !== 'inconclusive' || finding.reason.kind !== 'nothing-answered',
  );
}

/** A failure with a right token of a group that must be served the model lets in nobody who should not get in (principle 16): lenient. */
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
