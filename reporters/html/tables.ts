import { count, shorten } from '../../spec/text.ts';
import type { ReportConflict } from '../../suites/model/report.ts';
import { firstSection } from '../report-queries.ts';
import { compareSections, sectionList, sectionTitle } from '../sections.ts';
import { type Context, requirementLink } from './context.ts';
import { exchangeLinks, exchangeView, firstLinks, omittedHeaders } from './exchange.ts';
import { type Html, html, prose } from './template.ts';

/** Which reading of a contradiction the target follows. */
export const followsText: Readonly<Record<ReportConflict['follows'], string>> = {
  A: 'follows reading A',
  B: 'follows reading B',
  neither: 'follows neither reading',
  unknown: 'could not be determined',
  untested: 'was not tested',
};

/** Contradictions of the interface, with the reading that the target follows. */
export function conflictList(context: Context): Html {
  const { conflicts } = context.report;
  if (conflicts.length === 0) return html`<p class="quiet">None was tested.</p>`;
  return html`${conflicts.map(
    ({ id, sections, readings, follows, exchanges }) =>
      html`<div class="conflict-item"><p><code>${id}</code> <span class="meta">${sectionList(sections)}</span></p><ol>${readings.map(
        ({ label, statement, sections: from, requirement }) =>
          html`<li class="${label === follows ? 'followed' : 'other'}"><b>${label}</b> <span>${requirementLink(context, requirement, prose(statement))} <span class="meta">${sectionList(from)}</span></span>${label === follows && html` <span class="v conflict">followed</span>`}</li>`,
      )}</ol><p>This target <b>${followsText[follows]}</b>. Neither reading is failed.${exchanges.length > 0 && html` <span class="see">Seen in ${exchangeLinks(context, exchanges)}</span>`}</p></div>`,
  )}`;
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
