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
