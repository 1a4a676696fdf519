import { count, shorten } from '../../spec/text.ts';
import type { ReportConflict } from '../../suites/types/report.ts';
import { ambiguities, contradictions, firstSection, openContradictions } from '../report-queries.ts';
import { compareSections, sectionList, sectionTitle } from '../sections.ts';
import { type Context, requirementLink } from './context.ts';
import { exchangeLinks, exchangeView, firstLinks, omittedHeaders } from './exchange.ts';
import { type Html, html, prose } from './template.ts';

/** Which reading of a contradiction or an ambiguity the target follows. */
export const followsText: Readonly<Record<ReportConflict['follows'], string>> = {
  A: 'follows reading A',
  B: 'follows reading B',
  mixed: 'follows one reading here and the other one there',
  neither: 'follows neither reading',
  unknown: 'could not be determined',
  untested: 'was not tested',
  'not observable': 'does not show which reading it follows',
};

/** One entry of the catalogue: both readings, the one that is held, and what this target does. */
function conflictView(context: Context, entry: ReportConflict): Html {
  const { id, sections, readings, held, why, follows, exchanges, observations = [] } = entry;
  const text = ({ requirement, statement }: ReportConflict['readings'][number]): Html =>
    requirement === undefined ? prose(statement) : requirementLink(context, requirement, prose(statement));
  return html`<div class="conflict-item"><p><code>${id}</code> <span class="meta">${sectionList(sections)}</span></p><ol>${readings.map(
    (reading) =>
      html`<li class="${reading.label === follows ? 'followed' : 'other'}"><b>${reading.label}</b> <span>${text(reading)} <span class="meta">${sectionList(reading.sections)}</span></span>${reading.label === follows && html` <span class="v conflict">followed</span>`}</li>`,
  )}</ol>${why !== undefined && html`<p>${held === undefined ? '' : html`Judged by reading <b>${held}</b>. `}${prose(why)}</p>`}<p>This target <b>${followsText[follows]}</b>.${held === undefined && ' Neither reading is failed.'}${exchanges.length > 0 && html` <span class="see">Seen in ${exchangeLinks(context, exchanges)}</span>`}${observations.length > 0 && html` <span class="see">${count(observations.length, 'observation')}: ${observations.slice(0, 3).map((one, at) => html`${at > 0 && ', '}<a href="#o:${one}">${one}</a>`)}</span>`}</p></div>`;
}

const fold = (context: Context, entries: readonly ReportConflict[], what: string): Html =>
  html`<details class="fold"><summary>${what}</summary>${entries.map((entry) => conflictView(context, entry))}</details>`;

/** Contradictions of the interface; those of which one reading is held behind one line. */
export function conflictList(context: Context): Html {
  const entries = contradictions(context.report);
  if (entries.length === 0) return html`<p class="quiet">None was tested.</p>`;
  const open = openContradictions(context.report);
  const settled = entries.filter((entry) => !open.includes(entry));
  return html`${open.map((entry) => conflictView(context, entry))}${settled.length > 0 && fold(context, settled, `${count(settled.length, 'more contradiction')}, where one reading is held`)}`;
}

/** Places that can be read in two ways, behind one line. */
export function ambiguityList(context: Context): Html {
  const entries = ambiguities(context.report);
  if (entries.length === 0) return html`<p class="quiet">None is recorded.</p>`;
  return fold(
    context,
    entries,
    `${count(entries.length, 'place')}, each with both readings and the one held`,
  );
}

/** What the interface does not specify and this target does. */
export function observationTable(context: Context): Html {
  const rows = [...context.report.observations].sort((one, other) =>
    compareSections(one.section, other.section),
  );
  if (rows.length === 0) return html`<p class="quiet">Nothing was observed.</p>`;
  return html`<div class="scroll" role="region" aria-label="Observations" tabindex="0"><table class="rows"><thead><tr><th scope="col">Section</th><th scope="col">What</th><th scope="col">Seen</th><th scope="col">Where</th></tr></thead><tbody>${rows.map(
    ({ id, section, requirement, subject, value, exchanges }) =>
      html`<tr id="o:${id}"><td>${section}</td><td>${requirementLink(context, requirement, subject)}</td><td class="seen">${shorten(value, 400)}</td><td class="see">${firstLinks(context, exchanges, 3)}</td></tr>
`,
  )}</tbody></table></div>`;
}

/** Statements that can't be judged over HTTP, behind one line. */
export function excludedTable({ report }: Context): Html {
  const rows = [...report.excluded].sort((one, other) =>
    compareSections(firstSection(one), firstSection(other)),
  );
  if (rows.length === 0) return html`<p class="quiet">No statement was excluded.</p>`;
  return html`<details class="fold"><summary>${count(rows.length, 'statement')}, each with its reason</summary><div class="scroll" role="region" aria-label="Excluded statements" tabindex="0"><table class="rows ex"><thead><tr><th scope="col">Section</th><th scope="col">Statement</th><th scope="col">Why it cannot be judged over HTTP</th></tr></thead><tbody>${rows.map(
    ({ id, sections, statement, reason }) =>
      html`<tr><td title="${sectionTitle(firstSection({ sections }))}">${sections.join(', ')}</td><td>${prose(statement)} <code>${id}</code></td><td>${prose(reason)}</td></tr>
`,
  )}</tbody></table></div></details>`;
}

/** The exchanges that are not shown with a failure. */
export function exchangeList(context: Context): Html {
  const rest = context.report.exchanges.filter(({ id }) => !context.placeOfExchange.has(id));
  if (rest.length === 0) return html`<p class="quiet">Every exchange is shown with a finding.</p>`;
  return html`<p class="quiet">Credentials are masked. Bodies are shortened here to about ${context.limits.body} characters, and headers without information (${omittedHeaders.join(', ')}) are omitted; <code>evidence.jsonl</code> has everything in full. Exchanges behind a failure are shown with it.</p><div class="paper">The recorded exchanges are not printed. They are in this document on screen, in report.json and in evidence.jsonl.</div><div class="exchanges">${rest.map((exchange) => exchangeView(context, exchange))}</div>`;
}
