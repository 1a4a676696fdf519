import type { Template } from '../types/template.ts';
import { matrixCell } from '../../spec/matrix.ts';
import { isTextProtocol } from '../../spec/vocabulary.ts';
import type { Payloads } from '../../fixtures/payloads/payloads.ts';
import { type TokenName, tokenNames } from '../../fixtures/target/target.ts';
import { cellAskedId, tokenAskedId, tokenInventedId } from '../types/request-ids.ts';
import { type Condition, type Credential, modelKeyOf, type PlannedRequest } from '../types/plan.ts';
import type { Scope } from '../types/scope.ts';
import { dependencies } from './dependencies.ts';

/** What an invented credential and an invented model are made of. */
type Invented = Pick<Payloads, 'invalidTokens' | 'unknownModel'>;

/** What of a declaration a cell is the first to show. */
const shownBy = ({ callers, protocol }: PlannedRequest): readonly string[] =>
  callers.flatMap(({ family, model, group }) => [`${family} ${model ?? ''}`, group, protocol]);

/** The most generations that are billed before the declaration is known to be right. */
export const mostFirstGenerations = 8;
/** One is left for requests that no gateway should bill, such as those with an invented model: else none would be sent. */
const mostFirstCells = mostFirstGenerations - 1;

/** The cheapest requests that show each model, token and endpoint: for first models, then tokens and endpoints, then other models. */
function firstCells(requests: readonly PlannedRequest[]): readonly PlannedRequest[] {
  const cells = requests.filter(
    ({ stage, expect, callers, when }) =>
      stage === 'discovery' && expect === 'answer' && callers.length === 1 && when.length === 0,
  );
  const shown = new Set<string>();
  const take = (isNew: (cell: PlannedRequest) => boolean): readonly PlannedRequest[] =>
    cells.filter((cell) => {
      if (!isNew(cell)) return false;
      for (const each of shownBy(cell)) shown.add(each);
      return true;
    });
  const isNewModel = (cell: PlannedRequest): boolean => !shown.has(shownBy(cell)[0] ?? '');
  const isFurther = (cell: PlannedRequest): boolean => modelKeyOf(cell) !== undefined;
  const ofModels = take((cell) => !isFurther(cell) && isNewModel(cell));
  const ofRest = take((cell) => !isFurther(cell) && shownBy(cell).some((each) => !shown.has(each)));
  const taken = new Set([...ofModels, ...ofRest, ...take(isNewModel)].slice(0, mostFirstCells));
  return cells.filter((cell) => taken.has(cell));
}

/** A cell with one thing changed; what must be answered is no concern of it. */
const changed = (
  cell: PlannedRequest,
  change: Partial<PlannedRequest> & Pick<PlannedRequest, 'id' | 'when'>,
): PlannedRequest => ({ ...cell, expect: 'refusal', ...change, stage: 'declared', billed: 0 });

const withModel = ({ body }: PlannedRequest, model: Template): Pick<PlannedRequest, 'body'> => ({
  body: { ...body, json: { ...(body?.json as { readonly [name: string]: Template }), model } },
});

const invalid = ({ invalidTokens: [token] }: Invented): Credential => ({ form: 'invalid', token });

const tokensIn = ({ groups, rateLimited }: Scope): readonly TokenName[] =>
  tokenNames().filter((name) => (name === 'rate-limited' ? rateLimited : groups.includes(name)));

/** Each token that no first cell shows, with an invented model: the reply tells it from others, and nothing is generated. */
function askedTokens(cells: readonly PlannedRequest[], scope: Scope, invented: Invented) {
  const [first] = cells;
  const shown = new Set<TokenName>(cells.flatMap(({ callers }) => callers.map(({ group }) => group)));
  const names = tokensIn(scope).filter((name) => !shown.has(name));
  if (first === undefined || names.length === 0) return [];
  const body = withModel(first, invented.unknownModel);
  // A refused login may lock others out: what must work goes first, and where the only token asked is limited, as one
  // that is spent has to be, there is nothing to compare.
  const isSpentAlone = names.every((name) => name === 'rate-limited');
  const when: readonly Condition[] = [
    { kind: 'recorded', all: cells.map(({ id }) => id) },
    ...(isSpentAlone ? [{ kind: 'not-limited', exchange: tokenAskedId('rate-limited') } as const] : []),
  ];
  return [
    ...names.map((name) =>
      changed(first, {
        ...body,
        id: tokenAskedId(name),
        when: [],
        credential: { form: 'token', token: name },
        ...(name === 'rate-limited' ? { expect: 'limited' } : {}),
      }),
    ),
    changed(first, { ...body, id: tokenInventedId, when, credential: invalid(invented) }),
    ...(names.includes('rate-limited') ? spentElsewhere(cells, first, invented) : []),
  ];
}

