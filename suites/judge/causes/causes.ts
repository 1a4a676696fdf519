import { given } from '../../../spec/present.ts';
import { impacts } from '../../../spec/vocabulary.ts';
import { causeKinds, type ReportCause } from '../../types/cause.ts';
import type { ReportRequirement } from '../../types/report.ts';
import type { EvidenceView } from '../../checks/evidence-view.ts';
import { readsIn, type ViewOf } from '../../checks/registry.ts';
import { type JudgedCase, worstOf } from '../judge-case.ts';
import { reproduce } from '../reproduce.ts';
import type { MoreKnown, ShownFailure } from '../shown-failure.ts';
import { type BrokenFact, causeId, causeKindOf, type Fact, isSameCause } from '../../facts/fact.ts';
import { validReplies } from '../../facts/valid-replies.ts';
import type { Failure } from '../../types/finding.ts';
import type { ReplyRef } from '../../types/separation.ts';
import { refusedRequestReader } from '../../facts/refused-requests.ts';
import { answeredShare } from './answered-share.ts';
import {
  type Attributed,
  brokenSource,
  type Deciding,
  type Failures,
  type Judged,
  type Views,
  reasonBehind,
} from './attributed.ts';
import { factOfFailure, factOfUndecided } from './attribution.ts';
import { causeWords, onlyWith } from './cause-words.ts';
import { keptReplies } from './kept-replies.ts';
import { isCertain } from '../../facts/mistakes.ts';
import { factOfMistake, unansweredReader } from './unanswered.ts';
import { messageOf, shareWords, wordsOf } from '../../types/reasons/index.ts';
import { whatDiffers } from '../../types/reasons/failures.ts';

/** A row of the report with the findings that decided it, and the facts that stand behind them: of one cause. */
interface TracedRow {
  readonly row: ReportRequirement;
  readonly deciding: readonly Deciding[];
  readonly facts: readonly [Fact, ...Fact[]];
}

/** How many exchanges are named as the best evidence of a cause. */
const mostEvidence = 3;

/** Traces each row that failed, is inconclusive or untested to a fact about target or run. Pure, and never by words. */
export function traceCauses(
  rows: readonly ReportRequirement[],
  cases: readonly JudgedCase[],
  { view, viewOf, mistakes }: Judged,
) {
  const attributed: Attributed = {
    view,
    viewOf,
    mistakes,
    unanswered: unansweredReader(view, mistakes),
    refusedRequest: refusedRequestReader(view),
  };
  const decidingOf = decidingFindings(cases, view, viewOf);
  const { failed, failures } = failedRows(rows, decidingOf, attributed);
  const traced = new Map(failed.map((one) => [one.row.id, one]));
  for (const row of rows.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'untested')) {
    const deciding = decidingOf(row.id);
    const fact = factOfUndecided(row, deciding, attributed, failures);
    // What is never failed needs no cause of its own.
    if (fact.kind !== 'not-decided' || row.level !== 'unspecified')
      traced.set(row.id, { row, deciding, facts: [fact] });
  }
  const told = grouped([...traced.values()], cases, { view, mistakes });
  return {
    causes: told.map(({ cause }) => cause),
    /** For each cause of a failure the first one, in their order. */
    failures: told.flatMap((each) => firstFailure(each, [...traced.values()], { view, viewOf }) ?? []),
    requirements: rows.map((row): ReportRequirement => {
      const found = traced.get(row.id);
      return found ? { ...row, ...reasonOf(found, { view, viewOf }), cause: causeId(found.facts[0]) } : row;
    }),
  };
}

/** The failed rows with the facts behind them, those last that hang on the failure of another; and what shows them. */
function failedRows(
  rows: readonly ReportRequirement[],
  decidingOf: (requirement: string) => readonly Deciding[],
  attributed: Attributed,
): { readonly failed: readonly TracedRow[]; readonly failures: Failures } {
  const { view } = attributed;
  const broken = new Map<string, Fact[]>();
  const brokenAt = (id: string): readonly Fact[] => broken.get(id) ?? [];
  const together = sameTogether(view);
  const all = rows
    .filter(({ verdict }) => verdict === 'fail')
    .map((row) => {
      const deciding = decidingOf(row.id);
      const found = deciding.flatMap((one) => {
        const { finding, shown } = one;
        if (finding.verdict !== 'fail') return [];
        const fact = together(factOfFailure(row, { ...one, finding }, attributed), finding);
        for (const { id } of finding.replies?.broken ?? []) broken.set(id, [...brokenAt(id), fact]);
        return { fact, names: [row.id, shown, ...refusedWith(fact), ...silentIn(finding, view)] };
      });
      return { row, deciding, found };
    });
  const behind = new Map(
    all.flatMap(({ found }) => found.map(({ fact }) => [fact, brokenSource(fact, view, brokenAt)] as const)),
  );
  const hangs = ({ found }: (typeof all)[number]): boolean => found.some(({ fact }) => behind.get(fact));
  const shown = new Map<string, Fact>();
  const failed = [...all.filter((one) => !hangs(one)), ...all.filter(hangs)].flatMap(
    ({ row, deciding, found }): readonly TracedRow[] => {
      const facts = found.map(({ fact, names }) => {
        const own = behind.get(fact) ?? fact;
        for (const name of names) if (name && !shown.has(name)) shown.set(name, own);
        return own;
      });
      const [first] = facts;
      if (first === undefined) return [];
      const same = facts.filter((fact) => isSameCause(fact, first));
      return [{ row, deciding, facts: [first, ...same.slice(1)] }];
    },
  );
  return { failed, failures: { failureAt: (name) => shown.get(name), brokenAt } };
}

