import type { Report, ReportCell } from '../../suites/model/report.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { families, groups, protocols } from '../../spec/vocabulary.ts';
import { cellTone } from '../report-queries.ts';
import { expectationWord, familyWord, verdictSign } from '../wording.ts';
import { type Context, linkTo } from './context.ts';
import { type Html, html } from './template.ts';

interface Column {
  readonly protocol: ReportCell['protocol'];
  readonly stream: boolean;
}

const columnsOf = (matrix: Report['matrix']): Column[] =>
  protocols.flatMap((protocol) =>
    [false, true].flatMap((stream) =>
      matrix.some((cell) => cell.protocol === protocol && cell.stream === stream)
        ? [{ protocol, stream }]
        : [],
    ),
  );

function cellView({ requirements }: Context, cell: ReportCell | undefined): Html {
  if (cell === undefined) return html`<td class="blank"><span class="sr">not a combination</span></td>`;
  const tone = cellTone(cell);
  const words = html`<span class="expect">${expectationWord[cell.expectation]}</span><span class="saw"><span aria-hidden="true">${verdictSign[tone]}</span> ${cell.observed}</span>`;
  const requirement = cell.requirements.find((id) => requirements.has(id));
  return html`<td class="cell ${tone}">${
    requirement === undefined
      ? html`<span class="box" title="${cell.why}">${words}</span>`
      : html`<a class="box" href="${linkTo(requirement)}" title="${cell.why}">${words}</a>`
  }</td>`;
}

function rows(context: Context, columns: readonly Column[]): Html[] {
  const { matrix } = context.report;
  return families.flatMap((family) => {
    const present = groups.filter((group) =>
      matrix.some((cell) => cell.family === family && cell.group === group),
    );
    return present.map((group, at) => {
      const head =
        at === 0 &&
        html`<th scope="rowgroup" rowspan="${present.length}" class="family">${familyWord[family]}</th>`;
      const cells = columns.map(({ protocol, stream }) =>
        cellView(
          context,
          matrix.find(
            (cell) =>
              cell.family === family &&
              cell.group === group &&
              cell.protocol === protocol &&
              cell.stream === stream,
          ),
        ),
      );
      return html`<tr${at === 0 ? firstRow : null}>${head}<th scope="row" class="group">${group}</th>${cells}</tr>`;
    });
  });
}

const firstRow = html` class="first"`;

/** The support matrix as a grid: what the interface says of each combination, and what was seen. */
export function matrixGrid(context: Context): Html {
  const { matrix } = context.report;
  if (matrix.length === 0) return html`<p class="quiet">No combination was tried.</p>`;
  const columns = columnsOf(matrix);
  const heads = protocols.flatMap((protocol) => {
    const span = columns.filter((column) => column.protocol === protocol).length;
    return span === 0
      ? []
      : [html`<th scope="colgroup" colspan="${span}">${protocolFacts[protocol].title}</th>`];
  });
  return html`<p class="key"><span class="chip pass">✓ as stated</span> <span class="chip fail">✕ against the interface</span> <span class="chip observed">○ unspecified</span> <span class="chip conflict">≠ statements contradict</span> <span class="chip inconclusive">? inconclusive</span> <span class="chip untested">– not sent</span></p>
<div class="scroll" role="region" aria-label="Support matrix" tabindex="0"><table class="matrix"><caption class="sr">Each combination of family, token group and protocol: what the interface says, and what was observed</caption><thead><tr><th rowspan="2" scope="col">Family</th><th rowspan="2" scope="col">Token group</th>${heads}</tr><tr>${columns.map(({ stream }) => html`<th scope="col" class="mode">${stream ? 'stream' : 'plain'}</th>`)}</tr></thead><tbody>${rows(context, columns)}</tbody></table></div>`;
}
