import { count } from '../../spec/text.ts';
import { impacts, levels } from '../../spec/vocabulary.ts';
import type { Report } from '../../suites/types/report.ts';
import type { BaselineOutcome } from '../baseline/apply.ts';
import { expectedFailures } from '../baseline/expected-failures.ts';
import { scriptJson } from '../escape.ts';
import type { HistoryEntry } from '../history.ts';
import { causesOf } from '../causes.ts';
import { bySection, countVerdicts, type SectionRequirements } from '../report-queries.ts';
import { sectionTitle } from '../sections.ts';
import { familyWord, overallText, utcTime, verdicts, verdictWord } from '../wording.ts';
import { baselineView } from './baseline.ts';
import { type CertificateMark, certificateView } from './certificate.ts';
import { causeList } from './causes.ts';
import { type Context, contextOf, detailLevels, mostDetail } from './context.ts';
import { interopView } from './interop.ts';
import { matrixGrid } from './matrix.ts';
import { modelGrids, withoutPassedModels } from './models.ts';
import { renderPage } from './page.ts';
import { pinsView } from './pins.ts';
import { requirementView } from './requirement.ts';
import { script } from './script.ts';
import { countTable, decidingList, reportHeader, untestedView } from './summary.ts';
import { ambiguityList, conflictList, exchangeList, excludedTable, observationTable } from './tables.ts';
import { Html, html } from './template.ts';
import { trendStyle, trendView } from './trend.ts';

type Choices = readonly (readonly [value: string, word: string])[];

const wordsOf = <Name extends string>(
  names: readonly Name[],
  words: Readonly<Record<Name, string>>,
): Choices => names.map((name) => [name, words[name]]);

/** Shown by the script: without it there is nothing to filter with. */
function filters(report: Report, sections: readonly SectionRequirements[]): Html {
  const select = (name: string, label: string, values: Choices) =>
    html`<label>${label} <select name="${name}"><option value="">all</option>${values.map(([value, word]) => html`<option value="${value}">${word}</option>`)}</select></label>`;
  const choices = sections.map(({ section }) => [section, `${section} ${sectionTitle(section)}`] as const);
  return html`<form id="filters" hidden aria-label="Filter the requirements">
${select('verdict', 'Verdict', wordsOf(verdicts, verdictWord))}
${select(
  'level',
  'Level',
  levels.map((level) => [level, level]),
)}
${select(
  'impact',
  'Impact',
  impacts.map((impact) => [impact, impact]),
)}
${select('section', 'Section', choices)}
${select('family', 'Family', wordsOf(report.scope.families, familyWord))}
<span class="buttons"><button type="button" id="unfold">Open all shown</button> <button type="reset">Clear</button></span><output id="shown" aria-live="polite"></output></form>`;
}

function sectionView(context: Context, { section, requirements }: SectionRequirements): Html {
  const counts = countVerdicts(requirements);
  const words = verdicts.flatMap((verdict) =>
    counts[verdict] > 0 ? [`${counts[verdict]} ${verdictWord[verdict].toLowerCase()}`] : [],
  );
  return html`<section class="sec" id="section-${section}"><h3><span>${section}</span> ${sectionTitle(section)} <small>${words.join(', ')}</small></h3>
${requirements.map((requirement) => requirementView(context, requirement))}</section>
`;
}

function contents(
  sections: readonly SectionRequirements[],
  outcome: BaselineOutcome | undefined,
  { pins, interop }: Report,
): Html {
  const lines = sections.map(({ section, requirements }) => {
    const failed = countVerdicts(requirements).fail;
    return html`<li><a href="#section-${section}">${section} ${sectionTitle(section)}</a>${failed > 0 && html` <b class="failed">${failed}<span class="sr"> failed</span></b>`}</li>`;
  });
  return html`<nav class="toc" aria-label="Contents"><ol><li><a href="#part-counts">Summary</a></li><li><a href="#part-decisive">What decided it</a></li>${outcome !== undefined && html`<li><a href="#part-baseline">Expected failures</a></li>`}${pins !== undefined && html`<li><a href="#part-pins">Pinned behaviour</a></li>`}${interop !== undefined && html`<li><a href="#part-interop">Official clients</a></li>`}<li><a href="#part-untested">Untested</a></li><li><a href="#part-conflicts">Conflicts</a></li><li><a href="#part-matrix">Support matrix</a></li><li><a href="#part-requirements">Requirements</a><ol>${lines}</ol></li><li><a href="#part-ambiguities">Ambiguities</a></li><li><a href="#part-observations">Observations</a></li><li><a href="#part-exchanges">Exchanges</a></li><li><a href="#part-excluded">Excluded</a></li></ol></nav>`;
}

