import { given } from '../../spec/present.ts';
import { depthIn, type ReportedDepth } from '../../suites/types/profile.ts';
import type { Report } from '../../suites/types/report.ts';
import { observed } from '../diff/diff.ts';
import { impactCounts, impactList } from '../impact.ts';
import { modelCellName } from '../models.ts';
import { byId, coverage, isSameSuite, type Unchanged, union } from '../report-queries.ts';
import { compareSections } from '../sections.ts';
import { utcTime } from '../wording.ts';

/** Names that tell the reports apart. */
function labels(reports: readonly Report[]): string[] {
  const name = ({ target }: Report) => target.name;
  const dated = (report: Report) => `${name(report)}, ${utcTime(report.run.startedAt)}`;
  const once = (all: readonly string[], one: string) => all.filter((other) => other === one).length === 1;
  const [names, dates] = [reports.map(name), reports.map(dated)];
  return reports.map((report, at) => {
    if (once(names, name(report))) return name(report);
    return once(dates, dated(report)) ? dated(report) : `${dated(report)} (${at + 1})`;
  });
}

/** The rows of all reports side by side: what each report has of a row, null where it has none, and what is said of it. */
function sideBySide<Row extends { readonly id: string }, Value, Said>(
  lists: readonly (readonly Row[])[],
  shown: (row: Row) => Value,
  said: (row: Row) => Said,
) {
  const known = lists.map(byId);
  return union(lists).map((row) => {
    const values = known.map((one) => {
      const own = one.get(row.id);
      return own === undefined ? null : shown(own);
    });
    return { id: row.id, ...said(row), values, differs: new Set(values).size > 1 };
  });
}

const inOrder = <Row extends { readonly section: string }>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((one, other) => compareSections(one.section, other.section));

const requirementRows = (reports: readonly Report[]) =>
  inOrder(
    sideBySide(
      reports.map(({ requirements }) => requirements),
      ({ verdict }) => verdict,
      ({ level, impact, statement: what, sections: [section = ''] }) =>
        given({ section, what, level, impact }),
    ),
  );

const observationRows = (reports: readonly Report[]) =>
  inOrder(
    sideBySide(
      reports.map((report) => [...observed(report).values()]),
      ({ value }) => value,
      ({ section, subject: what }) => ({ section, what }),
    ),
  );

const conflictRows = (reports: readonly Report[]) =>
  sideBySide(
    reports.map(({ conflicts }) => conflicts.filter(({ follows }) => follows !== 'not observable')),
    ({ follows }) => follows,
    ({ sections, readings }) => ({
      section: sections.join(', '),
      what: readings.map(({ label, statement }) => `${label}: ${statement}`).join(' '),
    }),
  );

const cellRows = (reports: readonly Report[]) =>
  sideBySide(
    reports.map(({ matrix }) => matrix.map((cell) => ({ ...cell, id: modelCellName(cell) }))),
    (cell) => cell.observed,
    ({ why, expectation }) => ({ section: '', what: why, expectation }),
  );

/** One of several reports; of `failed` and `total` are the requirements that can fail. */
const columnOf = (report: Report, label: string) => ({
  /** Name of the target; with its release, date or place where several have the same name. */
  label,
  baseUrl: report.target.baseUrl,
  suite: report.suite,
  runId: report.run.id,
  startedAt: report.run.startedAt,
  partial: report.run.partial,
  depth: depthIn(report.scope) as ReportedDepth,
  verdict: report.verdict,
  ...coverage(report),
  /** The failures by impact, such as `1 client, 2 lenient`. */
  failedByImpact: impactList(impactCounts(report).failed),
});

/** Puts reports side by side, one column each, in the order given. Pure. */
export function compareReports(reports: readonly Report[]) {
  const names = labels(reports);
  return {
    targets: reports.map((report, at) => columnOf(report, names[at] ?? '')),
    /** False where not all were judged by the same suite: name, version, requirements and OpenAPI document. */
    sameSuite: reports.every(({ suite }) => isSameSuite(suite, reports[0]?.suite ?? suite)),
    requirements: requirementRows(reports),
    observations: observationRows(reports),
    conflicts: conflictRows(reports),
    cells: cellRows(reports),
  };
}
export type Comparison = Unchanged<ReturnType<typeof compareReports>>;
