import { type MatrixCell, matrix } from '../../../spec/matrix.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import { cellBody } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { cellId, invalidTokenId } from '../../types/request-ids.ts';
import type { RequestOverrides } from '../builder/planned-request.ts';
import { openCell } from '../families/cell-requests.ts';
import { expectationOf, nameOf, refusedCheck, requirementsOf } from '../families/cells.ts';
import { type Asked, changed, isOutOfRange } from '../probes/asked.ts';
import { addRefused } from '../probes/refused-probe.ts';
import type { ModelName } from '../../types/case.ts';
import { ofModel } from '../../types/model-id.ts';
import { caseOfModel, type ServedProtocol } from './model-requests.ts';

/** What must be refused with this model: none of it is billed, and each has what is answered as its control. */
export function refusalCases(
  builder: CaseBuilder,
  model: ModelName,
  served: readonly ServedProtocol[],
): void {
  const [first] = served;
  if (first !== undefined) invalidTokenCase(builder, first);
  for (const each of served)
    for (const asked of wrongValues(builder, each))
      refusedCase(builder, each, asked, { json: changed(asked, each.body), stream: false });
  const unserved = matrix().filter(
    ({ family, stream, expectation }) => family === model.family && !stream && expectation === 'refused',
  );
  for (const cell of unserved) refusedCellCase(builder, model, cell);
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
  const invalid = builder
    .asked('authentication', protocol)
    .flat()
    .find(({ id }) => id === invalidTokenId(protocol, 'first'));
  if (invalid)
    refusedCase(builder, served, invalid, { json: body, when: [{ kind: 'recorded', all: cells }] });
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
  builder.add(
    {
      ...caseOfModel(`families.${family}.${protocol}.${group}`, model),
      title: `${nameOf(ofModelCell)}: ${expectationOf(cell)}`,
      cell: { family, protocol, group, stream, model: model.name },
      requirements: requirementsOf(cell),
    },
    open,
    () => {
      builder.send(cellId(caller, protocol), protocol, {
        json: cellBody(cell),
        callers: [caller],
        expect: 'refusal',
        when: [{ kind: 'recorded', all: builder.cells(protocol) }],
      });
      return refusedCheck(builder, ofModelCell, requirementsOf(cell)[0] ?? '');
    },
  );
}
