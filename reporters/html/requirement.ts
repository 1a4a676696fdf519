import type { ReportCase, ReportRequirement, RequirementRuns, Verdict } from '../../suites/types/report.ts';
import { isGatingLevel } from '../../spec/vocabulary.ts';
import { type CaseFinding, findingsOf, firstSection } from '../report-queries.ts';
import { count } from '../../spec/text.ts';
import { impactMeaning, levelText } from '../impact.ts';
import { failedRunsText, rateText } from '../repeats.ts';
import { sectionList } from '../sections.ts';
import { nonGatingReason, verdictSign, verdictWord } from '../wording.ts';
import { bodyText } from './body.ts';
import { type Context, exchangePlace, isOpen, linkTo, markedExchange } from './context.ts';
import { exchangeLinks, exchangeView, firstLinks } from './exchange.ts';
import { characterBoundary } from './json-text.ts';
import { type Html, html, prose } from './template.ts';

const mostLinks = 6;
const longest = 1200;
const longestTitle = 200;
const excerptLimit = 700;

/** The text, cut where it is long. */
export const clip = (text: string, length = longest): string =>
  text.length > length ? `${text.slice(0, characterBoundary(text, length))}… (shortened)` : text;

/** A verdict as sign and word, coloured as well. */
export const badge = (verdict: Verdict, word = verdictWord[verdict]): Html =>
  html`<span class="v ${verdict}"><span aria-hidden="true">${verdictSign[verdict]}</span> ${word}</span>`;

/** A command that can be copied; nothing where there is none. */
export const command = (reproduce: string | undefined): Html | null =>
  reproduce === undefined ? null : html`<pre class="curl" data-copy>${reproduce}</pre>`;

function excerpt(context: Context, { case: outcome, finding }: CaseFinding): Html | null {
  const marked = markedExchange(outcome, finding, context.exchanges);
  const body = marked === null ? undefined : context.exchanges.get(marked.id)?.response?.body;
  if (marked === null || body === undefined || finding.pointer === undefined) return null;
  const where = marked.exact ? 'marked below' : 'missing from what is marked below';
  return html`<figure class="excerpt"><figcaption><code>${finding.pointer}</code> is ${where}, in the reply of ${exchangeLinks(context, [marked.id])}</figcaption><pre>${bodyText(body, [finding.pointer], excerptLimit)}</pre></figure>`;
}

function evidence(context: Context, requirement: ReportRequirement, outcome: ReportCase): Html {
  const here = outcome.exchanges.filter(
    (id) => context.placeOfExchange.get(id) === exchangePlace(requirement, outcome),
  );
  const elsewhere = outcome.exchanges.filter((id) => !here.includes(id));
  // Where no value of the reply is marked, the whole of it is what was found.
  const unmarked = new Set(
    outcome.findings.filter(({ pointer }) => pointer === undefined).map((finding) => finding.exchange),
  );
  const views = here.flatMap((id) => {
    const exchange = context.exchanges.get(id);
    return exchange === undefined ? [] : [exchangeView(context, exchange, unmarked.has(id))];
  });
  const links =
    elsewhere.length > 0 &&
    html`<p class="see">Exchanges shown elsewhere: ${exchangeLinks(context, elsewhere)}</p>`;
  return html`${views}${links}`;
}

function findingView(
  context: Context,
  requirement: ReportRequirement,
  found: CaseFinding,
  isFirst: boolean,
): Html {
  const { case: outcome, finding } = found;
  return html`<div class="finding ${finding.verdict}">
<p class="case"><span>Case</span> ${clip(outcome.title, longestTitle)}</p>
<p class="message">${clip(finding.message)}</p>
<dl class="against"><div><dt>Expected</dt><dd>${clip(finding.expected)}</dd></div><div><dt>Observed</dt><dd>${clip(finding.actual)}</dd></div></dl>
${excerpt(context, found)}${isFirst && html`${command(outcome.reproduce)}${evidence(context, requirement, outcome)}`}</div>
`;
}

