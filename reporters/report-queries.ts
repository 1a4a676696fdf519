import { count } from '../spec/text.ts';
import * as vocabulary from '../spec/vocabulary.ts';
import { isGatingLevel, type Level, levels } from '../spec/vocabulary.ts';
import { isGating } from '../suites/model/gating.ts';
import type {
  Report,
  ReportCase,
  ReportCell,
  ReportFinding,
  ReportRequirement,
  Verdict,
} from '../suites/model/report.ts';
import { retryCauseWords } from '../suites/model/reasons/exchange-words.ts';
import { compareSections } from './sections.ts';
import { verdicts } from './wording.ts';

/** What several renderings want to know of a report; pure selections, no judging. */

const weight = (requirement: ReportRequirement): number =>
  isGating(requirement) ? 0.5 : verdicts.indexOf(requirement.verdict);

/** Worst first; the order of the register otherwise. */
const worstFirst = (requirements: readonly ReportRequirement[]): ReportRequirement[] =>
  requirements
    .map((requirement, at) => ({ requirement, at }))
    .sort((one, other) => weight(one.requirement) - weight(other.requirement) || one.at - other.at)
    .map(({ requirement }) => requirement);

/** The section that a requirement is shown under: the first it names. */
export const firstSection = (requirement: { readonly sections: readonly string[] }): string =>
  requirement.sections[0] ?? '';

export interface SectionRequirements {
  readonly section: string;
  readonly requirements: readonly ReportRequirement[];
}

/** Requirements by the section they are shown under, in the order of the interface. */
export function bySection(requirements: readonly ReportRequirement[]): SectionRequirements[] {
  const sections = [...new Set(requirements.map(firstSection))].sort(compareSections);
  return sections.map((section) => ({
    section,
    requirements: worstFirst(requirements.filter((requirement) => firstSection(requirement) === section)),
  }));
}

export const withVerdict = (report: Report, verdict: Verdict): ReportRequirement[] =>
  bySection(report.requirements)
    .flatMap((part) => part.requirements)
    .filter((requirement) => requirement.verdict === verdict);

export type Counts = Readonly<Record<Verdict, number>>;

export function countVerdicts(requirements: readonly ReportRequirement[]): Counts {
  const counts = { pass: 0, fail: 0, inconclusive: 0, untested: 0, observed: 0, conflict: 0 };
  for (const { verdict } of requirements) counts[verdict] += 1;
  return counts;
}

/** Counts of requirements by level and verdict, levels without a row left out. */
export const countLevels = (
  report: Report,
): { readonly level: Level; readonly counts: Counts; readonly total: number }[] =>
  levels
    .map((level) => report.requirements.filter((requirement) => requirement.level === level))
    .flatMap((rows) =>
      rows[0] === undefined
        ? []
        : [{ level: rows[0].level, counts: countVerdicts(rows), total: rows.length }],
    );

/** How many of the requirements that can fail were judged one way or the other. */
export function coverage(report: Report): {
  readonly judged: number;
  readonly total: number;
  readonly failed: number;
} {
  const rows = report.requirements.filter(({ level }) => isGatingLevel(level));
  const { pass, fail } = countVerdicts(rows);
  return { judged: pass + fail, total: rows.length, failed: fail };
}

/** The verdict in one sentence with numbers. */
export function headline(report: Report): string {
  const { judged, total, failed } = coverage(report);
  const of = `${judged} of ${count(total, 'stated and derived requirement')} ${judged === 1 ? 'was' : 'were'} judged`;
  if (judged === 0) return `None of ${count(total, 'stated and derived requirement')} could be judged.`;
  return failed === 0 ? `${of}; none failed.` : `${of}; ${failed} failed.`;
}

export interface ReasonGroup {
  readonly reason: string;
  readonly requirements: readonly ReportRequirement[];
}

/** Requirements by the reason they carry, the most frequent reason first. */
export function byReason(requirements: readonly ReportRequirement[]): ReasonGroup[] {
  const reasons = [...new Set(requirements.map(({ reason }) => reason ?? 'no reason recorded'))];
  return reasons
    .map((reason) => ({
      reason,
      requirements: requirements.filter(
        (requirement) => (requirement.reason ?? 'no reason recorded') === reason,
      ),
    }))
    .sort((one, other) => other.requirements.length - one.requirements.length);
}

/** Why attempts were sent again, the most frequent first: what a target gave now and then, and no verdict shows. */
export function retryReasons({ exchanges }: Pick<Report, 'exchanges'>): { why: string; times: number }[] {
  const times = new Map<string, number>();
  for (const { retry } of exchanges.flatMap(({ attempts }) => attempts)) {
    if (retry === undefined) continue;
    const why = retryCauseWords(retry);
    times.set(why, (times.get(why) ?? 0) + 1);
  }
  return [...times]
    .map(([why, count]) => ({ why, times: count }))
    .sort((one, other) => other.times - one.times);
}

export interface CaseFinding {
  readonly case: ReportCase;
  readonly finding: ReportFinding;
}

/** What the cases of a requirement found that is not a pass, failures first. */
export function findingsOf(
  requirement: ReportRequirement,
  cases: ReadonlyMap<string, ReportCase>,
): CaseFinding[] {
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

/** What a square of the matrix amounts to; colours and signs follow it. */
export function cellTone(cell: ReportCell): Verdict {
  if (cell.observed === 'not sent') return 'untested';
  if (cell.expectation === 'conflict') return 'conflict';
  if (cell.observed === 'unknown') return 'inconclusive';
  if (cell.expectation === 'unspecified') return 'observed';
  return cell.expectation === cell.observed ? 'pass' : 'fail';
}

/** What the run was limited to: axes of the selection with what was chosen on each. */
export const selectedAxes = ({ scope }: Pick<Report, 'scope'>): [axis: string, values: readonly string[]][] =>
  Object.entries(scope.selection).filter(([, values]) => values.length > 0);

/** A run of the whole interface, as far as it is declared: neither selected nor stopped. */
export const isFullRun = (report: Pick<Report, 'scope' | 'run'>): boolean =>
  selectedAxes(report).length === 0 && !report.run.partial;

/** What the run was asked to leave out: selection, undeclared families, groups and tokens, a stop. */
export function scopeLimits(report: Report): string[] {
  const { families, groups, rateLimited } = report.scope;
  const missing = (all: readonly string[], declared: readonly string[]) =>
    all.filter((name) => !declared.includes(name));
  const noFamilies = missing(vocabulary.families, families);
  const noGroups = missing(vocabulary.groups, groups);
  return [
    ...(report.run.partial ? ['The run was stopped before it was complete.'] : []),
    ...selectedAxes(report).map(
      ([axis, values]) => `Only ${axis} ${values.join(', ')}: the run was limited to it.`,
    ),
    ...(noFamilies.length > 0 ? [`No model declared for ${noFamilies.join(', ')}.`] : []),
    ...(noGroups.length > 0 ? [`No token declared for the group ${noGroups.join(', ')}.`] : []),
    ...(rateLimited ? [] : ['No rate-limited token declared, so rate-limit errors were not tested.']),
  ];
}
