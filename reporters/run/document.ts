import { impacts, levels } from '../../spec/vocabulary.ts';
import type { Report } from '../../suites/types/report.ts';
import type { BaselineOutcome } from '../baseline/apply.ts';
import { expectedFailures } from '../baseline/expected-failures.ts';
import { causesOf } from '../causes.ts';
import { type Block, type Document, quiet } from '../document/blocks.ts';
import type { HistoryEntry } from '../history.ts';
import { modelLines } from '../models.ts';
import {
  bySection,
  countVerdicts,
  decidingRequirements,
  type SectionRequirements,
} from '../report-queries.ts';
import { sectionTitle } from '../sections.ts';
import { familyWord, overallText, utcTime, verdicts, verdictWord } from '../wording.ts';
import {
  baselineSection,
  type CertificateMark,
  certificateSection,
  interopSection,
  pinsSection,
} from './beside.ts';
import { decisiveSection, type PlaceOf } from './cause-cards.ts';
import { type Context, isDetailed } from './context.ts';
import { matrixBlocks } from './matrix.ts';
import { modelBlocks } from './models.ts';
import { requirementEntry } from './requirement.ts';
import { countSection, openSections, retriedSections, untestedSection, verdictBlock } from './summary.ts';
import {
  ambiguitySection,
  conflictSection,
  excludedSection,
  exchangeSection,
  observationSection,
} from './tables.ts';
import { trendPicture } from './trend.ts';

/** What is shown besides the report. */
export interface Additions {
  /** Earlier runs and this one, oldest first. */
  readonly history?: readonly HistoryEntry[];
  readonly outcome?: BaselineOutcome;
  /** Where a certificate lies beside the page. */
  readonly certificate?: CertificateMark;
  /** Where the keys of the config stand, as far as that is known. */
  readonly placeOf?: PlaceOf;
}

function filters({ scope }: Report, sections: readonly SectionRequirements[]): Block {
  const same = <Name extends string>(names: readonly Name[]) => names.map((name) => [name, name] as const);
  const chapters = sections.map(({ section }) => [section, `${section} ${sectionTitle(section)}`] as const);
  const families = scope.families.map((family) => [family, familyWord[family]] as const);
  const outcomes = verdicts.map((verdict) => [verdict, verdictWord[verdict]] as const);
  return {
    kind: 'filters',
    label: 'Filter the requirements',
    noun: 'requirements',
    choices: [
      { name: 'verdict', label: 'Verdict', values: outcomes },
      { name: 'level', label: 'Level', values: same(levels) },
      { name: 'impact', label: 'Impact', values: same(impacts) },
      { name: 'section', label: 'Section', values: chapters },
      { name: 'family', label: 'Family', values: families },
    ],
  };
}

/** The requirements of a section behind one line; those that failed are shown with what stands behind them. */
function chapter(context: Context, shown: ReadonlySet<string>, part: SectionRequirements): Block {
  const { section, requirements } = part;
  const counts = countVerdicts(requirements);
  const words = verdicts.flatMap((verdict) =>
    counts[verdict] > 0 ? [`${counts[verdict]} ${verdictWord[verdict].toLowerCase()}`] : [],
  );
  const above = requirements.filter(({ id }) => shown.has(id)).length;
  const entries = requirements
    .filter(({ id }) => !shown.has(id))
    .map((row): Block => requirementEntry(context, row));
  const note = `${above} of them with what decided the verdict`;
  return {
    kind: 'fold',
    look: 'section',
    id: `section-${section}`,
    name: `${section} ${sectionTitle(section)}`,
    failed: counts.fail,
    summary: [
      `${section} ${sectionTitle(section)} `,
      { is: 'small', of: `${words.join(', ')}${above > 0 ? `; ${note}` : ''}` },
    ],
    blocks: entries,
  };
}

function requirementSection(context: Context): Block {
  const { report } = context;
  const sections = bySection(report.requirements);
  const decisive = [...causesOf(report).flatMap(({ rows }) => rows), ...decidingRequirements(report)];
  const shown = new Set(decisive.filter((row) => isDetailed(report, row) || !row.cause).map(({ id }) => id));
  return {
    kind: 'section',
    from: 'page',
    id: 'part-requirements',
    name: 'Requirements',
    title: 'Requirements by section of the interface',
    blocks: [
      ...(sections.length === 0 ? [quiet('No requirement was selected.')] : []),
      ...sections.map((part) => chapter(context, shown, part)),
    ],
  };
}

function matrixSection(context: Context): Block {
  const blocks = [...matrixBlocks(context), ...modelBlocks(context.report)];
  return {
    kind: 'section',
    from: context.report.matrix.length === 0 ? 'page' : 'summary',
    id: 'part-matrix',
    name: 'Support matrix',
    title: 'Support matrix',
    blocks,
  };
}

/** The models behind the first of each family, a line for each family; a page has their tables. */
function modelSections(report: Report): Block[] {
  const items = modelLines(report);
  if (items.length === 0) return [];
  const title = 'Further models';
  return [
    {
      kind: 'section',
      upTo: 'summary',
      id: 'part-models',
      name: title,
      title,
      blocks: items.map((item) => ({ kind: 'paragraph', text: item })),
    },
  ];
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
export function reportDocument(context: Context, additions: Additions = {}): Document {
  const { report } = context;
  const { suite, run, target, pins, interop } = report;
  const { outcome, certificate, history = [], placeOf = () => undefined } = additions;
  const trend = trendPicture(history);
  return {
    title: `${overallText(report)}: ${target.name}, conformance report`,
    printed: `${target.name.slice(0, 60)} · ${overallText(report)} · run ${run.id.slice(0, 40)}`,
    skip: { to: 'part-decisive', words: 'Skip to what decided the verdict' },
    head: [verdictBlock(report)],
    parts: [
      { ...filters(report, bySection(report.requirements)), from: 'page' },
      decisiveSection(context, expectedFailures(report, outcome), placeOf),
      ...(outcome === undefined ? [] : [baselineSection(outcome)]),
      ...(pins === undefined ? [] : [pinsSection(context, pins)]),
      ...(certificate === undefined ? [] : [certificateSection(report, certificate)]),
      countSection(report, trend),
      ...(interop === undefined || interop.length === 0 ? [] : [interopSection(interop)]),
      ...openSections(report),
      untestedSection(report),
      conflictSection(context),
      ...retriedSections(report),
      ...modelSections(report),
      matrixSection(context),
      requirementSection(context),
      ambiguitySection(context),
      observationSection(context),
      exchangeSection(context),
      excludedSection(context),
    ],
    foot: `${suite.name} ${suite.version} · run ${run.id} · ${utcTime(run.finishedAt)}. Every verdict rests on recorded exchanges; the same evidence always yields the same verdicts.`,
    data: coreOf(report),
  };
}
