import { protocolFacts } from '../../../spec/protocols.ts';
import { matrix, matrixCell } from '../../../spec/matrix.ts';
import { oncePer } from '../../../spec/once.ts';
import { drawsImages, groups, type Protocol } from '../../../spec/vocabulary.ts';
import type { ModelName } from '../../types/case.ts';
import type { Caller } from '../../types/plan.ts';
import type { Scope } from '../../types/scope.ts';

/** Who can judge a protocol: the cells that are stated to be served, in order of preference. */
export const statedCallers = oncePer((protocol: Protocol): readonly Caller[] => {
  const { families, group } = protocolFacts[protocol].callers;
  const stated = groups.filter((each) => group === 'any' || each === group);
  return families.flatMap((family) => stated.map((each) => ({ family, group: each })));
});

/** Those of them that the target declares. */
export const declaredCallers = (scope: Scope, protocol: Protocol): readonly Caller[] =>
  statedCallers(protocol).filter(
    ({ family, group }) => scope.families.includes(family) && scope.groups.includes(group),
  );

/** Who may call a text model on a protocol, as far as the target declares them: all that need not be refused. */
export const possibleCallers = (scope: Scope, protocol: Protocol): readonly Caller[] =>
  matrix()
    .filter((cell) => cell.protocol === protocol && !cell.stream && !drawsImages(cell.family))
    .filter(({ expectation }) => expectation !== 'refused')
    .filter(({ family, group }) => scope.families.includes(family) && scope.groups.includes(group))
    .map(({ family, group }) => ({ family, group }));

/** Who calls a model behind the first of its family on a protocol that must serve it, by declared group. */
export const modelCallers = (
  scope: Scope,
  { family, name }: ModelName,
  protocol: Protocol,
): readonly Caller[] =>
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
