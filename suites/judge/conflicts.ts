import { type CatalogueEntry, catalogue, type Label, type Sign } from '../../spec/catalogue.ts';
import { requirement } from '../../spec/requirements.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import type { Plan } from '../types/plan.ts';
import type { ReportConflict, ReportObservation, ReportRequirement } from '../types/report.ts';
import type { JudgedCase } from './judge-case.ts';

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
