import { impacts, levels } from '../../spec/vocabulary.ts';
import type { Report } from '../../suites/types/report.ts';
import type { BaselineOutcome } from '../baseline/apply.ts';
import { expectedFailures } from '../baseline/expected-failures.ts';
import { decisiveRows, type PlaceOf } from '../causes.ts';
import { type Block, type Document, paragraph, quiet, section, small } from '../document/blocks.ts';
import type { HistoryEntry } from '../history.ts';
import { modelLines, modelBlocks, withoutPassedModels } from '../models.ts';
import { bySection, countVerdicts } from '../report-queries.ts';
import type { SectionRequirements } from '../report-queries.ts';
import { sectionTitle } from '../sections.ts';
import { familyWord, overallText, utcTime, verdicts, verdictWord } from '../wording.ts';
import {
  againSection,
  baselineSection,
  type CertificateMark,
  certificateSection,
  interopSection,
  ownSection,
  pinsSection,
} from './beside.ts';
import { decisiveSection } from './cause-cards.ts';
import { type Context, isDetailed, contextOf, detailLevels, mostDetail } from './context.ts';
import { matrixBlocks } from './matrix.ts';
import { requirementEntry } from './requirement.ts';
import {
  countSection,
  openSection,
  provisionalSection,
  wireSections,
  untestedSection,
  verdictBlock,
} from './summary.ts';
import {
  ambiguitySection,
  conflictSection,
  excludedSection,
  exchangeSection,
  observationSection,
} from './tables.ts';
import { trendPicture } from '../pictures.ts';
import { printMarkdown } from '../document/markdown.ts';
import { printTerminal } from '../document/terminal.ts';
import { printPage } from '../html/page.ts';

/** What is shown besides the report. */
export interface Additions {
  /** Earlier runs and this one, oldest first. */
  readonly history?: readonly HistoryEntry[] | undefined;
  readonly outcome?: BaselineOutcome | undefined;
  /** Folders beside the page in which own statements are judged apart. */
  readonly own?: readonly string[] | undefined;
  /** Where a certificate lies beside the page. */
  readonly certificate?: CertificateMark | undefined;
  /** Where the keys of the config stand, as far as that is known. */
  readonly placeOf?: PlaceOf;
}

function filters({ scope, requirements }: Report, sections: readonly SectionRequirements[]): Block {
  const same = <Name extends string>(names: readonly Name[]) => names.map((name) => [name, name] as const);
  const chapters = sections.map(({ section: own }) => [own, `${own} ${sectionTitle(own)}`] as const);
  const families = scope.families.map((family) => [family, familyWord[family]] as const);
  const found = levels.filter((level) => requirements.some((row) => row.level === level));
  const outcomes = verdicts.map((verdict) => [verdict, verdictWord[verdict]] as const);
  return {
    kind: 'filters',
    label: 'Filter the requirements',
    noun: 'requirements',
    choices: [
      { name: 'verdict', label: 'Verdict', values: outcomes },
      { name: 'level', label: 'Level', values: same(found) },
      { name: 'impact', label: 'Impact', values: same(impacts) },
      { name: 'section', label: 'Section', values: chapters },
      { name: 'family', label: 'Family', values: families },
    ],
  };
}

/** The requirements of a section behind one line; those that failed are shown with what stands behind them. */
function chapter(
  context: Context,
  shown: ReadonlySet<string>,
  { section: own, requirements }: SectionRequirements,
): Block {
  const counts = countVerdicts(requirements);
  const words = verdicts.flatMap((verdict) =>
    counts[verdict] > 0 ? [`${counts[verdict]} ${verdictWord[verdict].toLowerCase()}`] : [],
  );
  const above = requirements.filter(({ id }) => shown.has(id)).length;
  const note = above > 0 && `; ${above} of them with what decided the verdict`;
  const name = `${own} ${sectionTitle(own)}`;
  return {
    kind: 'fold',
    look: 'section',
    id: `section-${own}`,
    name,
    failed: counts.fail,
    summary: [`${name} `, small([words.join(', '), note])],
    blocks: requirements.filter(({ id }) => !shown.has(id)).map((line) => requirementEntry(context, line)),
  };
}

function requirementSection(context: Context): Block {
  const { report } = context;
  const sections = bySection(report.requirements);
  const decisive = decisiveRows(report).filter((line) => isDetailed(report, line) || !line.cause);
  const shown = new Set(decisive.map(({ id }) => id));
  return section(
    ['part-requirements', 'Requirements', 'Requirements by section of the interface'],
    sections.length === 0
      ? [quiet('No requirement was selected.')]
      : sections.map((part) => chapter(context, shown, part)),
    { from: 'page' },
  );
}

