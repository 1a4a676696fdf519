import { createHash } from 'node:crypto';
import type { Report, Verdict } from '../../suites/types/report.ts';
import { diffReports, observed } from '../diff/diff.ts';
import { behavioursOf, pinKey } from '../pins/behaviours.ts';
import { linedUp, partOfReport, union } from '../report-queries.ts';
import { ownText, overallTone, utcTime } from '../wording.ts';
import { shorten } from '../../spec/text.ts';
import { visible } from '../escape.ts';

/** A run on the site: its report, and the folder of its own page. */
export interface SiteRun {
  readonly report: Report;
  /** Name of its folder under `runs/`; the same for the same run. */
  readonly folder: string;
}

/** What a site needs of a report that has its own page: 50 reports with their exchanges would fill the memory. */
export const withoutEvidence = (report: Report): Report => ({ ...report, cases: [], exchanges: [] });

/** The name of the gateway, and which of its own statements were judged, where it is not the interface. */
export const nameOf = ({ report: { target, scope } }: SiteRun): string =>
  scope.extension ? `${target.name}, ${ownText(scope.extension)}` : target.name;

/** Runs of one gateway, newest first: they share a name or an address. Own statements, and those of each path, are apart. */
export type Series = readonly SiteRun[];

/** A name for a file of a site: the id, unless that could leave the folder or hide in it. */
export const fileNameOf = (id: string): string =>
  /^[a-z0-9][a-z0-9.-]{0,99}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 16);

export const requirementPage = (id: string): string => `requirements/${fileNameOf(id)}.html`;

export const pageOf = ({ folder }: SiteRun): string => `runs/${folder}/report.html`;

const startOf = ({ report }: SiteRun): number => Date.parse(report.run.startedAt) || 0;

export const newestFirst = (runs: readonly SiteRun[]): readonly SiteRun[] =>
  [...runs].sort((one, other) => startOf(other) - startOf(one) || (one.folder < other.folder ? -1 : 1));

/** The runs by gateway, the gateway with the newest run first. Pure. */
export function seriesOf(runs: readonly SiteRun[]): readonly Series[] {
  const found: { names: Set<string>; runs: SiteRun[] }[] = [];
  for (const run of newestFirst(runs)) {
    const { name, baseUrl } = run.report.target;
    const part = partOfReport(run.report) ?? '';
    const marks = [`${part} name ${name}`, `${part} address ${baseUrl}`];
    const [first, ...others] = found.filter(({ names }) => marks.some((mark) => names.has(mark)));
    const own = first ?? { names: new Set<string>(), runs: [] };
    if (first === undefined) found.push(own);
    for (const other of others) {
      for (const mark of other.names) own.names.add(mark);
      own.runs.push(...other.runs);
      found.splice(found.indexOf(other), 1);
    }
    for (const mark of marks) own.names.add(mark);
    own.runs.push(run);
  }
  return found.map(({ runs: own }) => newestFirst(own));
}

/** Behaviours that differ from the run before, of those that are the same in each run of an unchanged target. */
function behaviourChanges(before: Report, after: Report) {
  const { pairs } = linedUp(behavioursOf(before), behavioursOf(after), pinKey);
  return pairs.flatMap(([{ value: old }, { kind, id, subject, value }]) => {
    if (kind === 'cell' || value === null || old === null || old === value) return [];
    const anchor = kind === 'conflict' ? 'part-conflicts' : `o:${id}`;
    return [{ id, anchor, subject, before: old, after: value }];
  });
}

/** What changed from one run to the next. Pure. */
export function changesOf(before: Report, after: Report) {
  const { changes: verdicts, suiteChanged, scopeChanged } = diffReports(before, after);
  // Where another version of the suite judged it, or other things were asked, differences may come from that.
  const isComparable = !suiteChanged && !scopeChanged;
  return { verdicts, behaviours: behaviourChanges(before, after), isComparable };
}
export type Changes = ReturnType<typeof changesOf>;

/** Characters of a text that the page searches and shows. */
const longest = 240;

/** A verdict as its first letter, which no two share: a run has a text with a letter for each requirement. */
export const letterOf = (verdict: Verdict): string => verdict.charAt(0);

const clean = (text: string): string => visible(shorten(text, longest));

/** What the script of the index knows, runs in the order of its table: each text once, of a run numbers and letters. */
export function siteData(runs: readonly SiteRun[]) {
  const reports = runs.map(({ report }) => report);
  const requirements = union(reports.map((report) => report.requirements));
  const shown = reports.map(observed);
  const observations = union(shown.map((one) => [...one.values()]));
  const values = new Map<string, number>();
  const placeOf = (value: string | undefined): number => {
    if (value === undefined) return -1;
    const text = clean(value);
    const place = values.get(text) ?? values.size;
    values.set(text, place);
    return place;
  };
  const verdictsOf = (report: Report): string => {
    const own = new Map(report.requirements.map(({ id, verdict }) => [id, letterOf(verdict)]));
    return requirements.map(({ id }) => own.get(id) ?? '-').join('');
  };
  return {
    runs: runs.map((run, at) => ({
      id: run.folder,
      page: pageOf(run),
      name: clean(nameOf(run)),
      time: clean(utcTime(run.report.run.startedAt)),
      tone: overallTone[run.report.verdict],
      /** A letter for each requirement, `-` where its report has none. */
      verdicts: verdictsOf(run.report),
      /** For each observation the place of its value in `values`, -1 where there is none. */
      seen: observations.map(({ id }) => placeOf(shown[at]?.get(id)?.value)),
    })),
    requirements: requirements.map(({ id, statement, sections }) => [
      id,
      clean(statement),
      sections.join(', '),
      requirementPage(id),
    ]),
    observations: observations.map(({ id, subject, section }) => [id, clean(subject), section]),
    values: [...values.keys()],
  };
}
