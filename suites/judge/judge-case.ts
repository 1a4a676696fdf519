import { given } from '../../spec/present.ts';
import { errorMessage } from '../../spec/text.ts';
import type { Level } from '../../spec/vocabulary.ts';
import { misjudged } from '../../spec/errata.ts';
import { isOwn, type Requirement, requirement } from '../../spec/requirements.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { judgementOf, readsIn } from '../checks/registry.ts';
import { inconclusive, untested } from '../checks/shared/findings.ts';
import type { Case } from '../types/case.ts';
import type { Plan } from '../types/plan.ts';
import type { Finding, FindingWithReason, Judgement } from '../types/finding.ts';
import type { ReportCase, Verdict, ReportFinding } from '../types/report.ts';
import type { Mistake } from '../facts/mistakes.ts';
import { separationOf } from '../facts/separation.ts';
import { excused } from './excuse.ts';
import { chainOf, reproduce } from './reproduce.ts';
import { messageOf, type Reason, wordsOf } from '../types/reasons/index.ts';
import { separationWords, type ShownByReplies } from '../types/separation.ts';

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