function firstFailure(
  { cause: { id: cause }, again }: ToldCause,
  rows: readonly TracedRow[],
  { view, viewOf }: Views,
): ShownFailure | undefined {
  const own = rows.filter(({ row, facts: [fact] }) => row.verdict === 'fail' && causeId(fact) === cause);
  const [first] = own.flatMap(({ deciding }) =>
    deciding.flatMap(({ entry, finding, shown = '' }): readonly ShownFailure[] => {
      const { exchange } = view.state(shown);
      if (finding.verdict !== 'fail' || exchange === undefined) return [];
      const { requirement } = finding;
      const told = (more: MoreKnown): string => again(finding, more);
      return [{ cause, entry, requirement, failure: finding, of: exchange.id, view: viewOf(entry), told }];
    }),
  );
  return first;
}

/** The reason that is true of an undecided row, where its fact tells more than its check could. */
function reasonOf({ row, deciding, facts: [fact] }: TracedRow, views: Views) {
  const reason = row.verdict === 'inconclusive' ? reasonBehind(fact, deciding, views) : undefined;
  return reason === undefined ? {} : { code: reason.kind, reason: wordsOf(reason).message };
}

/** What facts share that are told together: fields that the same replies lack, and how texts differ, on whatever endpoint. */
function keyOfSame({ kind, reason }: BrokenFact, broken: readonly ReplyRef[]): string | undefined {
  if (reason.kind === 'text-differs') return whatDiffers(reason);
  const isLacking = kind === 'result-field-broken' && reason.kind === 'field-missing' && broken.length > 0;
  return isLacking ? JSON.stringify(broken) : undefined;
}

/** What is told together is one fact, that of the first requirement that breaks: the register has the common ones first. */
function sameTogether(view: EvidenceView): (fact: Fact, finding: Failure) => Fact {
  const told = new Map<string, string>();
  const silent = new Map<string, string>();
  return (fact, finding) => {
    if (!('requirement' in fact)) return fact;
    for (const id of silentIn(finding, view)) silent.set(id, fact.requirement);
    const broken = finding.replies?.broken ?? [];
    const [first, ...others] = broken.map(({ id }) => silent.get(id));
    if (finding.reason.kind === 'stream-without-text' && first && others.every((one) => one === first))
      return { ...fact, requirement: first };
    const key = keyOfSame(fact, broken);
    if (key === undefined) return fact;
    const requirement = told.get(key) ?? fact.requirement;
    told.set(key, requirement);
    return { ...fact, requirement };
  };
}

/** The requests that are refused for the same. */
const refusedWith = (fact: Fact): readonly string[] =>
  fact.kind === 'parameter-not-supported' || fact.kind === 'text-refused' ? fact.request.exchanges : [];

/** The replies without text, where their lack is a failure: what they do not show hangs on it. */
const silentIn = ({ reason }: Failure, view: EvidenceView): readonly string[] =>
  reason.kind === 'text-missing-in-some'
    ? validReplies(view).flatMap(({ id, outcome }) => (outcome === 'silent' ? [id] : []))
    : [];

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
      const own = 'exchange' in finding ? finding.exchange : undefined;
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

/** A mistake goes first, then what fails by its worst impact (principle 16), then what is undecided. `rows`: what the cause explains. */
export const causeWeight = (
  rows: readonly ReportRequirement[],
  { configKeys, kind }: Pick<ReportCause, 'configKeys' | 'kind'>,
): number => {
  if (configKeys !== undefined || kind === 'unreachable' || kind === 'stopped-answering') return 0;
  const failed = rows.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) return 2 + causeKinds.indexOf(kind) / causeKinds.length;
  const ranks = failed.map(({ impact }) => (impact === undefined ? impacts.length : impacts.indexOf(impact)));
  return 1 + Math.min(...ranks) / (impacts.length + 1);
};

