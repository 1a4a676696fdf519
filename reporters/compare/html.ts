import { count, shorten } from '../../spec/text.ts';
import { renderPage } from '../html/page.ts';
import { type Html, html, prose } from '../html/template.ts';
import { overallTone, overallWord, utcTime, verdictSign } from '../wording.ts';
import type { ComparedReport, Comparison } from './compare.ts';
import {
  comparisonNotes,
  type ComparisonTable,
  comparisonTables,
  differenceCount,
  failedText,
  type TableCell,
  type TableRow,
} from './tables.ts';

/** Characters of a cell, where nothing else is said. */
const longest = 300;

const extraStyle = `
.across{table-layout:fixed;min-width:44rem}.across .id{width:34%}.across .from{width:5.4rem}.across th[scope=row]{font-weight:400}.across code{color:var(--muted)}.across td.cell{background:var(--g);color:var(--v);font-weight:600}.across thead th{position:sticky;top:0;background:var(--ground)}.columns{min-width:44rem}.fold>summary{margin:.8rem 0;color:var(--link)}
@media (max-width:40rem){.across{min-width:34rem}.across .id{width:10rem}.across .from,.across td:nth-child(2){display:none}.across th[scope=row],.across .id{position:sticky;left:0;z-index:1;background:var(--ground)}}
`;

const cellView = ({ text, tone }: TableCell): Html =>
  html`<td class="${tone !== null && `cell ${tone}`}">${shorten(text, longest)}</td>`;

const rowView = ({ id, section, what, cells }: TableRow): Html =>
  html`<tr><th scope="row">${prose(shorten(what, longest))} <code>${id}</code></th><td>${section}</td>${cells.map(cellView)}</tr>
`;

function rowsTable(lines: readonly TableRow[], name: string, targets: readonly ComparedReport[]): Html {
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table class="across"><thead><tr><th scope="col" class="id">What</th><th scope="col" class="from">Section</th>${targets.map(({ label }) => html`<th scope="col">${shorten(label, 80)}</th>`)}</tr></thead><tbody>${lines.map(rowView)}</tbody></table></div>`;
}

function tableView(table: ComparisonTable, targets: readonly ComparedReport[]): Html {
  const { slug, title, differing, agreeing } = table;
  const rows = count(agreeing.length, 'row');
  return html`<section class="part" id="${slug}"><h2>${title} <small class="meta">${differenceCount(table)}</small></h2>${
    differing.length === 0
      ? html`<p class="quiet">No row differs.</p>`
      : rowsTable(differing, `${title}: rows that differ`, targets)
  }${agreeing.length > 0 && html`<details class="fold"><summary>${rows} without a difference</summary>${rowsTable(agreeing, `${title}: rows without a difference`, targets)}</details>`}</section>
`;
}

function columnView(report: ComparedReport): Html {
  const { label, baseUrl, suite, startedAt, verdict, judged, failed, total } = report;
  const tone = overallTone[verdict];
  return html`<tr><th scope="row">${shorten(label, 120)}<br><code>${shorten(baseUrl, longest)}</code></th><td class="${tone}"><span class="v">${verdictSign[tone]} ${overallWord[verdict]}</span></td><td class="num">${judged - failed} of ${total}</td><td class="num">${failedText(report)}</td><td>${utcTime(startedAt)}</td><td>${suite.version} <code class="digest">${suite.requirementsDigest.slice(0, 19)}</code> <code class="digest">${suite.openapiDigest.slice(0, 19)}</code></td></tr>
`;
}

/** The comparison as one self-contained HTML document, in the look of the report. */
export function renderComparisonHtml(comparison: Comparison): string {
  const { targets } = comparison;
  const tables = comparisonTables(comparison);
  const notes = comparisonNotes(comparison);
  const title = `${count(targets.length, 'conformance report')} side by side`;
  const heads = ['Target', 'Verdict', 'Passed', 'Failed', 'When', 'Suite, requirements, OpenAPI'];
  const body = html`<a class="skip" href="#requirements">Skip to the requirements</a>
<div class="page"><header class="mast"><p class="over">Conformance reports compared <span aria-hidden="true">·</span> Model Inference Gateway Interface</p><h1>${title}</h1>
${notes.length > 0 && html`<ul class="plain">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}
<div class="scroll" role="region" aria-label="Targets" tabindex="0"><table class="columns"><thead><tr>${heads.map((head) => html`<th scope="col"${(head === 'Passed' || head === 'Failed') && numberClass}>${head}</th>`)}</tr></thead><tbody>${targets.map(columnView)}</tbody></table></div></header>
<nav class="toc" aria-label="Contents"><ol>${tables.map((table) => html`<li><a href="#${table.slug}">${table.title}</a> <span class="meta">${differenceCount(table)}</span></li>`)}</ol></nav>
<main>${tables.map((table) => tableView(table, targets))}</main></div>
`;
  return renderPage({ title, body, extraStyle });
}

const numberClass = html` class="num"`;
