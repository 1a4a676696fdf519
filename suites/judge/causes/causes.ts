import { impacts } from '../../../spec/vocabulary.ts';
import { causeKinds, type ReportCause } from '../../types/cause.ts';
import type { ReportRequirement } from '../../types/report.ts';
import type { EvidenceView } from '../../checks/evidence-view.ts';
import { readsIn } from '../../checks/registry.ts';
import { type JudgedCase, worstOf } from '../judge-case.ts';
import { reproduce } from '../reproduce.ts';
import type { ViewOf } from '../../checks/model-views.ts';
import { type Attributed, type Deciding, originOfFailure, originOfUndecided } from './attribution.ts';
import { type ExplainedRow, messagesOf } from './cause-messages.ts';
import type { Mistake } from './mistake.ts';
import { createOriginReader, type Origin, originOfMistake } from './origin.ts';
import { causeWords, onlyWith } from './cause-words.ts';

/** The rows of a report, each with its cause where it has one; and all causes. */
export interface TracedRows {
  readonly requirements: readonly ReportRequirement[];
  readonly causes: readonly ReportCause[];
}

/** What was recorded, as a whole and as each case sees it, and the mistakes of the operator that it shows. */
interface Judged {
  readonly view: EvidenceView;
  readonly viewOf: ViewOf;
  readonly mistakes: readonly Mistake[];
}

interface TracedRow extends ExplainedRow {
  readonly origin: Origin;
}

/** How many exchanges are named as the best evidence of a cause. */
const mostEvidence = 3;

const idOf = ({ kind, about }: Origin): string => (about === undefined ? kind : `${kind}:${about}`);

/**
 * Traces each row that is failed, inconclusive or untested to its cause: from findings with their typed reasons, from
 * what the requests of a case waited for, and from recorded exchanges. Pure; nothing is decided by words.
 */
export function traceCauses(
  rows: readonly ReportRequirement[],
  cases: readonly JudgedCase[],
  { view, viewOf, mistakes }: Judged,
): TracedRows {
  const attributed: Attributed = { viewOf, mistakes, origins: createOriginReader(view, mistakes) };
  const decidingOf = decidingFindings(cases, view, viewOf);
  const failures = new Map<string, Origin>();
  const traced = new Map<string, TracedRow>();
  const keep = (row: ReportRequirement, deciding: readonly Deciding[], origin: Origin): void =>
    void traced.set(row.id, { row, deciding, origin });

  for (const row of rows.filter(({ verdict }) => verdict === 'fail')) {
    const deciding = decidingOf(row.id);
    for (const one of deciding) {
      const { finding, shown } = one;
      if (finding.verdict !== 'fail') continue;
      const origin = originOfFailure(row, { ...one, finding }, attributed);
      if (!traced.has(row.id)) keep(row, deciding, origin);
      for (const name of [row.id, shown]) if (name && !failures.has(name)) failures.set(name, origin);
    }
  }
  for (const row of rows.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'untested')) {
    const deciding = decidingOf(row.id);
    const origin = originOfUndecided(row, deciding, attributed, (name) => failures.get(name));
    // What is never failed needs no cause of its own.
    if (origin.kind !== 'not-decided' || row.level !== 'unspecified') keep(row, deciding, origin);
  }
  return {
    requirements: rows.map((row) => {
      const found = traced.get(row.id);
      return found ? { ...row, cause: idOf(found.origin) } : row;
    }),
    causes: grouped([...traced.values()], { view, viewOf, mistakes }),
  };
}

/** For each requirement the findings that decided it. */
function decidingFindings(
  cases: readonly JudgedCase[],
  view: EvidenceView,
  viewOf: ViewOf,
): (requirement: string) => readonly Deciding[] {
  const entries = new Map(view.plan.cases.map((entry) => [entry.id, entry]));
  const found = new Map<string, Deciding[]>();
  for (const { outcome, findings, judgement } of cases) {
    const entry = entries.get(outcome.id);
    if (entry === undefined) continue;
    const read = readsIn(entry.check, viewOf(entry).plan).find((id) => view.state(id).exchange !== undefined);
    for (const finding of findings) {
      if (finding.verdict === 'pass') continue;
      const own = finding.verdict === 'fail' ? finding.exchange : undefined;
      const deciding = { entry, finding, shown: own ?? judgement.shows ?? read };
      const known = found.get(finding.requirement);
      if (known) known.push(deciding);
      else found.set(finding.requirement, [deciding]);
    }
  }
  return (requirement) => {
    const all = found.get(requirement) ?? [];
    if (all.length === 0) return all;
    const worst = worstOf(all.map(({ finding }) => finding.verdict));
    return all.filter(({ finding }) => finding.verdict === worst);
  };
}

