import type { MatrixCell } from '../../../spec/matrix.ts';
import { isTextProtocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { cellId } from '../../types/request-ids.ts';
import { contradictedFamilies } from '../builder/callers.ts';
import { requirementsOf } from '../families/cells.ts';
import { fieldRequirements, fieldsInWords } from '../results/results.ts';
import { streamRequirements } from '../streams/streams.ts';
import type { ModelName } from '../../types/case.ts';
import { refusalCases, caseOfModel, type ServedProtocol, servedProtocols } from './model-requests.ts';

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
  crossedCase(builder, builder.data.drawn().slice(before));
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

/** A reply to one model shows no word of a request to another (3). */
function crossedCase(builder: CaseBuilder, words: readonly string[]): void {
  if (words.length === 0) return;
  builder.add({
    id: 'results.own-context.models',
    title: 'a reply shows nothing of a request to another model',
    requirement: 'states.only-relation',
    check: () => ({ kind: 'own-context', probes: [], words }),
  });
}
