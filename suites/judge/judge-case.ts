import { given } from '../../spec/present.ts';
import { errorMessage } from '../../spec/text.ts';
import type { Level } from '../../spec/vocabulary.ts';
import { misjudged } from '../../spec/errata.ts';
import { isOwn, type Requirement, requirement } from '../../spec/requirements.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { controlPairs, judgementOf, readsIn } from '../checks/registry.ts';
import { inconclusive, untested } from '../checks/shared/findings.ts';
import type { Case } from '../types/case.ts';
import type { Plan } from '../types/plan.ts';
import type { Finding, FindingWithReason, Judgement } from '../types/finding.ts';
import type { ReportCase, ReportFinding, Verdict } from '../types/report.ts';
import { configKeysOf, isOfOtherGroup, type Mistake, mistakeBehind, shows } from '../facts/mistakes.ts';
import { separationOf } from '../facts/separation.ts';
import { chainOf, reproduce } from './reproduce.ts';
import { type InconclusiveReason, messageOf, type Reason, wordsOf } from '../types/reasons/index.ts';
import { separationWords, type ShownByReplies } from '../types/separation.ts';

/** Where one probe that may work is enough, or two replies are compared, any of them may be for a mistake. */
const comparing: ReadonlySet<Case['check']['kind']> = new Set(['served', 'distinct']);

/** Findings that rest on an operator's mistake are not decided: nothing fails for one, and nothing passes (principle 18). */
function excused(
  entry: Case,
  judgement: Judgement,
  view: EvidenceView,
  mistakes: readonly Mistake[],
): Judgement {
  if (mistakes.length === 0) return judgement;
  const { check, suite } = entry;
  const read = readsIn(check, view.plan);
  const showing = (mistake: Mistake): boolean =>
    read.some((id) => {
      const { exchange } = view.state(id);
      return exchange !== undefined && shows(mistake, exchange);
    });
  // What a group is served, and what it is not, shows nothing with the token of another.
  const exchanged =
    suite === 'families' ? mistakes.find((one) => isOfOtherGroup(one) && showing(one)) : undefined;
  const behindPass = exchanged ?? restingOn(entry, view, mistakes);
  const behindFailure = (id: string): Mistake | undefined => {
    const { kind, exchange } = view.state(id);
    if (exchange === undefined) return undefined;
    if (kind !== 'answered') return mistakeBehind(mistakes, exchange);
    // What must be refused with the token of one group may be answered with that of another.
    return view.request(id)?.expect === 'answer'
      ? undefined
      : mistakes.find((one) => isOfOtherGroup(one) && shows(one, exchange));
  };
  const behind = (finding: Finding): Mistake | undefined => {
    if (finding.verdict === 'pass') return behindPass;
    if (finding.verdict !== 'fail') return undefined;
    const shown = finding.exchange ?? judgement.shows ?? read[0];
    const rests = [...(shown === undefined ? [] : [shown]), ...(comparing.has(check.kind) ? read : [])];
    return exchanged ?? rests.map(behindFailure).find((one) => one !== undefined);
  };
  const excuse = (finding: Finding): Finding => {
    const mistake = behind(finding);
    if (mistake === undefined) return finding;
    const actual = finding.verdict === 'fail' ? finding.actual : undefined;
    return { requirement: finding.requirement, ...inconclusive(reasonOf(mistake), actual) };
  };
  const findings = judgement.findings.map(excuse);
  if (behindPass === undefined) return { ...judgement, findings };
  const { observations: _, ...rest } = judgement;
  return { ...rest, findings, ...(judgement.follows ? { follows: 'unknown' } : {}) };
}

/** The mistake that a refusal is made with on which a pass of the case rests: it shows nothing of what is right. */
function restingOn({ check }: Case, view: EvidenceView, mistakes: readonly Mistake[]): Mistake | undefined {
  for (const id of refusalsOf(check)) {
    const { kind, exchange } = view.state(id);
    const mistake = kind !== 'answered' && exchange && mistakes.find((one) => shows(one, exchange));
    if (mistake) return mistake;
  }
  return undefined;
}

