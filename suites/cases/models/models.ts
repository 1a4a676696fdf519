import { type MatrixCell, cellsWhere, matrixCell } from '../../../spec/matrix.ts';
import { isTextProtocol, type Protocol, protocols } from '../../../spec/vocabulary.ts';
import type { CaseBuilder, NewCase } from '../builder/case-builder.ts';
import { cellId, plainStreamId, invalidTokenId, ofModel } from '../../types/request-ids.ts';
import { contradictedFamilies, modelCallers } from '../builder/callers.ts';
import { expectationOf, nameOf, openCell, refusedCheck, requirementsOf } from '../families/cells.ts';
import { fieldRequirements, fieldsInWords } from '../results/results.ts';
import { streamRequirements } from '../streams/streams.ts';
import type { ModelName } from '../../types/case.ts';
import { type Body, asking, cellBody, plainStream, withSmallestImage } from '../builder/bodies.ts';
import type { Caller, Condition } from '../../types/plan.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { RequestOverrides } from '../builder/request-builder.ts';
import { type Asked, changed, isOutOfRange } from '../probes/asked.ts';
import { addRefused } from '../probes/refused-probe.ts';

/** Further models of each family: whether they are served, results, streams, a few refusals. All else the first shows. */
export function modelCases(builder: CaseBuilder): void {
  const before = builder.data.drawn().length;
  for (const { family, name } of builder.scope.further ?? []) {
    const model: ModelName = { family, name };
    const served = servedProtocols(builder, model);
    for (const each of served) {
      servedCases(builder, each);
      resultCases(builder, each);
      streamCase(builder, each);
    }
    if (served.length > 0) refusalCases(builder, model, served);
  }
  // A reply to one model shows no word of a request to another (3).
  const words = builder.data.drawn().slice(before);
  if (words.length === 0) return;
  builder.add({
    id: 'results.own-context.models',
    title: 'a reply shows nothing of a request to another model',
    requirement: 'states.only-relation',
    check: () => ({ kind: 'own-context', probes: [], words }),
  });
}

function servedCases(builder: CaseBuilder, served: ServedProtocol): void {
  const { cell, streamCell, protocol, cells, streams, callers } = served;
  const ofFirst = callers.map(({ family, group }) => cellId({ family, group }, protocol));
  const prerequisites = [...builder.cells(protocol), ...ofFirst];
  servedCase(builder, served, cell, { probes: cells, prerequisites });
  if (streamCell !== undefined && isTextProtocol(protocol))
    servedCase(builder, served, streamCell, { probes: streams, prerequisites: [builder.streamed(protocol)] });
}

function servedCase(
  builder: CaseBuilder,
  { model, protocol }: ServedProtocol,
  cell: MatrixCell,
  of: { readonly probes: readonly string[]; readonly prerequisites: readonly string[] },
): void {
  const { family, group, stream, anyGroup } = cell;
  const requirement = anyGroup ? `family.${family}.${protocol}` : requirementsOf(cell)[0];
  if (requirement === undefined) throw new Error(`no requirement serves ${family} on ${protocol}`);
  const where = anyGroup ? 'some-group' : group;
  const who = anyGroup ? 'at least one declared group' : `a ${group} token`;
  const ofModelCell = { family, protocol, group, stream, model: model.name };
  const sameModel = contradictedFamilies(builder.scope, ofModelCell);
  builder.add({
    ...caseOfModel(`families.${family}.${protocol}.${where}${stream ? '.stream' : ''}`, model),
    title: `${family} model ${model.name} on ${protocol} is served with ${who}${stream ? ', streamed' : ''}`,
    ...(anyGroup ? {} : { cell: ofModelCell }),
    requirements: [requirement],
    needs: sameModel ? { sameModel } : null,
    check: () => ({ kind: 'served', requirement, ...of }),
  });
}

