import { protocolFacts } from '../../../spec/protocols.ts';
import { cellsWhere, matrixCell, type Expectation } from '../../../spec/matrix.ts';
import { oncePer } from '../../../spec/once.ts';
import {
  drawsImages,
  groups,
  type Protocol,
  type Cell,
  type Family,
  type Group,
} from '../../../spec/vocabulary.ts';
import type { ModelName, ModelCell } from '../../types/case.ts';
import type { Caller } from '../../types/plan.ts';
import type { Scope, SameModel } from '../../types/scope.ts';
import { cellId } from '../../types/request-ids.ts';

/** Who can judge a protocol: the cells that are stated to be served, in order of preference. */
export const statedCallers = oncePer((protocol: Protocol): readonly Caller[] => {
  const { families, group } = protocolFacts[protocol].callers;
  const stated = groups.filter((each) => group === 'any' || each === group);
  return families.flatMap((family) => stated.map((each) => ({ family, group: each })));
});

/** Those of them that the target declares. */
export const declaredCallers = (scope: Scope, protocol: Protocol): readonly Caller[] =>
  statedCallers(protocol).filter(isDeclaredIn(scope));

const isDeclaredIn =
  ({ families, groups: own }: Scope) =>
  ({ family, group }: Caller): boolean =>
    families.includes(family) && own.includes(group);

/** Who may call a text model on a protocol, as far as the target declares them: all that need not be refused. */
export const possibleCallers = (scope: Scope, protocol: Protocol): readonly Caller[] =>
  cellsWhere({ protocol, stream: false })
    .filter(({ family, expectation }) => !drawsImages(family) && expectation !== 'refused')
    .map(({ family, group }) => ({ family, group }))
    .filter(isDeclaredIn(scope));

/** Who calls a model behind the first of its family on a protocol that must serve it, by declared group. */
export const modelCallers = (scope: Scope, { family, name }: ModelName, protocol: Protocol) =>
  groups
    .filter((group) => scope.groups.includes(group))
    .filter((group) => matrixCell({ family, protocol, group, stream: false })?.expectation === 'served')
    .map((group) => ({ family, group, model: name }));

/** The first of them with a model of the second family; undefined where one family alone can judge the protocol. */
export const secondCaller = (protocol: Protocol): Caller | undefined =>
  statedCallers(protocol).find(({ family }, _, [first]) => family !== first?.family);

/** Why a protocol without a caller has nothing to be tested with. */
export function noCaller(protocol: Protocol): string {
  const { families, group } = protocolFacts[protocol].callers;
  const token = group === 'any' ? 'token of a group' : `${group} token`;
  return `no ${families.join(' or ')} model with a ${token} is declared`;
}

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
function familiesOf({ sharedModels = [], further = [] }: Scope, { family, model }: ModelCell) {
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

/** The families of a model of which one must be served the cell and the other not, its own first; undefined where both can hold. */
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

/** The cells that show whether a protocol is served, and the first families, where each caller's model must be refused for another. */
export function contradictedCallers(scope: Scope, protocol: Protocol, callers: readonly Caller[]) {
  const found = callers.map((caller) => contradictedFamilies(scope, { ...caller, protocol, stream: false }));
  const [families] = found;
  if (families === undefined || found.includes(undefined)) return undefined;
  return { cells: callers.map((caller) => cellId(caller, protocol)), families };
}