/** The requests whose refusal a pass of a check rests on, or an observation tells. */
function refusalsOf(check: Case['check']): readonly string[] {
  switch (check.kind) {
    case 'observe':
      return check.probes;
    case 'distinct':
      return check.comparisons.flatMap(({ probes }) => probes);
    case 'not-rate-limit':
      return check.limited;
    default:
      return controlPairs(check).flatMap(({ probes }) => probes);
  }
}

const reasonKinds = {
  'base-address': 'every-path-alike',
  'token-not-accepted': 'declared-token-refused',
  'tokens-exchanged': 'declared-tokens-exchanged',
  'same-token': 'declared-token-of-one-group',
  'token-not-told': 'declared-token-not-told',
  'model-not-known': 'declared-model-unknown',
  'model-not-told': 'declared-model-not-told',
} as const satisfies Record<Mistake['kind'], InconclusiveReason['kind']>;

const reasonOf = (mistake: Mistake): InconclusiveReason => ({
  kind: reasonKinds[mistake.kind],
  keys: configKeysOf(mistake),
});

/** How many replies show it, where not all do, and which. */
function shownBy({ replies, separation }: ShownByReplies): Pick<ReportFinding, 'replies'> {
  if (replies === undefined || replies.kept.length === 0) return {};
  const failed = replies.broken.length;
  const condition = separation && separationWords(separation, failed);
  return { replies: { failed, of: failed + replies.kept.length, ...(condition ? { condition } : {}) } };
}

/** A finding as the report has it: its reason as a code and in words, and how many replies show it. */
export function reportedFinding(
  finding: FindingWithReason,
): ReportFinding & { readonly code: Reason['kind'] } {
  const given = { replies: undefined, separation: undefined, asked: undefined, ...finding };
  const { requirement, verdict, reason, replies: _, separation: __, asked: ___, ...seen } = given;
  const words = messageOf(finding);
  const { expected } = wordsOf(reason);
  const message = seen.model === undefined ? words : `model ${seen.model}: ${words}`;
  const shown = finding.verdict === 'fail' ? shownBy(finding) : {};
  return { requirement, verdict, code: reason.kind, message, expected, actual: words, ...seen, ...shown };
}

/** A case as judged: what the report holds of it, and what else was found. */
export type JudgedCase = ReturnType<typeof judgeCase>;

/** Judges a case. A check that throws is a bug of ours and decides nothing; nothing fails for the operator's `mistakes`. */
export function judgeCase(entry: Case, view: EvidenceView, mistakes: readonly Mistake[] = []) {
  const { id, title, suite, model, cell, requirements } = entry;
  const judgement = excused(entry, careful(entry, view), view, mistakes);
  const findings = ofModel(entry, complete(entry, askedOf(view.plan, judgement.findings))).map((each) => {
    // A failure that some replies show with what tells these from the others.
    if (each.verdict !== 'fail' || each.replies === undefined) return each;
    const separation = separationOf(view, each.replies);
    return separation ? { ...each, separation } : each;
  });
  const read = readsIn(entry.check, view.plan).filter((id) => view.state(id).exchange !== undefined);
  const shown = judgement.shows ?? read[0];
  const sent = read.flatMap((id) => [...chainOf(view, id), id]).map((id) => sentId(view, id));
  const exchanges = [...new Set(sent)];
  const [failure] = findings.flatMap((each) => (each.verdict === 'fail' ? [each] : []));
  const command = shown === undefined ? undefined : reproduce(view, shown, failure);
  const outcome: ReportCase = given({
    id,
    title,
    suite,
    model,
    cell,
    requirements,
    verdict: caseVerdict(entry, findings),
    findings: findings
      .filter((finding) => finding.verdict !== 'pass')
      .map((finding) => reportedFinding(located(view, finding, shown))),
    passed: findings.filter((finding) => finding.verdict === 'pass').map((finding) => finding.requirement),
    exchanges: shown ? [...new Set([...exchanges, sentId(view, shown)])] : exchanges,
    reproduce: command,
  });
  return { judgement, findings, outcome };
}