/** The fields of its results, and no stream where none was asked for. */
function resultCases(builder: CaseBuilder, { protocol, model, cells, cell }: ServedProtocol): void {
  const requirements = fieldRequirements(protocol);
  const [probe] = cells;
  builder.add({
    ...caseOfModel(`results.${protocol}.fields`, model),
    title: `every result of ${protocol} with model ${model.name} has ${fieldsInWords()}`,
    requirements,
    check: () => ({ kind: 'result-fields', protocol, requirements, probes: cells }),
  });
  const requirement = cell.requirements.find((id) => id === 'chat-image.reply');
  if (requirement !== undefined && probe !== undefined)
    builder.add({
      ...caseOfModel('results.chat-image.reply', model),
      title: `image model ${model.name} on chat replies with a chat completion`,
      requirements: [requirement],
      needs: protocol,
      check: () => ({ kind: 'chat-completion', requirement, probe, again: [] }),
    });
  if (!isTextProtocol(protocol)) return;
  const ofDefault = `${protocol}.param.stream.default`;
  builder.add({
    ...caseOfModel(`streams.${protocol}.default`, model),
    title: `${protocol} with model ${model.name} streams only when asked to`,
    requirements: [ofDefault],
    check: () => ({ kind: 'unstreamed', requirement: ofDefault, protocol, declined: false, probes: cells }),
  });
}

function streamCase(builder: CaseBuilder, { protocol, model, streams: [probe] }: ServedProtocol): void {
  if (probe === undefined || !isTextProtocol(protocol)) return;
  builder.add({
    ...caseOfModel(`streams.${protocol}.shape`, model),
    title: `every stream of ${protocol} with model ${model.name} is given, readable and whole`,
    requirements: streamRequirements(protocol),
    check: () => ({ kind: 'stream', protocol, probes: [probe] }),
  });
}

/** What must be refused with this model: none of it is billed, and each has what is answered as its control. */
function refusalCases(builder: CaseBuilder, model: ModelName, served: readonly ServedProtocol[]): void {
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

const caseOfModel = (id: string, { family, name }: ModelName): Pick<NewCase, 'id' | 'model'> => ({
  id: ofModel(id, { family, model: name }),
  model: { family, name },
});

function servedCell({ family, group }: Caller, protocol: Protocol, stream: boolean): MatrixCell | undefined {
  const cell = matrixCell({ family, group, protocol, stream });
  return cell?.expectation === 'served' ? cell : undefined;
}

/** One for each declared group that the interface names, in order of preference. */
type Callers = readonly [Caller, ...Caller[]];

/** A protocol on which a model must be served, and what is asked there. */
type ServedProtocol = ReturnType<typeof servedProtocols>[number];

/** Plans what is billed: the smallest request of each protocol that must serve the model, and a stream. */
const servedProtocols = (builder: CaseBuilder, model: ModelName) =>
  protocols.flatMap((protocol) => {
    const [first, ...others] = modelCallers(builder.scope, model, protocol);
    const cell = first && servedCell(first, protocol, false);
    if (first === undefined || cell === undefined) return [];
    const callers = [first, ...others] as const;
    const streamCell = servedCell(first, protocol, true);
    const asked = cellBody(cell);
    const body = (protocol === 'images' ? withSmallestImage(asked) : asked) as Body;
    /** The smallest request: of each caller one, until one is answered. */
    // Asks the groups one after another, until one serves: which one does is not stated everywhere.
    const ids = callers.map((caller) => cellId(caller, protocol));
    const cells = callers.map((caller, at) =>
      builder.send(cellId(caller, protocol), protocol, {
        json: body,
        callers: [caller],
        stage: 'discovery',
        ...(at > 0 ? { when: [{ kind: 'unanswered', all: ids.slice(0, at) }], billed: 0 } : {}),
      }),
    );
    /** The stream, and the one that is asked for in other words where it is refused; none for images. */
    const streams = streamCell ? sendStreams(builder, protocol, callers, cells) : [];
    return [{ protocol, model, callers, cell, streamCell, cells, body, streams }];
  });

/** A stream that gives a random word back, and one without it where that is refused: there are filters of contents. */
function sendStreams(builder: CaseBuilder, protocol: Protocol, callers: Callers, cells: readonly string[]) {
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
