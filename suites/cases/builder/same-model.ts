import { type Expectation, matrixCell } from '../../../spec/matrix.ts';
import type { Cell, Family, Group, Protocol } from '../../../spec/vocabulary.ts';
import type { Caller } from '../../types/plan.ts';
import type { ModelCell } from '../../types/case.ts';
import type { SameModel, Scope } from '../../types/scope.ts';
import { cellId } from '../../types/request-ids.ts';

/** What is expected of another family of the same model that contradicts what is expected of a cell. */
const opposite: Readonly<Record<Expectation, Expectation | undefined>> = {
  served: 'refused',
  refused: 'served',
  // One of its readings is that it must be refused: which one is followed does not show.
  conflict: 'served',
  unspecified: undefined,
};

const expectationOf = (cell: Cell): Expectation | undefined => matrixCell(cell)?.expectation;

/** The groups whose requests can't be told apart from those of a group: itself, and those of the same token. */
const groupsLike = ({ shared = [] }: Scope, group: Group): readonly Group[] =>
  shared.find((those) => those.includes(group)) ?? [group];

/** The families that the model of a cell is declared for. */
function familiesOf(
  { sharedModels = [], further = [] }: Scope,
  { family, model }: ModelCell,
): readonly Family[] {
  if (model !== undefined)
    return further.find((one) => one.family === family && one.name === model)?.families ?? [];
  const others = further.filter(({ firstOf }) => firstOf.includes(family));
  return [
    ...(sharedModels.find((those) => those.includes(family)) ?? []),
    ...others.flatMap((one) => one.families),
  ];
}

/** A family with the same model name of whose cell this is expected, behind the family of the cell. */
function familiesWhere(
  scope: Scope,
  cell: ModelCell,
  expected: Expectation,
  groups: readonly Group[],
): SameModel | undefined {
  const isExpected = (family: Family): boolean =>
    groups.some((group) => expectationOf({ ...cell, family, group }) === expected);
  const other = familiesOf(scope, cell).find((family) => family !== cell.family && isExpected(family));
  return other && [cell.family, other];
}

/**
 * The families of which one must be served the cell and the other must be refused it, the one of the cell first;
 * undefined where both can hold. What must be served with a token is judged as such, even where the same token
 * stands for another group, too.
 */
export function contradictedFamilies(scope: Scope, cell: ModelCell): SameModel | undefined {
  const expectation = expectationOf(cell);
  const expected = expectation && opposite[expectation];
  const groups = expectation === 'refused' ? groupsLike(scope, cell.group) : [cell.group];
  return expected && familiesWhere(scope, cell, expected, groups);
}

/** The families of which nothing is stated of the second, and the first must be refused the cell. */
export const unstatedFamilies = (scope: Scope, cell: ModelCell): SameModel | undefined =>
  expectationOf(cell) === 'refused'
    ? familiesWhere(scope, cell, 'unspecified', groupsLike(scope, cell.group))
    : undefined;

/**
 * The cells that show whether a protocol is served, and the first families of which one need not be: where each of its
 * callers is of a family that must be served and has the model of one that must be refused.
 */
export function contradictedCallers(
  scope: Scope,
  protocol: Protocol,
  callers: readonly Caller[],
): { readonly cells: readonly string[]; readonly families: SameModel } | undefined {
  const found = callers.map((caller) => contradictedFamilies(scope, { ...caller, protocol, stream: false }));
  const [families] = found;
  if (families === undefined || found.includes(undefined)) return undefined;
  return { cells: callers.map((caller) => cellId(caller, protocol)), families };
}
