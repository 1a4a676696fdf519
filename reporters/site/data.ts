import { shorten } from '../../spec/text.ts';
import type { Report, Verdict } from '../../suites/types/report.ts';
import { observed } from '../diff/diff.ts';
import { visible } from '../escape.ts';
import { union } from '../report-queries.ts';
import { overallTone, utcTime } from '../wording.ts';
import { nameOf, pageOf, requirementPage, type SiteRun } from './runs.ts';

/** Characters of a text that the page searches and shows. */
const longest = 240;

/** A verdict as its first letter, which no two share: a run has a text with a letter for each requirement. */
export const letterOf = (verdict: Verdict): string => verdict.charAt(0);

type Row = readonly [id: string, what: string, section: string];

/** What the script of the index knows: each text once, and of each run only numbers and letters. */
export interface SiteData {
  readonly runs: readonly {
    readonly id: string;
    readonly page: string;
    readonly name: string;
    readonly time: string;
    readonly tone: Verdict;
    /** A letter for each requirement, `-` where its report has none. */
    readonly verdicts: string;
    /** For each observation the place of its value in `values`, -1 where there is none. */
    readonly seen: readonly number[];
  }[];
  readonly requirements: readonly (readonly [...row: Row, page: string])[];
  readonly observations: readonly Row[];
  readonly values: readonly string[];
}

const clean = (text: string): string => visible(shorten(text, longest));

function verdictLetters(report: Report, ids: readonly string[]): string {
  const own = new Map(report.requirements.map(({ id, verdict }) => [id, letterOf(verdict)]));
  return ids.map((id) => own.get(id) ?? '-').join('');
}

/** The data of the index, in the order in which its table lists the runs. Pure. */
export function siteData(runs: readonly SiteRun[]): SiteData {
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
  const ids = requirements.map(({ id }) => id);
  return {
    runs: runs.map((run, at) => ({
      id: run.folder,
      page: pageOf(run),
      name: clean(nameOf(run)),
      time: clean(utcTime(run.report.run.startedAt)),
      tone: overallTone[run.report.verdict],
      verdicts: verdictLetters(run.report, ids),
      seen: observations.map(({ id }) => placeOf(shown[at]?.get(id)?.value)),
    })),
    requirements: requirements.map(
      ({ id, statement, sections }) =>
        [id, clean(statement), sections.join(', '), requirementPage(id)] as const,
    ),
    observations: observations.map(({ id, subject, section }): Row => [id, clean(subject), section]),
    values: [...values.keys()],
  };
}
