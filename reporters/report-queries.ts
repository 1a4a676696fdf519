import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../spec/group-by.ts';
import { partOf } from '../spec/part.ts';
import { protocolFacts } from '../spec/protocols.ts';
import { count } from '../spec/text.ts';
import { type Impact, impacts, levels } from '../spec/vocabulary.ts';
import { canFail, isGating } from '../suites/types/gating.ts';
import type {
  Report,
  ReportCase,
  ReportConflict,
  ReportExchange,
  ReportFinding,
  ReportRequirement,
  Verdict,
} from '../suites/types/report.ts';
import { byImpact, impactCounts, impactHeadline } from './impact.ts';
import { repeatSentence } from './repeats.ts';
import { compareSections } from './sections.ts';
import { verdicts } from './wording.ts';

/** What several renderings want to know of a report; pure selections, no judging. */

/** The type of what nobody changes who is given it. */
export type Unchanged<Of> = Of extends object ? { readonly [Name in keyof Of]: Unchanged<Of[Name]> } : Of;

const weight = (requirement: ReportRequirement): number =>
  isGating(requirement) ? 0.5 : verdicts.indexOf(requirement.verdict);

/** Worst first, failures by their impact; the order of the register otherwise. */
const worstFirst = (requirements: readonly ReportRequirement[]): ReportRequirement[] =>
  [...requirements].sort(
    (one, other) => weight(one) - weight(other) || (one.verdict === 'fail' ? byImpact(one, other) : 0),
  );

/** The section that a requirement is shown under: the first it names. */
export const firstSection = (requirement: { readonly sections: readonly string[] }): string =>
  requirement.sections[0] ?? '';

/** Requirements by the section they are shown under, in the order of the interface. */
export const bySection = (requirements: readonly ReportRequirement[]) =>
  [...groupBy(requirements, firstSection)]
    .sort(([one], [other]) => compareSections(one, other))
    .map(([section, own]) => ({ section, requirements: worstFirst(own) }));

export type SectionRequirements = ReturnType<typeof bySection>[number];

/** Failures by impact, level and the order of the register; the others by section. */
export const withVerdict = (report: Report, verdict: Verdict): ReportRequirement[] => {
  const rows = report.requirements.filter((requirement) => requirement.verdict === verdict);
  return verdict === 'fail' ? rows.sort(byImpact) : bySection(rows).flatMap((part) => part.requirements);
};

/** What decided the run: failures, then what gates because it is inconclusive. */
export const decidingRequirements = (report: Report): ReportRequirement[] => [
  ...withVerdict(report, 'fail'),
  ...withVerdict(report, 'inconclusive').filter(isGating),
];

export type Counts = Readonly<Record<Verdict, number>>;

export function countVerdicts(requirements: readonly { readonly verdict: Verdict }[]): Counts {
  const counts = { pass: 0, fail: 0, inconclusive: 0, untested: 0, observed: 0, conflict: 0 };
  for (const { verdict } of requirements) counts[verdict] += 1;
  return counts;
}

/** Counts of requirements by level and verdict, levels without a row left out. */
export const countLevels = ({ requirements }: Report) =>
  levels.flatMap((level) => {
    const rows = requirements.filter((row) => row.level === level);
    return rows.length === 0 ? [] : [{ level, counts: countVerdicts(rows), total: rows.length }];
  });

/** The requirements that can fail, counted once for every rendering: judged, undecided and untested are all of them. */
export function coverage(report: Pick<Report, 'requirements'>) {
  const rows = report.requirements.filter(canFail);
  const { pass, fail, inconclusive, untested } = countVerdicts(rows);
  return { judged: pass + fail, total: rows.length, failed: fail, undecided: inconclusive, untested };
}

/** `87 requirements, 36 of them stated or derived`: all that is untested. */
export function untestedText(report: Report): string {
  const { untested } = coverage(report);
  const all = countVerdicts(report.requirements).untested;
  return `${count(all, 'requirement')}${untested > 0 && untested < all ? `, ${untested} of them ${gatingWords(report, 'or')}` : ''}`;
}

/** What the verdict means for those who use the gateway, and how much it rests on. */
export const headline = (report: Report): string =>
  [
    // Of what clients of the interface meet, own statements say nothing.
    report.scope.extension === undefined && impactHeadline(impactCounts(report), report.run.mostAtOnce),
    ...[coverageSentence(report), textLimitSentence(report), repeatSentence(report)],
  ]
    .filter(Boolean)
    .join(' ');

/** From which length on texts are refused, which no requirement fails (8.4). */
function textLimitSentence({ textLimits = [] }: Report): string {
  if (textLimits.length === 0) return '';
  const paths = textLimits.map(({ protocol }) => protocolFacts[protocol].path).join(', ');
  const refused = Math.max(...textLimits.map((limit) => limit.refused));
  const answered = Math.min(...textLimits.map((limit) => limit.answered));
  return `Texts of ${refused} characters or more are refused by ${paths}, those of up to ${answered} answered: the interface names no limit.`;
}

/** `stated and derived`, or `own`: the requirements of a report that can fail. */
const gatingWords = ({ scope }: Pick<Report, 'scope'>, and: 'and' | 'or'): string =>
  scope.extension === undefined ? `stated ${and} derived` : 'own';

