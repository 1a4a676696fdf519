import { type MatrixCell, matrixCell } from '../../../spec/matrix.ts';
import { isTextProtocol, type Protocol, protocols } from '../../../spec/vocabulary.ts';
import { modelCallers } from '../builder/callers.ts';
import { type Body, asking, cellBody, plainStream } from '../builder/bodies.ts';
import type { CaseBuilder, NewCase } from '../builder/case-builder.ts';
import { cellId, plainStreamId } from '../../types/request-ids.ts';
import { withSmallestImage } from '../builder/smallest-image.ts';
import type { ModelName } from '../../types/case.ts';
import { ofModel } from '../../types/model-id.ts';
import type { Caller, Condition } from '../../types/plan.ts';

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
export function servedProtocols(builder: CaseBuilder, model: ModelName): readonly ServedProtocol[] {
  return protocols.flatMap((protocol): readonly ServedProtocol[] => {
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
}

/** Asks the groups one after another, until one serves: which one does is not stated everywhere. */
function sendCells(
  builder: CaseBuilder,
  { protocol, callers, body }: Pick<ServedProtocol, 'protocol' | 'callers' | 'body'>,
): readonly string[] {
  const ids = callers.map((caller) => cellId(caller, protocol));
  for (const [at, caller] of callers.entries())
    builder.send(cellId(caller, protocol), protocol, {
      json: body,
      callers: [caller],
      stage: 'discovery',
      ...(at > 0 ? { when: [{ kind: 'unanswered', all: ids.slice(0, at) }], billed: 0 } : {}),
    });
  return ids;
}

/** A stream that gives a random word back, and one without it where that is refused: there are filters of contents. */
function sendStreams(
  builder: CaseBuilder,
  { protocol, callers, cells }: Pick<ServedProtocol, 'protocol' | 'callers' | 'cells'>,
): readonly string[] {
  if (!isTextProtocol(protocol)) return [];
  const id = ofModel(plainStreamId(protocol), callers[0]);
  const when: readonly Condition[] = [{ kind: 'answered', any: cells }];
  const words = `Reply with the word ${builder.data.nonce()}.`;
  return [
    builder.send(id, protocol, { json: { ...asking(protocol, words), stream: true }, callers, when }),
    builder.send(ofModel(`${plainStreamId(protocol)}.plain`, callers[0]), protocol, {
      json: plainStream(protocol),
      callers,
      billed: 0,
      when: [...when, { kind: 'refused', exchange: id }],
    }),
  ];
}
