import { protocolFacts } from '../../spec/protocols.ts';
import { protocols } from '../../spec/vocabulary.ts';
import type { ReportCell } from '../../suites/types/report.ts';
import { cellTone, matrixTable, notAskedCells } from '../matrix-table.ts';
import { cellSeen, expectationWord, familyWord, verdictSign } from '../wording.ts';
import { firstModelCells } from '../models.ts';
import { type Context, linkTo } from './context.ts';
import { type Html, html } from './template.ts';

function cellView({ requirements }: Context, cell: ReportCell | undefined): Html {
  if (cell === undefined) return html`<td class="blank"><span class="sr">not a combination</span></td>`;
  const tone = cellTone(cell);
  const [saw, anyGroup] = cellSeen(cell);
  const words = html`<span class="expect">${expectationWord[cell.expectation]}</span><span class="saw"><span aria-hidden="true">${verdictSign[tone]}</span> ${saw}</span>${anyGroup !== undefined && html`<span class="any">${anyGroup}</span>`}`;
  const requirement = cell.requirements.find((id) => requirements.has(id));
  return html`<td class="cell ${tone}">${
    requirement === undefined
      ? html`<span class="box" title="${cell.why}">${words}</span>`
      : html`<a class="box" href="${linkTo(requirement)}" title="${cell.why}">${words}</a>`
  }</td>`;
}

const firstRow = html` class="first"`;

/** The support matrix as a grid: what the interface says of each combination, and what was seen. */
export function matrixGrid(context: Context): Html {
  const matrix = firstModelCells(context.report.matrix);
  if (matrix.length === 0) return html`<p class="quiet">No combination was tried.</p>`;
  const { columns, rows } = matrixTable(matrix);
  const lines = rows.map(({ family, group, cells }, at) => {
    const isFirst = rows[at - 1]?.family !== family;
    const span = rows.filter((one) => one.family === family).length;
    return html`<tr${isFirst && firstRow}>${isFirst && html`<th scope="rowgroup" rowspan="${span}" class="family">${familyWord[family]}</th>`}<th scope="row" class="group">${group}</th>${cells.map((cell) => cellView(context, cell))}</tr>`;
  });
  const heads = protocols.flatMap((protocol) => {
    const span = columns.filter((column) => column.protocol === protocol).length;
    return span === 0
      ? []
      : [html`<th scope="colgroup" colspan="${span}">${protocolFacts[protocol].title}</th>`];
  });
  return html`<p class="key"><span class="chip pass">✓ as stated</span> <span class="chip fail">✕ against the interface</span> <span class="chip observed">○ unspecified</span> <span class="chip conflict">≠ statements contradict</span> <span class="chip inconclusive">? inconclusive</span> <span class="chip untested">– not asked</span></p><p class="quiet">${notAskedCells({ matrix })}</p>
<div class="scroll" role="region" aria-label="Support matrix" tabindex="0"><table class="matrix"><caption class="sr">Each combination of family, token group and protocol: what the interface says, and what was observed</caption><thead><tr><th rowspan="2" scope="col">Family</th><th rowspan="2" scope="col">Token group</th>${heads}</tr><tr>${columns.map(({ stream }) => html`<th scope="col" class="mode">${stream ? 'stream' : 'plain'}</th>`)}</tr></thead><tbody>${lines}</tbody></table></div>`;
}
