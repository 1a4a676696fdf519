import { cellsWhere, type Expectation, type MatrixCell } from '../../../spec/matrix.ts';
import { requirement } from '../../../spec/requirements.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import {
  type Cell,
  drawsImages,
  type Family,
  type Group,
  isTextProtocol,
  type Protocol,
  protocols,
} from '../../../spec/vocabulary.ts';
import type { Check } from '../../types/checks/check.ts';
import type { ModelCell } from '../../types/case.ts';
import type { CaseBuilder, Contradicted, Undeclared } from '../builder/case-builder.ts';
import { contradictedFamilies, modelCallers, unstatedFamilies } from '../builder/callers.ts';
import { anySizeId, cellId, onlyStreamIds } from '../../types/request-ids.ts';
import { cellBody, helloWord, minimal } from '../builder/bodies.ts';
import { fullRequest, listedRequest } from '../probes/refused-cases.ts';
import type { Condition, PlannedRequest } from '../../types/plan.ts';
import type { Scope } from '../../types/scope.ts';
import { instead } from '../builder/shared-requests.ts';
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

/** Where the smallest request is refused, a larger or another one, or a stream, shows that it was not for the family or the path. */
export const largerRequests = (builder: CaseBuilder, protocol: Protocol) => ({
  probes: [
    builder.control(protocol),
    fullRequest(builder, protocol),
    ...(protocol === 'responses' ? [listedRequest(builder)] : []),
    ...(protocol === 'images' && builder.depth.profile === 'smoke' ? [ofAnySize(builder)] : []),
  ],
  smallest: builder.cells(protocol),
  streams: builder.onlyStream(protocol),
});

/** The smallest images are asked for in `smoke`: where they are refused, it may be for their size. */
const ofAnySize = (builder: CaseBuilder): string =>
  builder.send(anySizeId, 'images', {
    json: minimal.images,
    anySize: true,
    when: [{ kind: 'unanswered', all: builder.cells('images') }],
    billed: 0,
  });

export function cellCase(builder: CaseBuilder, cell: MatrixCell): void {
  const { family, protocol, group, stream } = cell;
  builder.add({
    id: `families.${family}.${protocol}.${group}${stream ? '.stream' : ''}`,
    title: `${nameOf(cell)}: ${expectationOf(cell)}`,
    cell: { family, protocol, group, stream },
    requirements: requirementsOf(cell),
    needs: openCell(builder.scope, cell),
    check: () => cellCheck(builder, cell),
  });
}

export const nameOf = ({ family, protocol, group, stream, model }: ModelCell): string =>
  `${family} model${model === undefined ? '' : ` ${model}`} on ${protocol} with a ${group} token${stream ? ', streamed' : ''}`;

export const expectationOf = ({ expectation, anyGroup }: MatrixCell): string => {
  if (expectation === 'conflict') return 'the document contradicts itself';
  return expectation === 'unspecified' || anyGroup ? 'unspecified' : `must be ${expectation}`;
};

/** What the case of a cell judges: of several groups only what is observed, and not the looks of an image model's reply. */
export const requirementsOf = ({ anyGroup, requirements }: MatrixCell): readonly string[] =>
  anyGroup
    ? requirements.filter((id) => requirement(id).level === 'unspecified')
    : requirements.filter((id) => id !== 'chat-image.reply');

function cellCheck(builder: CaseBuilder, cell: MatrixCell): Check {
  const [requirement, second] = requirementsOf(cell);
  if (requirement === undefined) throw new Error(`${nameOf(cell)} has no requirement`);
  if (cell.anyGroup || cell.expectation === 'unspecified') return observedCheck(cell, requirement);
  if (cell.expectation === 'served') return servedCheck(builder, cell, requirement);
  if (cell.expectation === 'refused') return refusedCheck(builder, cell, requirement);
  if (second === undefined) throw new Error(`${nameOf(cell)} has one reading of a contradiction`);
  // Both readings of a contradiction; of a stream, with the request without one.
  return {
    kind: 'conflict',
    conflict: 'family-conversational-chat',
    ...{ refused: requirement, served: second },
    pairs: [
      { probe: cellId(cell, cell.protocol), controls: cellControls(builder, { ...cell, stream: false }) },
      ...(cell.stream ? [{ probe: probeOf(cell), controls: otherModels(cell) }] : []),
    ],
  };
}

const probeOf = (cell: ModelCell): string => cellId(cell, cell.protocol, cell.stream);

const observedCheck = (cell: MatrixCell, requirement: string): Check => ({
  kind: 'observe',
  requirement,
  subject: nameOf(cell),
  aspect: 'answer-or-refusal',
  protocol: cell.protocol,
  probes: [probeOf(cell)],
});

function servedCheck(builder: CaseBuilder, cell: MatrixCell, requirement: string): Check {
  const { protocol, stream } = cell;
  const probe = probeOf(cell);
  const served = { kind: 'served', requirement, probes: [probe] } as const;
  if (stream && isTextProtocol(protocol)) return { ...served, prerequisites: [builder.streamed(protocol)] };
  const [first] = builder.cells(protocol);
  if (first === probe) return { ...served, fallback: largerRequests(builder, protocol) };
  return first === undefined ? served : { ...served, prerequisites: [first] };
}

export function refusedCheck(
  builder: CaseBuilder,
  cell: MatrixCell & ModelCell,
  requirement: string,
): Extract<Check, { kind: 'refused' }> {
  const sameModel = unstatedFamilies(builder.scope, cell);
  return {
    kind: 'refused',
    requirement,
    probe: probeOf(cell),
    controls: cellControls(builder, cell),
    ...(cell.model === undefined && builder.callers(cell.protocol).length > 0
      ? { after: builder.after(cell.protocol) }
      : {}),
    rule: cell.why,
    controlMayBeRefused: cell.protocol !== 'messages',
    isValidElsewhere: true,
    ...(sameModel ? { sameModel } : {}),
  };
}

/** The same for a model of another family: it differs from a cell in one thing and may work. */
function otherModels({ protocol, group, stream }: Cell): readonly string[] {
  const models: readonly Family[] = protocol === 'responses' ? ['general'] : ['general', 'multimodal'];
  return models.map((family) => cellId({ family, group }, protocol, stream));
}

/** What differs from a cell in one thing and may work: another model, another protocol, or on Messages another token. */
function cellControls(builder: CaseBuilder, cell: ModelCell): readonly string[] {
  const { family, protocol, group, stream, model: name } = cell;
  if (protocol === 'messages') {
    const callers =
      name === undefined
        ? builder.callers(protocol)
        : modelCallers(builder.scope, { family, name }, protocol);
    return callers.map((caller) => cellId(caller, protocol, stream));
  }
  const caller = { family, group, ...(name === undefined ? {} : { model: name }) };
  const own = protocols.filter((each) => protocolFacts[each].callers.families[0] === family);
  return [...otherModels(cell), ...own.map((other) => cellId(caller, other, stream))];
}