const matrixSection = (context: Context): Block =>
  section(
    ['part-matrix', 'Support matrix', 'Support matrix'],
    [...matrixBlocks(context), ...modelBlocks(context.report)],
    { from: context.report.matrix.length === 0 ? 'page' : 'summary' },
  );

/** The models behind the first of each family, a line for each family; a page has their tables. */
function modelSection(report: Report): Block | false {
  const lines = modelLines(report).map((text) => paragraph(text));
  const title = 'Further models';
  return lines.length > 0 && section(['part-models', title, title], lines, { upTo: 'summary' });
}

/** What a machine may want of a page when report.json is not at hand. */
const coreOf = ({ schemaVersion, suite, target, run, verdict, summary, requirements }: Report) => ({
  schemaVersion,
  suite,
  target,
  run,
  verdict,
  summary,
  requirements: requirements.map(({ id, verdict: own }) => [id, own]),
});

/** The judged run as one document: what decided it first. Pure. */
function reportDocument(context: Context, additions: Additions = {}): Document {
  const { report } = context;
  const { suite, run, target, pins, interop = [] } = report;
  const { outcome, certificate, own = [], history = [], placeOf = () => undefined } = additions;
  const trend = trendPicture(history);
  // What only the text of the interface has.
  const isOfInterface = report.scope.extension === undefined;
  return {
    title: `${overallText(report)}: ${target.name}, conformance report`,
    printed: `${target.name.slice(0, 60)} · ${overallText(report)} · run ${run.id.slice(0, 40)}`,
    skip: { to: 'part-decisive', words: 'Skip to what decided the verdict' },
    head: [verdictBlock(report)],
    parts: [
      { ...filters(report, bySection(report.requirements)), from: 'page' },
      againSection(report),
      decisiveSection(context, expectedFailures(report, outcome), placeOf),
      outcome && baselineSection(outcome),
      pins && pinsSection(context, pins),
      certificate && certificateSection(report, certificate),
      own.length > 0 && ownSection(own),
      countSection(report, trend),
      interop.length > 0 && interopSection(interop),
      openSection(report),
      provisionalSection(report),
      untestedSection(report),
      isOfInterface && conflictSection(context),
      ...wireSections(report),
      modelSection(report),
      matrixSection(context),
      requirementSection(context),
      isOfInterface && ambiguitySection(context),
      observationSection(context),
      exchangeSection(context),
      isOfInterface && excludedSection(context),
    ],
    foot: `${suite.name} ${suite.version} · run ${run.id} · ${utcTime(run.finishedAt)}. Every verdict rests on recorded exchanges; the same evidence always yields the same verdicts.`,
    data: coreOf(report),
  };
}

/** The judged run as a page, a summary in Markdown, and on a terminal. */

/** Bytes that a page may have: it fits into a mail, and a browser opens it fast. */
const mostBytes = 980_000;

const isSmall = (page: string): boolean => Buffer.byteLength(page) <= mostBytes;

/** The report as one HTML document, shortened until it is small enough; nothing that a target sent can act in it. */
export function renderHtml(report: Report, additions: Additions = {}): string {
  const context = contextOf(withoutPassedModels(report));
  const pageAt = (level: number): string =>
    printPage(reportDocument({ ...context, limits: detailLevels[level] ?? mostDetail }, additions));
  const whole = pageAt(0);
  if (isSmall(whole)) return whole;
  // Between the level that is too much and the one that may do: each page costs as much as all else that is written.
  let [above, below] = [0, detailLevels.length - 1];
  let page = pageAt(below);
  while (isSmall(page) && below - above > 1) {
    const middle = (above + below) >> 1;
    const tried = pageAt(middle);
    if (isSmall(tried)) [below, page] = [middle, tried];
    else above = middle;
  }
  return page;
}

/** The report as a summary in Markdown for a pull request or a step summary; under 60 KB, and it says what was cut. */
export const renderMarkdown = (report: Report, additions: Additions = {}): string =>
  printMarkdown(reportDocument(contextOf(report), additions), {
    bytes: 60_000,
    rest: 'report.html and report.json have all of it.',
  });

export interface SummaryOptions extends Additions {
  readonly colour: boolean;
  /** Columns of the terminal; 100 where it is not known. */
  readonly width?: number | undefined;
  /** Where the report was written; left out where it was not. */
  readonly files?: { readonly html: string; readonly json: string } | undefined;
}

/** What came of a run, to be read in ten seconds; the last line is the path of the HTML report. */
export function renderSummary(report: Report, { colour, width, files, ...additions }: SummaryOptions) {
  const lines = printTerminal(reportDocument(contextOf(report), additions), colour, width);
  return ['', ...lines, ...(files === undefined ? [] : [`JSON ${files.json}`, files.html])].join('\n');
}