/** Of a plan that asks for what an extension states, that alone. */
const askedOf = ({ extension }: Pick<Plan, 'extension'>, findings: readonly Finding[]): readonly Finding[] =>
  extension === undefined ? findings : findings.filter(({ requirement: id }) => isOwn(id));

/** Findings of a model behind the first of its family name it. */
const ofModel = ({ model }: Case, findings: readonly Finding[]): readonly Finding[] =>
  model === undefined ? findings : findings.map((finding) => ({ ...finding, model: model.name }));

/** A failure names the exchange that shows it. */
function located(view: EvidenceView, finding: FindingWithReason, shown: string | undefined) {
  if (finding.verdict !== 'fail') return finding;
  const exchange = finding.exchange ?? shown;
  return exchange === undefined ? finding : { ...finding, exchange: sentId(view, exchange) };
}

const sentId = (view: EvidenceView, id: string): string => view.state(id).exchange?.id ?? id;

function careful(entry: Case, view: EvidenceView): Judgement {
  try {
    return unlessRefused(entry, view, judgementOf(entry, view));
  } catch (thrown) {
    const error = errorMessage(thrown);
    const outcome = inconclusive({ kind: 'check-error', error });
    return { findings: entry.requirements.map((requirement) => ({ requirement, ...outcome })) };
  }
}

/** Whatever rests on a model being served is untested where it is refused and need not be served. */
function unlessRefused(entry: Case, view: EvidenceView, judgement: Judgement): Judgement {
  const { cells, families } = entry.unlessRefused ?? {};
  if (!families || !cells?.every((id) => view.kind(id) === 'refused')) return judgement;
  const restsOnIt = (finding: Finding): boolean =>
    finding.verdict === 'inconclusive' ||
    (finding.verdict === 'fail' && finding.reason.kind === 'valid-request-refused');
  return {
    ...judgement,
    findings: judgement.findings.map((finding) =>
      restsOnIt(finding)
        ? { requirement: finding.requirement, ...untested({ kind: 'same-model', families }) }
        : finding,
    ),
  };
}

/** A requirement of the case without a finding was not run, and that is never a pass. */
const complete = (entry: Case, findings: readonly Finding[]): readonly Finding[] => [
  ...findings,
  ...entry.requirements
    .filter((id) => !findings.some((finding) => finding.requirement === id))
    .map((requirement) => ({ requirement, ...inconclusive('not-run') })),
];

/** The verdict that findings amount to: what is unspecified is observed or not seen, a contradiction is neither kept nor broken. */
export function verdictAt(level: Level, findings: readonly Finding[]): Verdict {
  const worst = worstOf(findings.map((finding) => finding.verdict));
  if (level === 'unspecified')
    return findings.some((finding) => finding.verdict === 'pass') ? 'observed' : 'untested';
  if (level === 'conflicting') return worst === 'untested' ? 'untested' : 'conflict';
  return worst;
}

/** Whether what is found of a row counts: it is not new in this version of the statements, and not known to be misjudged. */
export const counts = ({ id, provisional }: Pick<Requirement, 'id' | 'provisional'>): boolean =>
  provisional === undefined && !misjudged().has(id);

/** The verdict of a case, by what counts of it; one of which nothing counts is observed. */
function caseVerdict({ requirements }: Case, findings: readonly Finding[]): Verdict {
  const counted = requirements.map(requirement).find(counts);
  if (counted === undefined) return verdictAt('unspecified', findings);
  return verdictAt(
    counted.level,
    findings.filter((finding) => counts(requirement(finding.requirement))),
  );
}

const order = ['fail', 'inconclusive', 'pass', 'untested'] as const;

/** Worst wins; what was untested counts only where nothing else was found (principle 3). */
export const worstOf = (verdicts: readonly Finding['verdict'][]): Finding['verdict'] =>
  order.find((verdict) => verdicts.includes(verdict)) ?? 'inconclusive';
