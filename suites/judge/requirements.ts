import { given } from '../../spec/present.ts';
import { isOwn, type Requirement, requirement, requirements } from '../../spec/requirements.ts';
import type { Finding } from '../types/finding.ts';
import type { Plan } from '../types/plan.ts';
import { type UntestedReason, wordsOf } from '../types/reasons/index.ts';
import type {
  Report,
  ReportCase,
  ReportConflict,
  ReportObservation,
  ReportRequirement,
  Verdict,
} from '../types/report.ts';
import { counts, type JudgedCase, reportedFinding, verdictAt, worstOf } from './judge-case.ts';
import { type EvidenceView, requestAt } from '../checks/evidence-view.ts';
import { isOfRightfulCaller } from '../facts/wrongly-answered.ts';
import { count } from '../../spec/text.ts';
import { canFail, isGating } from '../types/gating.ts';
import { catalogue, type CatalogueEntry, type Label, type Sign } from '../../spec/catalogue.ts';

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

interface Judged {
  readonly plan: Plan;
  readonly view: EvidenceView;
  readonly cases: readonly JudgedCase[];
  readonly rows: readonly ReportRequirement[];
  readonly observations: readonly ReportObservation[];
}

type Follows = ReportConflict['follows'];

/** Exchanges that are named for an entry: enough to see it. */
const mostExchanges = 4;

/** Every entry of the catalogue, with the reading that the target follows. None of them is a failure. */
export const conflicts = (judged: Judged): readonly ReportConflict[] =>
  catalogue().map((entry) => {
    const { id, kind, readings, held, why, requirements, seen } = entry;
    const ids = seen === undefined ? [] : 'conflict' in seen ? requirements : seen.requirements;
    return {
      id,
      kind,
      sections: [...new Set(readings.flatMap(({ sections }) => sections))],
      readings,
      ...(held === undefined ? {} : { held }),
      why,
      requirements,
      follows: followed(entry, judged),
      exchanges: exchangesOf(ids, judged).slice(0, mostExchanges),
      observations: judged.observations
        .filter((observation) => requirements.includes(observation.requirement))
        .map((observation) => observation.id),
    };
  });

function followed({ seen, requirements }: CatalogueEntry, judged: Judged): Follows {
  if (seen === undefined) return 'not observable';
  if ('conflict' in seen) return byCases(requirements, judged);
  const signs = 'pass' in seen ? byVerdicts(seen, judged) : byReplies(seen, judged);
  return signs.every((sign) => sign === 'untested') ? 'untested' : merged(signs);
}

function byCases(requirements: readonly string[], { cases }: Judged): Follows {
  const own = casesOf(requirements, cases);
  const isUntested = own.every(({ outcome }) => outcome.verdict === 'untested');
  return isUntested ? 'untested' : merged(own.flatMap(({ judgement }) => judgement.follows ?? []));
}

const byVerdicts = ({ requirements, pass, fail }: Extract<Sign, { pass: Label }>, { rows }: Judged) =>
  requirements.map((id) => {
    const verdict = rows.find((row) => row.id === id)?.verdict;
    if (verdict === 'pass') return pass;
    if (verdict === 'fail') return fail ?? 'neither';
    return verdict === 'inconclusive' ? 'unknown' : 'untested';
  });

function byReplies(
  { requirements, answered, refused }: Extract<Sign, { answered: Label }>,
  { plan, view }: Judged,
): Follows[] {
  const probes = plan.cases.flatMap(({ check }) =>
    check.kind === 'observe' && requirements.includes(check.requirement) ? check.probes : [],
  );
  return probes.map((id) => {
    const { kind, exchange } = view.state(id);
    if (exchange === undefined) return 'untested';
    return kind === 'answered' ? answered : kind === 'refused' ? refused : 'unknown';
  });
}

const casesOf = (requirements: readonly string[], cases: readonly JudgedCase[]): readonly JudgedCase[] =>
  cases.filter(({ outcome }) => outcome.requirements.some((id) => requirements.includes(id)));

/** Of each case what it is about: a request, and of a contradiction in a stream the one without it as well. */
const exchangesOf = (requirements: readonly string[], { cases }: Judged): readonly string[] => [
  ...new Set(
    casesOf(requirements, cases).flatMap(({ outcome }) => {
      const isConflict = outcome.requirements.some((id) => requirement(id).level === 'conflicting');
      return outcome.exchanges.slice(0, isConflict && outcome.cell?.stream ? 2 : 1);
    }),
  ),
];

/** The target may follow one reading here and another one there. */
function merged(signs: readonly Follows[]): Follows {
  const known = [...new Set(signs.filter((sign) => sign !== 'unknown' && sign !== 'untested'))];
  const [only] = known;
  if (only === undefined) return 'unknown';
  return known.length === 1 ? only : 'mixed';
}
