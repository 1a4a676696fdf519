import { cellsWhere, type Expectation, type MatrixCell } from '../../../spec/matrix.ts';
import { type Cell, drawsImages, type Group, isTextProtocol } from '../../../spec/vocabulary.ts';
import type { Condition, PlannedRequest } from '../../types/plan.ts';
import type { ModelCell } from '../../types/case.ts';
import type { Scope } from '../../types/scope.ts';
import { cellBody, helloWord } from '../builder/bodies.ts';
import type { CaseBuilder, Contradicted, Undeclared } from '../builder/case-builder.ts';
import { instead } from '../builder/shared-requests.ts';
import { cellId, onlyStreamIds } from '../../types/request-ids.ts';
import { contradictedFamilies } from '../builder/callers.ts';
import { has } from '../combinations/text-rows.ts';

const expectIn: Readonly<Record<Expectation, PlannedRequest['expect']>> = {
  served: 'answer',
  conflict: 'either',
  unspecified: 'either',
  refused: 'refusal',
};

/** Plans the request of a cell, where its model and token are declared. */
export function sendCell(builder: CaseBuilder, cell: MatrixCell): void {
  // One that must be served finds out who serves its protocol, even where it can't be judged.
  const open = openCell(builder.scope, cell);
  if (open !== null && !('sameModel' in open && cell.expectation === 'served')) return;
  const { family, protocol, group, stream } = cell;
  const expect = expectIn[cell.expectation];
  const shown = expect === 'answer' && stream ? streamedRows(builder, cell) : [];
  const before = standsInFor(builder, cell);
  builder.send(cellId(cell, protocol, stream), protocol, {
    expect,
    ...instead(shown),
    stage: expect === 'answer' && !stream ? 'discovery' : 'lanes',
    json: cellBody(cell),
    callers: [{ family, group }],
    ...(isTextProtocol(protocol) && !drawsImages(family) ? { says: [helloWord] } : {}),
    ...(before.length > 0
      ? { when: [{ kind: 'unanswered', all: before }], billed: 0 }
      : { when: conditionsOf(builder, cell) }),
  });
}

/** The streamed rows of a covering array that are sent as the caller of a cell. */
function streamedRows(builder: CaseBuilder, { protocol, family, group }: MatrixCell): readonly string[] {
  if (!isTextProtocol(protocol)) return [];
  return builder
    .rows(protocol)
    .rows.filter((row) => {
      const caller = builder.requests.get(row.id)?.callers[0];
      return row.stream && !has(row, 'previous') && caller?.family === family && caller.group === group;
    })
    .map(({ id }) => id);
}

/** In `smoke` one caller of a protocol is enough: a cell is asked only where those before it are not served. */
function standsInFor({ depth, cells }: CaseBuilder, { stream, ...cell }: MatrixCell): readonly string[] {
  if (depth.profile !== 'smoke' || stream) return [];
  const all = cells(cell.protocol);
  return all.slice(0, Math.max(0, all.indexOf(cellId(cell, cell.protocol))));
}

function conditionsOf(builder: CaseBuilder, cell: MatrixCell): readonly Condition[] {
  const { expectation, protocol, stream } = cell;
  const cells = builder.cells(protocol);
  // Output where none is due is a violation whatever the control did.
  if (expectation === 'refused') return cells.length > 0 ? [{ kind: 'recorded', all: cells }] : [];
  if (stream && expectation !== 'conflict') {
    const alone = expectation === 'served' ? onlyStreamIds(protocol) : [];
    return [{ kind: 'answered', any: [cellId(cell, protocol), ...alone] }];
  }
  return expectation === 'served' || cells.length === 0 ? [] : [{ kind: 'answered', any: cells }];
}

/** Why a cell can't be judged; null where its model and token are declared, and no other family's are the same. */
export function openCell(scope: Scope, cell: MatrixCell & ModelCell): Undeclared | Contradicted | null {
  const { family, group } = cell;
  if (!scope.families.includes(family)) return { undeclared: `no ${family} model is declared` };
  if (!scope.groups.includes(group)) return { undeclared: `no ${group} token is declared` };
  const other = cell.expectation === 'refused' ? groupOfSameToken(scope, cell) : undefined;
  if (other !== undefined) return { undeclared: `tokens.${group} and tokens.${other} are the same token` };
  const sameModel = contradictedFamilies(scope, cell);
  return sameModel ? { sameModel } : null;
}

/** A group with the same token for which the cell need not be refused: the same request can't be refused for one group alone (2.1). */
function groupOfSameToken({ shared = [] }: Scope, cell: Cell): Group | undefined {
  const groups = shared.find((those) => those.includes(cell.group)) ?? [];
  const { family, protocol, stream } = cell;
  const others = cellsWhere({ family, protocol, stream }).filter(
    ({ expectation }) => expectation !== 'refused',
  );
  return groups.find((group) => others.some((other) => other.group === group));
}
