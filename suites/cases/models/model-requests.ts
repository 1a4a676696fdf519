import { cellsWhere, type MatrixCell, matrixCell } from '../../../spec/matrix.ts';
import { isTextProtocol, type Protocol, protocols } from '../../../spec/vocabulary.ts';
import { modelCallers } from '../builder/callers.ts';
import { type Body, asking, cellBody, plainStream, withSmallestImage } from '../builder/bodies.ts';
import type { CaseBuilder, NewCase } from '../builder/case-builder.ts';
import { cellId, plainStreamId, invalidTokenId, ofModel } from '../../types/request-ids.ts';
import type { ModelName } from '../../types/case.ts';
import type { Caller, Condition } from '../../types/plan.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { RequestOverrides } from '../builder/request-builder.ts';
import { openCell } from '../families/cell-requests.ts';
import { expectationOf, nameOf, refusedCheck, requirementsOf } from '../families/cells.ts';
import { type Asked, changed, isOutOfRange } from '../probes/asked.ts';
import { addRefused } from '../probes/refused-probe.ts';

/** What must be refused with this model: none of it is billed, and each has what is answered as its control. */
export function refusalCases(builder: CaseBuilder, model: ModelName, served: readonly ServedProtocol[]) {
  const [first] = served;
  if (first !== undefined) invalidTokenCase(builder, first);
  for (const each of served)
    for (const asked of wrongValues(builder, each))
      refusedCase(builder, each, asked, { json: changed(asked, each.body), stream: false });
  for (const cell of cellsWhere({ family: model.family, stream: false, expectation: 'refused' }))
    refusedCellCase(builder, model, cell);
}

/** A probe of the first model, asked of another one, whose answers are its controls. */
const refusedCase = (
  builder: CaseBuilder,
  { model, callers, cells }: ServedProtocol,
  asked: Asked,
  request: RequestOverrides,
): void =>
  addRefused(builder, asked, {
    model,
    idOf: (id) => ofModel(id, callers[0]),
    request: { when: [{ kind: 'answered', any: cells }], ...request, callers },
    controls: () => cells,
  });

function invalidTokenCase(builder: CaseBuilder, served: ServedProtocol): void {
  const { protocol, body, cells } = served;
  const id = invalidTokenId(protocol, 'first');
  const invalid = builder
    .asked('authentication', protocol)
    .flat()
    .find((asked) => asked.id === id);
  const when = [{ kind: 'recorded', all: cells }] as const;
  if (invalid) refusedCase(builder, served, invalid, { json: body, when });
}

/** A wrong type of what the model is asked, and a value outside the bounds of the first parameter that has any. */
function wrongValues(builder: CaseBuilder, { protocol }: ServedProtocol): readonly Asked[] {
  const all = builder.asked('parameters', protocol).flat();
  const ofContent = `${protocol}.param.${protocolFacts[protocol].content}.type`;
  return [
    ...all.filter(({ requirement }) => requirement === ofContent).slice(0, 1),
    ...all.filter(isOutOfRange).slice(0, 1),
  ];
}

function refusedCellCase(builder: CaseBuilder, model: ModelName, cell: MatrixCell): void {
  const { family, protocol, group, stream } = cell;
  const ofModelCell = { ...cell, model: model.name };
  const open = openCell(builder.scope, ofModelCell);
  if (open !== null && 'undeclared' in open) return;
  const caller = { family, group, model: model.name };
  builder.add({
    ...caseOfModel(`families.${family}.${protocol}.${group}`, model),
    title: `${nameOf(ofModelCell)}: ${expectationOf(cell)}`,
    cell: { family, protocol, group, stream, model: model.name },
    requirements: requirementsOf(cell),
    needs: open,
    check: () => {
      builder.send(cellId(caller, protocol), protocol, {
        json: cellBody(cell),
        callers: [caller],
        expect: 'refusal',
        when: [{ kind: 'recorded', all: builder.cells(protocol) }],
      });
      return refusedCheck(builder, ofModelCell, requirementsOf(cell)[0] ?? '');
    },
  });
}

export const caseOfModel = (id: string, { family, name }: ModelName): Pick<NewCase, 'id' | 'model'> => ({
  id: ofModel(id, { family, model: name }),
  model: { family, name },
});

/** A protocol on which a model must be served, and what is asked there. */
export interface ServedProtocol {
  readonly protocol: Protocol;
  readonly model: ModelName;
  /** One for each declared group that the interface names, in order of preference. */
  readonly callers: readonly [Caller, ...Caller[]];
  /** What the interface says of each caller without a stream. */
  readonly cell: MatrixCell;
  /** What it says of a stream; undefined where none must be served. */
  readonly streamCell: MatrixCell | undefined;
  /** The smallest request: of each caller one, until one is answered. */
  readonly cells: readonly string[];
  readonly body: Body;
  /** The stream, and the one that is asked for in other words where it is refused; none for images. */
  readonly streams: readonly string[];
}

function servedCell({ family, group }: Caller, protocol: Protocol, stream: boolean): MatrixCell | undefined {
  const cell = matrixCell({ family, group, protocol, stream });
  return cell?.expectation === 'served' ? cell : undefined;
}

/** Plans what is billed: the smallest request of each protocol that must serve the model, and a stream. */
export const servedProtocols = (builder: CaseBuilder, model: ModelName): readonly ServedProtocol[] =>
  protocols.flatMap((protocol): readonly ServedProtocol[] => {
    const [first, ...others] = modelCallers(builder.scope, model, protocol);
    const cell = first && servedCell(first, protocol, false);
    if (first === undefined || cell === undefined) return [];
    const callers = [first, ...others] as const;
    const streamCell = servedCell(first, protocol, true);
    const asked = cellBody(cell);
    const body = (protocol === 'images' ? withSmallestImage(asked) : asked) as Body;
    const cells = sendCells(builder, { protocol, callers, body });
    const streams = streamCell ? sendStreams(builder, { protocol, callers, cells }) : [];
    return [{ protocol, model, callers, cell, streamCell, cells, body, streams }];
  });

/** Asks the groups one after another, until one serves: which one does is not stated everywhere. */
function sendCells(
  builder: CaseBuilder,
  { protocol, callers, body }: Pick<ServedProtocol, 'protocol' | 'callers' | 'body'>,
): readonly string[] {
  const ids = callers.map((caller) => cellId(caller, protocol));
  return callers.map((caller, at) =>
    builder.send(cellId(caller, protocol), protocol, {
      json: body,
      callers: [caller],
      stage: 'discovery',
      ...(at > 0 ? { when: [{ kind: 'unanswered', all: ids.slice(0, at) }], billed: 0 } : {}),
    }),
  );
}

/** A stream that gives a random word back, and one without it where that is refused: there are filters of contents. */
function sendStreams(
  builder: CaseBuilder,
  { protocol, callers, cells }: Pick<ServedProtocol, 'protocol' | 'callers' | 'cells'>,
): readonly string[] {
  if (!isTextProtocol(protocol)) return [];
  const when: readonly Condition[] = [{ kind: 'answered', any: cells }];
  const json = { ...asking(protocol, `Reply with the word ${builder.data.nonce()}.`), stream: true };
  const id = builder.send(ofModel(plainStreamId(protocol), callers[0]), protocol, { json, callers, when });
  const plain = builder.send(ofModel(`${plainStreamId(protocol)}.plain`, callers[0]), protocol, {
    json: plainStream(protocol),
    callers,
    billed: 0,
    when: [...when, { kind: 'refused', exchange: id }],
  });
  return [id, plain];
}
