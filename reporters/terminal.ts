import picocolors from 'picocolors';
import { count } from '../spec/text.ts';
import type { Report } from '../suites/types/report.ts';
import { isUnderCause } from './causes.ts';
import { terminalLine } from './escape.ts';
import { modelLines } from './models.ts';
import { interopLines } from './interop.ts';
import { renderPinsText } from './pins/view.ts';
import {
  byReason,
  decidingFindings,
  headline,
  nonGatingRequirements,
  openContradictions,
  retryReasons,
  untestedText,
  withVerdict,
} from './report-queries.ts';
import { beyondScopeLimits, scopeLimits } from './scope-limits.ts';
import { sectionList } from './sections.ts';
import { causeLines, type PlaceOf } from './terminal-causes.ts';
import { findingLines, listedLines } from './terminal-findings.ts';
import { type Layout, longest, verdictColours, wrap } from './terminal-layout.ts';
import {
  costText,
  askedText,
  nonGatingReason,
  overallTone,
  overallText,
  verdicts,
  verdictSign,
  verdictWord,
} from './wording.ts';

export interface SummaryOptions {
  readonly colour: boolean;
  /** Columns of the terminal; 100 where it is not known. */
  readonly width?: number;
  /** The outcome of the baseline, ready for a terminal. */
  readonly baseline?: string;
  /** Where the keys of the config stand, as far as that is known. */
  readonly placeOf?: PlaceOf;
  /** Where the report was written; left out where it was not. */
  readonly files?: { readonly html: string; readonly json: string };
}

/** How many are shown in full, and how many are only listed. */
const [mostDetailed, mostListed] = [8, 32];

/** What decided the verdict, in numbers: where no cause stands behind it. */
function countLines(layout: Layout, { verdict, summary, reasons }: Report): string[] {
  const ink = verdictColours(layout.colours);
  const counts = verdicts
    .filter((each) => summary[each] > 0)
    .map((each) => ink[each](`${summary[each]} ${verdictWord[each].toLowerCase()}`));
  // The headline of a conformant target says why already.
  const further = verdict === 'conformant' ? [] : reasons;
  return [
    ...further.slice(0, 6).flatMap((reason) => wrap(layout, '  ', reason)),
    `  ${counts.join(', ')}`,
    '',
  ];
}

function nonGatingLines(layout: Layout, report: Report): string[] {
  const isUnder = isUnderCause(report);
  const rows = nonGatingRequirements(report).filter((row) => !isUnder(row));
  if (rows.length === 0) return [];
  const lines = rows.map(
    ({ id, nonGating, reason }) => `${id}: ${nonGatingReason(nonGating)}${reason ? `: ${reason}` : ''}`,
  );
  return [
    `${layout.colours.yellow('?')} Inconclusive, not gating`,
    ...lines.slice(0, 8).flatMap((line) => wrap(layout, '  ', line)),
    ...more(lines.length - 8),
    '',
  ];
}

const more = (rest: number): string[] =>
  rest > 0 ? [`  and ${count(rest, 'more', 'more')} in the report`] : [];

/** The models behind the first of each family, a line for each family. */
function modelsLines(layout: Layout, report: Report): string[] {
  const lines = modelLines(report);
  if (lines.length === 0) return [];
  return ['Further models', ...lines.flatMap((line) => wrap(layout, '  ', line)), ''];
}

const followsNone = {
  mixed: 'follows one reading here and the other one there',
  neither: 'follows neither reading',
  unknown: 'could not be determined which reading it follows',
  untested: 'untested which reading it follows',
} as const;

function conflictLines(layout: Layout, report: Report): string[] {
  const conflicts = openContradictions(report);
  if (conflicts.length === 0) return [];
  const lines = conflicts.flatMap(({ readings, follows, sections }) => {
    const followed = readings.find(({ label }) => label === follows);
    const what =
      followed === undefined
        ? (Object.entries(followsNone).find(([kind]) => kind === follows)?.[1] ?? followsNone.unknown)
        : `follows ${followed.label}: ${followed.statement}`;
    return wrap(layout, '  ', `${sectionList(sections)}: ${what}`);
  });
  return [
    `${layout.colours.magenta('≠')} Contradictions of the interface, and what this target does`,
    ...lines,
    '',
  ];
}

function retryLines(layout: Layout, report: Report): string[] {
  // A report of several runs has not all of their exchanges.
  if (report.run.repeat !== undefined) return [];
  const reasons = retryReasons(report).map(({ why, times }) => `${times} × ${why}`);
  if (reasons.length === 0) return [];
  return [...wrap(layout, '– Retried: ', reasons.join(', ')), ''];
}

function untestedLines(layout: Layout, report: Report): string[] {
  const isUnder = isUnderCause(report);
  const all = withVerdict(report, 'untested');
  const untested = all.filter((row) => !isUnder(row));
  const under = all.length - untested.length;
  const lines = [
    ...scopeLimits(report),
    ...byReason(beyondScopeLimits(report, untested)).map(
      ({ reason, requirements }) => `${count(requirements.length, 'requirement')}: ${reason}`,
    ),
  ];
  if (lines.length === 0) return [];
  return [
    `${layout.colours.dim('–')} Untested: ${untestedText(report)}${under > 0 ? `, ${under} of them explained by the causes above` : ''}`,
    ...lines.slice(0, 8).flatMap((line) => wrap(layout, '  ', line)),
    ...more(lines.length - 8),
    '',
  ];
}

/** What came of a run, to be read in ten seconds; the last line is the path of the HTML report. */
export function renderSummary(
  report: Report,
  { colour, width = 100, baseline, placeOf = () => undefined, files }: SummaryOptions,
): string {
  const layout: Layout = { colours: picocolors.createColors(colour), width };
  const { colours } = layout;
  const tone = overallTone[report.verdict];
  const isUnder = isUnderCause(report);
  const causes = causeLines(layout, report, placeOf);
  const deciding = decidingFindings(report).filter(({ requirement }) => !isUnder(requirement));
  const rest = deciding
    .slice(mostDetailed)
    .flatMap(({ requirement, sameFinding }) => [requirement, ...sameFinding]);
  return [
    '',
    `${verdictColours(colours)[tone](colours.bold(`${verdictSign[tone]} ${overallText(report)}`))}  ${terminalLine(report.target.name).slice(0, longest)}`,
    ...wrap(
      layout,
      '  ',
      `${headline(report)} ${[askedText(report.scope), costText(report.run)].filter(Boolean).join('; ')}.`,
    ),
    ...(causes.length > 0 ? causes : countLines(layout, report)),
    ...deciding.slice(0, mostDetailed).flatMap((one) => findingLines(layout, one)),
    ...listedLines(layout, rest.slice(0, mostListed)),
    ...more(rest.length - mostListed),
    ...nonGatingLines(layout, report),
    ...modelsLines(layout, report),
    ...conflictLines(layout, report),
    ...retryLines(layout, report),
    ...untestedLines(layout, report),
    ...(baseline === undefined ? [] : [baseline]),
    ...(report.pins === undefined ? [] : [renderPinsText(report.pins, { colour })]),
    ...interopLines(layout, report),
    ...(files === undefined ? [] : [`${colours.dim('JSON')} ${files.json}`, files.html]),
  ].join('\n');
}