function grouped(
  rows: readonly TracedRow[],
  cases: readonly JudgedCase[],
  { view, mistakes }: Pick<Judged, 'view' | 'mistakes'>,
): readonly ToldCause[] {
  // A mistake is told even where something else already explains all that it keeps from being judged.
  const own = mistakes.filter(isCertain).map((mistake) => factOfMistake(mistake, view));
  const sources = { view, keptOf: keptReplies(view) };
  const groups = new Map<string, { readonly rows: TracedRow[]; readonly facts: Fact[] }>(
    own.map((fact) => [causeId(fact), { rows: [], facts: [fact] }]),
  );
  for (const traced of rows) {
    const id = causeId(traced.facts[0]);
    const group = groups.get(id) ?? { rows: [], facts: [] };
    group.rows.push(traced);
    group.facts.push(...traced.facts);
    groups.set(id, group);
  }
  return [...groups.values()]
    .flatMap((group) => {
      const [first, ...others] = group.facts;
      if (first === undefined) return [];
      return [{ ...causeOf(group.rows, [first, ...others], cases, sources), replies: shownBy(group.rows) }];
    })
    .map((told) => ({ ...told, weight: causeWeight(rowsOf(told.cause, rows), told.cause) }))
    .sort(
      (one, other) =>
        one.weight - other.weight ||
        other.cause.requirements.length - one.cause.requirements.length ||
        other.replies - one.replies,
    );
}

/** How many replies show the failure that most show. */
const shownBy = (rows: readonly TracedRow[]): number =>
  Math.max(
    0,
    ...rows.flatMap(({ deciding }) =>
      deciding.map(({ finding }) => ('replies' in finding ? (finding.replies?.broken.length ?? 0) : 0)),
    ),
  );

const rowsOf = ({ requirements }: ReportCause, rows: readonly TracedRow[]): readonly ReportRequirement[] => {
  const own = new Set(requirements);
  return rows.flatMap(({ row }) => (own.has(row.id) ? [row] : []));
};

type ToldCause = ReturnType<typeof causeOf>;

function causeOf(
  rows: readonly TracedRow[],
  facts: readonly [Fact, ...Fact[]],
  cases: readonly JudgedCase[],
  { view, keptOf }: Pick<Judged, 'view'> & { readonly keptOf: ReturnType<typeof keptReplies> },
) {
  const [first] = facts;
  const configKeys = keysBehind(first, view);
  const shown = facts.flatMap(({ evidence }) => evidence);
  const exchanges = [...new Set(shown.flatMap((id) => view.state(id).exchange?.id ?? []))];
  const planned = shown.find((id) => view.state(id).exchange !== undefined);
  const failure = first.kind === 'requirement-broken' ? { reason: first.reason } : {};
  const command = planned === undefined ? undefined : reproduce(view, planned, failure);
  // The models behind the first of their family that all of it was seen with; none where it was seen with a first one.
  const deciding = rows.flatMap((traced) => traced.deciding);
  const names = deciding.flatMap(({ finding }) => finding.model ?? []);
  const models = names.length === deciding.length ? [...new Set(names)] : [];
  const requirements = rows.map(({ row }) => row.id);
  const isAnswered = first.kind === 'not-refused';
  const isFailed = rows.some(({ row }) => row.verdict === 'fail');
  const summary = (told: typeof facts, more?: MoreKnown): string =>
    [
      causeWords(told),
      isAnswered && answeredShare(requirements, shown, cases, more?.asked ?? view, more?.tried),
      isFailed && keptOf(shown),
      models.length > 0 && configKeys.length === 0 && onlyWith(models),
    ]
      .filter(Boolean)
      .join(' ');
  const cause: ReportCause = given({
    id: causeId(first),
    kind: causeKindOf(first),
    summary: summary(facts),
    models: models.length > 0 ? models : undefined,
    configKeys: configKeys.length > 0 ? configKeys : undefined,
    evidence: exchanges.slice(0, mostEvidence),
    exchanges,
    reproduce: command,
    requirements,
  });
  return {
    cause,
    /** Its sentence, where more is known of a failure of it. */
    again: (failure: Failure, more: MoreKnown): string => {
      const [known, ...others] = facts.map((fact) => {
        // A fact that a failure shows, as far as it is known now.
        const isOf = 'share' in fact && fact.message === messageOf(failure);
        return isOf ? { ...fact, message: messageOf(more.failure), share: shareWords(more.failure) } : fact;
      });
      return known ? summary([known, ...others], more) : cause.summary;
    },
  };
}

/** The keys of the config to look at first: where nobody was ever reached, the address. */
function keysBehind(fact: Fact, view: EvidenceView): readonly string[] {
  if (fact.kind === 'mistake') return fact.configKeys;
  const isNobodyThere =
    fact.kind === 'unreachable' && view.exchanges().every(({ response }) => response === null);
  return isNobodyThere ? ['target.baseUrl'] : [];
}
