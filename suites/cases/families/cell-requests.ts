import { type Expectation, type MatrixCell, matrix } from '../../../spec/matrix.ts';
import { type Cell, type Group, isTextProtocol } from '../../../spec/vocabulary.ts';
import type { Condition, PlannedRequest } from '../../model/plan.ts';
import type { Scope } from '../../model/scope.ts';
import { cellBody } from '../builder/bodies.ts';
import type { CaseBuilder, Undeclared } from '../builder/case-builder.ts';
import { cellId } from '../builder/request-ids.ts';

const requestFor: Readonly<Record<Expectation, Pick<PlannedRequest, 'expect' | 'stage'>>> = {
  served: { expect: 'answer', stage: 'discovery' },
  conflict: { expect: 'either', stage: 'unspecified' },
  unspecified: { expect: 'either', stage: 'unspecified' },
  refused: { expect: 'refusal', stage: 'invalid' },
};

/** Plans the request of a cell, where its model and token are declared. */
export function sendCell(builder: CaseBuilder, cell: MatrixCell): void {
  if (undeclaredCell(builder.scope, cell) !== null) return;
  const { family, protocol, group, stream } = cell;
  const { expect, stage } = requestFor[cell.expectation];
  const shown = expect === 'answer' && stream ? streamedRows(builder, cell) : [];
  builder.send(cellId(cell, protocol, stream), protocol, {
    expect,
    ...(shown.length > 0 ? { standsFor: shown, billed: 0 } : {}),
    stage: stream && stage === 'discovery' ? 'valid' : stage,
    json: cellBody(cell, builder.data.nonce()),
    callers: [{ family, group }],
    when: conditionsOf(builder, cell),
  });
}

/** The streamed rows of a covering array that are sent as the caller of a cell. */
function streamedRows(builder: CaseBuilder, { protocol, family, group }: MatrixCell): readonly string[] {
  if (!isTextProtocol(protocol)) return [];
  return builder
    .rows(protocol)
    .rows.filter(({ stream, id }) => {
      const caller = builder.requests.get(id)?.callers[0];
      return stream && caller?.family === family && caller.group === group;
    })
    .map(({ id }) => id);
}

function conditionsOf(builder: CaseBuilder, cell: MatrixCell): readonly Condition[] {
  const { expectation, protocol, stream } = cell;
  // Output where none is due is a violation whatever the control did.
  if (expectation === 'refused') return anyOf(builder.cells(protocol), 'recorded');
  if (stream && expectation !== 'conflict') return anyOf([cellId(cell, protocol)], 'answered');
  return expectation === 'served' ? [] : anyOf(builder.cells(protocol), 'answered');
}

function anyOf(ids: readonly string[], kind: 'recorded' | 'answered'): readonly Condition[] {
  if (ids.length === 0) return [];
  return kind === 'recorded' ? [{ kind, all: ids }] : [{ kind, any: ids }];
}

/** Why a cell can't be asked; null where its model and token are declared. */
export function undeclaredCell(scope: Scope, cell: MatrixCell): Undeclared | null {
  const { family, group } = cell;
  if (!scope.families.includes(family)) return { undeclared: `no ${family} model is declared` };
  if (!scope.groups.includes(group)) return { undeclared: `no ${group} token is declared` };
  const other = cell.expectation === 'refused' ? groupOfSameToken(scope, cell) : undefined;
  return other === undefined
    ? null
    : { undeclared: `tokens.${group} and tokens.${other} are the same token` };
}

/**
 * A group with the same token for which the cell need not be refused. A token is bound to one group (2.1): the
 * same request can't be refused for one and accepted for another.
 */
function groupOfSameToken({ shared = [] }: Scope, cell: Cell): Group | undefined {
  const groups = shared.find((those) => those.includes(cell.group)) ?? [];
  const isRow = (other: Cell): boolean =>
    other.family === cell.family && other.protocol === cell.protocol && other.stream === cell.stream;
  const notRefused = matrix().filter((other) => isRow(other) && other.expectation !== 'refused');
  return groups.find((group) => notRefused.some((other) => other.group === group));
}