const partView = (name: string, title: string, body: Html): Html =>
  html`<section class="part" id="part-${name}"><h2>${title}</h2>${body}</section>
`;

/** What a machine may want of this document when report.json is not at hand. */
const machineSummary = ({
  schemaVersion,
  suite,
  target,
  run,
  verdict,
  summary,
  requirements,
}: Report): Html =>
  new Html(
    scriptJson({
      schemaVersion,
      suite,
      target,
      run,
      verdict,
      summary,
      requirements: requirements.map(({ id, verdict: own }) => [id, own]),
    }),
  );

function main(
  context: Context,
  sections: readonly SectionRequirements[],
  outcome: BaselineOutcome | undefined,
): Html {
  const { report } = context;
  const requirements = html`${filters(report, sections)}${sections.length === 0 && html`<p class="quiet">No requirement was selected.</p>`}${sections.map((one) => sectionView(context, one))}`;
  return html`<main>
${partView('counts', 'Summary', countTable(report))}
${causesOf(report).length === 0 && partView('decisive', 'What decided the verdict', decidingList(report, expectedFailures(report, outcome)))}
${outcome !== undefined && partView('baseline', 'Expected failures', baselineView(outcome))}
${report.pins !== undefined && partView('pins', 'Pinned behaviour', pinsView(context, report.pins))}
${report.interop !== undefined && partView('interop', 'Official clients', interopView(report.interop))}
<div class="two">${partView('untested', 'What is untested, and why', untestedView(report))}${partView('conflicts', 'Contradictions of the interface', conflictList(context))}</div>
${partView('matrix', 'Support matrix', html`${matrixGrid(context)}${modelGrids(report)}`)}
${partView('requirements', 'Requirements by section of the interface', requirements)}
${partView('ambiguities', 'Ambiguities of the interface', ambiguityList(context))}
${partView('observations', 'Observed behaviour that the interface does not specify', observationTable(context))}
${partView('exchanges', `Recorded exchanges (${count(report.exchanges.length, 'exchange')})`, exchangeList(context))}
${partView('excluded', 'Excluded statements', excludedTable(context))}
</main>`;
}

/** What is shown besides the report: earlier runs and this one, oldest first, and the outcome of a baseline. */
interface HistoryAndBaseline {
  readonly history?: readonly HistoryEntry[];
  readonly outcome?: BaselineOutcome;
  /** Where a certificate lies beside the page. */
  readonly certificate?: CertificateMark;
}

/** Bytes that the document may have: it fits into a mail, and a browser opens it fast. */
const mostBytes = 980_000;

/**
 * The report as one self-contained HTML document: no network, no need of scripts, and nothing that a
 * target sent can act in it. Bodies are shortened, and fewer findings shown in full, until it is small enough.
 */
export function renderHtml(report: Report, additions: HistoryAndBaseline = {}): string {
  const context = contextOf(withoutPassedModels(report));
  const pageAt = (level: number): string =>
    documentOf({ ...context, limits: detailLevels[level] ?? mostDetail }, additions);
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

const isSmall = (page: string): boolean => Buffer.byteLength(page) <= mostBytes;

function documentOf(context: Context, additions: HistoryAndBaseline): string {
  const { report } = context;
  const sections = bySection(report.requirements);
  const { suite, run, target } = report;
  const { outcome, certificate } = additions;
  const trend = trendView(additions.history ?? []);
  const body = html`<a class="skip" href="#part-decisive">Skip to what decided the verdict</a>
<div class="page">${reportHeader(report, trend, outcome, causeList(context, expectedFailures(report, outcome)), certificate === undefined ? null : certificateView(report, certificate))}${contents(sections, outcome, report)}${main(context, sections, outcome)}
<footer><p>${suite.name} ${suite.version} · run ${run.id} · ${utcTime(run.finishedAt)}. Every verdict rests on recorded exchanges; the same evidence always yields the same verdicts.</p></footer></div>
<script type="application/json" id="report-core">${machineSummary(report)}<\/script>`;
  const title = `${overallText(report)}: ${target.name}, conformance report`;
  const footer = `${target.name.slice(0, 60)} · ${overallText(report)} · run ${run.id.slice(0, 40)}`;
  return renderPage({ title, body, script, footer, ...(trend === null ? {} : { extraStyle: trendStyle }) });
}
