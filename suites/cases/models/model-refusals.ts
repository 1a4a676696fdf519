import { type MatrixCell, matrix } from '../../../spec/matrix.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import { type Body, cellBody } from '../builder/bodies.ts';
import type { CaseBuilder, NewCase } from '../builder/case-builder.ts';
import { cellId, invalidTokenForm, invalidTokenId } from '../builder/request-ids.ts';
import type { RequestOverrides } from '../builder/planned-request.ts';
import { openCell } from '../families/cell-requests.ts';
import { expectationOf, nameOf, refusedCheck, requirementsOf } from '../families/cells.ts';
import { type Asked, changed } from '../probes/asked.ts';
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
    for (const wrong of wrongValues(builder, each)) wrongValueCase(builder, each, wrong);
  const unserved = matrix().filter(
    ({ family, stream, expectation }) => family === model.family && !stream && expectation === 'refused',
  );
  for (const cell of unserved) refusedCellCase(builder, model, cell);
}

/** A request that is wrong in one thing, and what its case is called. */
interface WrongRequest {
  readonly id: NewCase['id'];
  readonly title: string;
  readonly requirement: string;
  readonly requestId: string;
  readonly rule: string;
  readonly overrides: RequestOverrides;
}

function refusedCase(
  builder: CaseBuilder,
  { protocol, model, callers, cells, body }: ServedProtocol,
  { id, title, requirement, requestId, rule, overrides }: WrongRequest,
): void {
  builder.add(
    {
      ...caseOfModel(id, model),
      title: `${protocol} with model ${model.name} refuses ${title}`,
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'refused',
      requirement,
      probe: builder.send(ofModel(requestId, callers[0]), protocol, {
        json: body,
        when: [{ kind: 'answered', any: cells }],
        ...overrides,
        callers,
        expect: 'refusal',
      }),
      controls: cells,
      rule,
    }),
  );
}

function invalidTokenCase(builder: CaseBuilder, served: ServedProtocol): void {
  const { protocol } = served;
  refusedCase(builder, served, {
    id: `authentication.${protocol}.${invalidTokenForm('first')}`,
    title: 'a token that was never issued',
    requirement: `${protocol}.auth.invalid`,
    requestId: invalidTokenId(protocol, 'first'),
    rule: 'a token that was never issued',
    overrides: {
      credential: { form: 'invalid', token: builder.data.invalidTokens[0] },
      when: [{ kind: 'recorded', all: served.cells }],
    },
  });
}

/** A wrong type of what the model is asked, and a value outside the bounds of the first parameter that has any. */
function wrongValues(builder: CaseBuilder, { protocol }: ServedProtocol): readonly Asked[] {
  const all = builder.asked('parameters', protocol).flat();
  const ofContent = `${protocol}.param.${protocolFacts[protocol].content}.type`;
  return [
    ...all.filter(({ requirement }) => requirement === ofContent).slice(0, 1),
    ...all.filter(({ requirement }) => requirement.endsWith('.range')).slice(0, 1),
  ];
}

function wrongValueCase(builder: CaseBuilder, served: ServedProtocol, asked: Asked): void {
  refusedCase(builder, served, {
    id: asked.caseId as NewCase['id'],
    title: asked.what ?? '',
    requirement: asked.requirement,
    requestId: asked.id,
    rule: asked.rule ?? '',
    overrides: { json: changed(asked, served.body) as Body, stream: false },
  });
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