/** Findings with their evidence; what belongs to a case is shown with the first finding of it. */
function findingList(context: Context, requirement: ReportRequirement, found: readonly CaseFinding[]): Html {
  const shown = found.slice(0, context.limits.findings);
  const rest = found.slice(context.limits.findings);
  const views = shown.map((one, at) =>
    findingView(context, requirement, one, shown.findIndex((other) => other.case === one.case) === at),
  );
  const restCases = [...new Set(rest.map((one) => one.case))].filter(
    (outcome) => !shown.some((one) => one.case === outcome),
  );
  return html`${views}${
    rest.length > 0 &&
    html`<div class="finding"><p class="case">${count(rest.length, 'more finding')} of the same requirement, in full in report.json</p>${restCases.map((outcome) => html`<p class="see">${clip(outcome.title, longestTitle)}</p>${evidence(context, requirement, outcome)}`)}</div>`
  }`;
}

function caseLine(context: Context, requirement: ReportRequirement, id: string): Html {
  const outcome = context.cases.get(id);
  if (outcome === undefined) return html`<li><code>${id}</code>: not in this report</li>`;
  // What is not failed is shown by its exchanges; a command for each would make the page half as large again.
  const hasPassed = outcome.passed.includes(requirement.id) && isGatingLevel(requirement.level);
  const verdict = hasPassed ? 'pass' : outcome.verdict;
  return html`<li>${badge(verdict)} ${clip(outcome.title, longestTitle)}${outcome.exchanges.length > 0 && html` <span class="see">${firstLinks(context, outcome.exchanges, mostLinks)}</span>`}</li>`;
}

function caseList(context: Context, requirement: ReportRequirement, ids: readonly string[]): Html | null {
  if (ids.length === 0) return null;
  return html`<ul class="cases">${ids.map((id) => caseLine(context, requirement, id))}</ul>`;
}

function familiesOf(context: Context, requirement: ReportRequirement): string {
  const found = requirement.cases.flatMap((id) => context.cases.get(id)?.cell?.family ?? []);
  return [...new Set(found)].join(' ');
}

/** Links to what showed a failure in the first runs that have it; the report holds no exchanges of the others. */
function failedExchanges(context: Context, { failures }: RequirementRuns): Html | null {
  const held = failures.flatMap(({ exchanges }) => exchanges).filter((id) => context.exchanges.has(id));
  return held.length === 0
    ? null
    : html`<span class="see">Exchanges: ${firstLinks(context, held, mostLinks)}</span>`;
}

function detail(context: Context, requirement: ReportRequirement): Html {
  const found = findingsOf(requirement, context.cases);
  const open = isOpen(context.report, requirement);
  const rest = open
    ? requirement.cases.filter((id) => !found.some((one) => one.case.id === id))
    : requirement.cases;
  const { reason, reading, sections, id, impact, cause, runs } = requirement;
  return html`<div class="body">${reading !== undefined && html`<p><b>Reading held:</b> ${prose(reading)}</p>`}
${open && impact !== undefined && html`<p><b>Impact:</b> ${impact}. ${impactMeaning[impact]}</p>`}
${runs !== undefined && runs.failed > 0 && html`<p><b>Runs:</b> ${rateText(requirement)}: ${failedRunsText(runs)}. ${failedExchanges(context, runs)}</p>`}
${cause !== undefined && html`<p><b>Cause:</b> <a href="#part-decisive"><code>${cause}</code></a></p>`}
${reason !== undefined && (!open || found.length === 0) && html`<p><b>Why:</b> ${clip(reason)}</p>`}
${open && findingList(context, requirement, found)}
${open && rest.length > 0 && html`<p class="tag">Other cases</p>`}${caseList(context, requirement, rest)}
<p class="see">Interface ${sectionList(sections)} · <a href="${linkTo(id)}">Link to this requirement</a></p></div>`;
}

/** A requirement with its verdict: one line where it is kept, open with its evidence where it is not. */
export function requirementView(context: Context, requirement: ReportRequirement): Html {
  const { id, verdict, level, impact, statement, nonGating } = requirement;
  const note =
    nonGating === undefined
      ? null
      : html` <span class="non-gating">not gating: ${nonGatingReason(nonGating)}</span>`;
  const rate = rateText(requirement);
  return html`<details class="req ${verdict}" id="${id}" data-verdict="${verdict}" data-level="${level}" data-impact="${impact ?? ''}" data-section="${firstSection(requirement)}" data-family="${familiesOf(context, requirement)}"${isOpen(context.report, requirement) ? openAttribute : null}><summary>${badge(verdict)}<h4>${prose(statement)}</h4><span class="meta"><code>${id}</code> <span>${levelText(requirement)}</span>${rate !== undefined && html` <span>${rate}</span>`}${note}</span></summary>
${detail(context, requirement)}</details>
`;
}

const openAttribute = html` open`;