/** The spent token on another endpoint, where the first does not tell its limit: it may be the endpoint that is wrong. */
const spentElsewhere = (
  cells: readonly PlannedRequest[],
  first: PlannedRequest,
  { unknownModel }: Invented,
): readonly PlannedRequest[] =>
  cells
    .filter(({ protocol }) => protocol !== first.protocol)
    .slice(0, 1)
    .map((cell) =>
      changed(cell, {
        ...withModel(cell, unknownModel),
        id: cellAskedId('token.rate-limited', cell.protocol),
        when: [{ kind: 'not-limited', exchange: tokenAskedId('rate-limited') }],
        credential: { form: 'token', token: 'rate-limited' },
        expect: 'limited',
      }),
    );

/** Whether the interface states of one group alone that it is served. */
const isOfGroupAlone = ({ callers, protocol, stream }: PlannedRequest): boolean =>
  callers.every(({ family, group }) => matrixCell({ family, protocol, group, stream })?.anyGroup !== true);

const isFirstOf = (cell: PlannedRequest, cells: readonly PlannedRequest[]): boolean =>
  cells.find(({ protocol }) => protocol === cell.protocol) === cell;

/** Where a first cell is not answered: the same with each other token, with an invented one, and with an invented model. */
function doubtsOf(cell: PlannedRequest, cells: readonly PlannedRequest[], scope: Scope, invented: Invented) {
  const group = cell.callers[0]?.group;
  const isFirst = isFirstOf(cell, cells);
  // A limit tells of a token that is spent, and of no other token or model.
  const anyOf = (some: readonly PlannedRequest[], name?: TokenName): readonly Condition[] => {
    const kind = name === 'rate-limited' ? 'one-unanswered' : 'one-unanswered-unlimited';
    return [{ kind, any: some.map(({ id }) => id) }];
  };
  const when = anyOf(isFirst ? cells : [cell]);
  // Where one of several groups is enough, the token of another tells only of a limit.
  const isAsked = (name: TokenName): boolean => name === 'rate-limited' || isOfGroupAlone(cell);
  const ofToken = (name: TokenName): readonly PlannedRequest[] =>
    cells.filter((other) => (other === cell ? isAsked(name) : isFirst && other.callers[0]?.group === name));
  const own = withModel(cell, invented.unknownModel);
  return [
    // A token that is refused may be taken on another endpoint, and there an invented one may get other words.
    ...tokensIn(scope)
      .filter((name) => name !== group && ofToken(name).length > 0)
      .map((name) =>
        changed(cell, {
          id: cellAskedId(cell.id, name),
          when: anyOf(ofToken(name), name),
          credential: { form: 'token', token: name },
          expect: name === 'rate-limited' ? 'limited' : 'either',
        }),
      ),
    changed(cell, { id: cellAskedId(cell.id, 'invented-token'), when, credential: invalid(invented) }),
    changed(cell, { ...own, id: cellAskedId(cell.id, 'invented-model'), when }),
    ...elsewhere(cell, cells),
  ];
}

/** The model of an unanswered first cell in place of others, on each endpoint for texts: what is for it alone differs there. */
function elsewhere(cell: PlannedRequest, cells: readonly PlannedRequest[]): readonly PlannedRequest[] {
  const [caller] = cell.callers;
  const others = cells.filter(
    (other) => isTextProtocol(other.protocol) && shownBy(other)[0] !== shownBy(cell)[0],
  );
  return others
    .filter((other) => isFirstOf(other, others))
    .flatMap((other) => {
      const group = other.callers[0]?.group;
      if (caller === undefined || group === undefined) return [];
      return changed(other, {
        id: cellAskedId(other.id, cell.id),
        callers: [{ ...caller, group }],
        when: [{ kind: 'one-unanswered-unlimited', any: [cell.id] }],
        expect: 'either',
      });
    });
}

/** What tells whether declared tokens and models are known, sent only where nothing else shows them. Pure. */
export function declaredRequests(requests: readonly PlannedRequest[], scope: Scope, invented: Invented) {
  const cells = firstCells(requests);
  return [
    ...askedTokens(cells, scope, invented),
    ...cells.flatMap((cell) => doubtsOf(cell, cells, scope, invented)),
  ];
}

/** What a run begins with: what tells of the declaration, and the cells that this waits for. */
export function preflightOf(requests: readonly PlannedRequest[]): ReadonlySet<string> {
  const declared = requests.filter(({ stage }) => stage === 'declared');
  return new Set(declared.flatMap((request) => [request.id, ...dependencies(request)]));
}