/**
 * A mistake of the operator goes first, then what fails, by its worst impact (principle 16), then what is undecided;
 * of those alike, what explains most.
 * @param rows what the cause explains
 */
export const causeWeight = (
  rows: readonly ReportRequirement[],
  { configKeys, kind }: Pick<ReportCause, 'configKeys' | 'kind'>,
): number => {
  if (configKeys !== undefined || kind === 'unreachable') return 0;
  const failed = rows.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) return 2 + causeKinds.indexOf(kind) / causeKinds.length;
  const ranks = failed.map(({ impact }) => (impact === undefined ? impacts.length : impacts.indexOf(impact)));
  return 1 + Math.min(...ranks) / (impacts.length + 1);
};

const weight = (rows: readonly TracedRow[], origin: Origin): number =>
  causeWeight(
    rows.map(({ row }) => row),
    origin,
  );

function grouped(rows: readonly TracedRow[], judged: Judged): readonly ReportCause[] {
  const { mistakes } = judged;
  const found = new Map(
    mistakes.map((mistake) => {
      const origin = originOfMistake(mistake);
      return [idOf(origin), origin];
    }),
  );
  // A mistake is told even where something else already explains all that it keeps from being judged.
  const groups = new Map<string, TracedRow[]>([...found.keys()].map((id) => [id, []]));
  for (const traced of rows) {
    const id = idOf(traced.origin);
    groups.set(id, [...(groups.get(id) ?? []), traced]);
  }
  return [...groups]
    .flatMap(([id, own]) => {
      // A mistake is shown by what shows it, wherever it was met first.
      const origin = found.get(id) ?? own[0]?.origin;
      return origin === undefined ? [] : [{ own, origin }];
    })
    .sort(
      (one, other) =>
        weight(one.own, one.origin) - weight(other.own, other.origin) || other.own.length - one.own.length,
    )
    .map(({ own, origin }) => causeOf(own, origin, judged));
}

function causeOf(rows: readonly TracedRow[], origin: Origin, { view, viewOf }: Judged): ReportCause {
  const { kind, about = '', configKeys = [] } = origin;
  const shown = [...origin.evidence, ...rows.flatMap((traced) => traced.origin.evidence)];
  const exchanges = [...new Set(shown.flatMap((id) => view.state(id).exchange?.id ?? []))];
  const planned = shown.find((id) => view.state(id).exchange !== undefined);
  const response = planned === undefined ? undefined : view.state(planned).exchange?.response;
  const command = planned === undefined ? undefined : reproduce(view, planned);
  const models = modelsOf(rows);
  const summary = causeWords[kind]({
    about,
    configKeys,
    status: response ? `HTTP ${response.status}` : undefined,
    messages: messagesOf(rows, kind, viewOf),
    requirements: rows.filter(({ row }) => row.verdict === 'fail').length,
  });
  return {
    id: idOf(origin),
    kind,
    summary: models.length > 0 && configKeys.length === 0 ? `${summary} ${onlyWith(models)}` : summary,
    ...(models.length > 0 ? { models } : {}),
    ...(configKeys.length > 0 ? { configKeys } : {}),
    evidence: exchanges.slice(0, mostEvidence),
    exchanges,
    ...(command === undefined ? {} : { reproduce: command }),
    requirements: rows.map(({ row }) => row.id),
  };
}

/** The models behind the first of their family that all of it was seen with; none where it was seen with a first one. */
function modelsOf(rows: readonly TracedRow[]): readonly string[] {
  const deciding = rows.flatMap((traced) => traced.deciding);
  const names = deciding.flatMap(({ finding }) => finding.model ?? []);
  return names.length === deciding.length ? [...new Set(names)] : [];
}