function coverageSentence(report: Report): string {
  const { judged, total, failed, undecided, untested } = coverage(report);
  const all = count(total, `${gatingWords(report, 'and')} requirement`);
  const of = `${judged} of ${all} ${judged === 1 ? 'was' : 'were'} judged`;
  if (judged === 0) return `None of ${all} could be judged.`;
  const rest = [
    failed === 0 ? 'none failed' : `${failed} failed`,
    ...(undecided > 0 ? [`${undecided} ${undecided === 1 ? 'is' : 'are'} undecided`] : []),
    ...(untested > 0 ? [`${untested} untested`] : []),
  ];
  return `${of}; ${rest.join(', ')}.`;
}

/** Things by a text that they have, the most frequent one first. */
export const byFrequency = <Item>(items: readonly Item[], textOf: (item: Item) => string) =>
  [...groupBy(items, textOf)].sort(([, one], [, other]) => other.length - one.length);

/** Requirements by the reason they carry, the most frequent reason first. */
export const byReason = (rows: readonly ReportRequirement[]) =>
  byFrequency(rows, ({ reason }) => reason ?? 'no reason recorded').map(([reason, requirements]) => ({
    reason,
    requirements,
  }));

export interface CaseFinding {
  readonly case: ReportCase;
  readonly finding: ReportFinding;
}

/** What the cases of a requirement found that is not a pass, failures first. */
export function findingsOf(requirement: ReportRequirement, cases: ReadonlyMap<string, ReportCase>) {
  const found = requirement.cases.flatMap((id) => {
    const outcome = cases.get(id);
    if (outcome === undefined) return [];
    return outcome.findings
      .filter((finding) => finding.requirement === requirement.id)
      .map((finding) => ({ case: outcome, finding }));
  });
  return found.sort(
    (one, other) => verdicts.indexOf(one.finding.verdict) - verdicts.indexOf(other.finding.verdict),
  );
}

export const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

/** Every id of any list, in the order of the first that has it. */
export function union<Row extends { readonly id: string }>(lists: readonly (readonly Row[])[]): Row[] {
  const rows = new Map<string, Row>();
  for (const row of lists.flat()) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}

/** Rows of two lists by what names them: pairs of those that both have, in the order of the later, and what one has alone. */
export function linedUp<Row>(before: readonly Row[], after: readonly Row[], nameOf: (row: Row) => string) {
  const named = (rows: readonly Row[]) => new Map(rows.map((row) => [nameOf(row), row]));
  const [earlier, later] = [named(before), named(after)];
  return {
    pairs: after.flatMap((row) => {
      const old = earlier.get(nameOf(row));
      return old === undefined ? [] : [[old, row] as const];
    }),
    appeared: after.filter((row) => !earlier.has(nameOf(row))),
    vanished: before.filter((row) => !later.has(nameOf(row))),
  };
}

/** The impacts of what failed in a case, or else of all that it judges; the gravest first. */
export function impactsOf(outcome: ReportCase, rows: ReadonlyMap<string, ReportRequirement>): Impact[] {
  const failed = outcome.findings.filter(({ verdict }) => verdict === 'fail');
  const ids = failed.length > 0 ? failed.map(({ requirement }) => requirement) : outcome.requirements;
  return impacts.filter((impact) => ids.some((id) => rows.get(id)?.impact === impact));
}

const findingText = ({ requirement, pointer, message, expected, actual }: ReportFinding): string =>
  `${requirement}${pointer === undefined ? '' : ` at ${pointer}`}: ${message}\n  expected: ${expected}\n  actual: ${actual}`;

/** Milliseconds that the exchanges of a case took. */
export const caseMs = (outcome: ReportCase, exchanges: ReadonlyMap<string, ReportExchange>): number =>
  outcome.exchanges.reduce((sum, id) => sum + (exchanges.get(id)?.timing.endMs ?? 0), 0);

/** The findings that decided a case, and their words with the command that reproduces it. */
export function caseDetail({ findings, verdict, reproduce }: ReportCase) {
  const deciding = findings.filter((finding) => finding.verdict === verdict);
  const parts = [...deciding.map(findingText), ...(reproduce === undefined ? [] : [reproduce])];
  return { first: deciding[0], text: parts.join('\n\n') };
}

/** Whether two suites judge alike: the same version, and the same documents to judge by. */
export const isSameSuite = (one: Report['suite'], other: Report['suite']): boolean =>
  isDeepStrictEqual(one, other);

/** What decided the run, each with its finding and all that have the same: an unreachable target gives one group. */
export function decidingFindings(report: Report) {
  const cases = byId(report.cases);
  const rows = decidingRequirements(report).map((requirement) => ({
    requirement,
    found: findingsOf(requirement, cases)[0],
  }));
  const alike = groupBy(rows, ({ requirement: { id, verdict, reason }, found }) =>
    verdict === 'fail' ? id : JSON.stringify([found?.finding.message ?? reason, found?.finding.actual]),
  );
  return [...alike.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, sameFinding: others.map(({ requirement }) => requirement) }],
  );
}

export const contradictions = ({ conflicts }: Pick<Report, 'conflicts'>): readonly ReportConflict[] =>
  conflicts.filter(({ kind }) => kind !== 'ambiguity');

/** Those of which neither reading is held: what the target does is all that there is to say. */
export const openContradictions = (report: Pick<Report, 'conflicts'>): readonly ReportConflict[] =>
  contradictions(report).filter(({ held }) => held === undefined);

/** Places of the interface that can be read in two ways. */
export const ambiguities = ({ conflicts }: Pick<Report, 'conflicts'>): readonly ReportConflict[] =>
  conflicts.filter(({ kind }) => kind === 'ambiguity');

/** The name of what of own statements a report judges; undefined where it judges the interface. */
export const partOfReport = ({ scope: { extension } }: Pick<Report, 'scope'>): string | undefined =>
  extension && partOf(extension);
