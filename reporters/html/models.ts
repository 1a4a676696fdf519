import { protocolFacts } from '../../spec/protocols.ts';
import { count } from '../../spec/text.ts';
import { isOfModel } from '../../suites/types/model-id.ts';
import type { Report } from '../../suites/types/report.ts';
import { casesText, cellWords, type ModelRow, type ModelTable, modelTables } from '../models.ts';
import { familyWord, verdictSign } from '../wording.ts';
import { type Html, html } from './template.ts';

/** The most models of a family that have a row; the worst come first. */
const mostRows = 32;

function modelRow({ name, cells, counts, verdict }: ModelRow): Html {
  return html`<tr><th scope="row"><code>${name}</code></th>${cells.map((own) => {
    const { tone, seen } = cellWords(own);
    return html`<td class="${tone}">${verdictSign[tone]} ${seen}</td>`;
  })}<td class="${verdict}">${verdictSign[verdict]} ${casesText(counts)}</td></tr>
`;
}

function modelTable({ family, columns, rows }: ModelTable): Html {
  const title = `${familyWord[family]}: ${count(rows.length, 'model')} behind the first`;
  const rest = rows.length - mostRows;
  return html`<details class="fold"${rows.some(({ verdict }) => verdict !== 'pass') && openMark}><summary>${title}</summary><div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="rows"><thead><tr><th scope="col">Model</th>${columns.map(({ protocol, group, stream }) => html`<th scope="col">${protocolFacts[protocol].title}, ${group ?? 'any group'}${stream && ', stream'}</th>`)}<th scope="col">Cases</th></tr></thead><tbody>${rows.slice(0, mostRows).map(modelRow)}</tbody></table></div>${rest > 0 && html`<p class="quiet">${count(rest, 'more model')} in report.json.</p>`}</details>`;
}

const openMark = html` open`;

/** The models behind the first of each family: a table for each family. */
export function modelGrids(report: Report): Html | null {
  const tables = modelTables(report);
  if (tables.length === 0) return null;
  return html`<p class="quiet">The matrix shows the first model of each family. The others are judged by where they must be served or refused, their results, their streams and a few refusals; what they passed, with its exchanges, is in report.json.</p>${tables.map(modelTable)}`;
}

/**
 * What a page has room for: without the cases that models behind the first have passed, and without exchanges that
 * only such cases read.
 */
export function withoutPassedModels(report: Report): Report {
  const isShort = (outcome: Report['cases'][number]): boolean =>
    outcome.model !== undefined && outcome.findings.every(({ verdict }) => verdict === 'untested');
  const hidden = new Set(report.cases.filter(isShort).map(({ id }) => id));
  if (hidden.size === 0) return report;
  const kept = report.cases.filter(({ id }) => !hidden.has(id));
  const shown = new Set(
    kept.filter(({ model }) => model !== undefined).flatMap((outcome) => outcome.exchanges),
  );
  return {
    ...report,
    cases: kept,
    requirements: report.requirements.map((row) => ({
      ...row,
      cases: row.cases.filter((id) => !hidden.has(id)),
    })),
    exchanges: report.exchanges.filter(({ id }) => !isOfModel(id) || shown.has(id)),
  };
}
