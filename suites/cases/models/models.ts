import { extension } from '../../../spec/extension.ts';
import type { MatrixCell } from '../../../spec/matrix.ts';
import { isTextProtocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { cellId } from '../../types/request-ids.ts';
import { contradictedFamilies } from '../builder/callers.ts';
import { requirementsOf } from '../families/cells.ts';
import { fieldRequirements } from '../results/results.ts';
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
  servedCase(builder, served, cell, {
    probes: cells,
    prerequisites: [...builder.cells(protocol), ...ofFirst],
  });
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
    title: `every result of ${protocol} with model ${model.name} has the fields of ${extension() === undefined ? 'section 2' : 'the extension'}`,
    requirements,
    needs: protocol,
    check: () => ({ kind: 'result-fields', protocol, requirements, probes: cells }),
  });
  const reply = cell.requirements.find((id) => id === 'chat-image.reply');
  if (reply !== undefined && probe !== undefined)
    builder.add({
      ...caseOfModel('results.chat-image.reply', model),
      title: `image model ${model.name} on chat replies with a chat completion`,
      requirements: [reply],
      needs: protocol,
      check: () => ({ kind: 'chat-completion', requirement: reply, probe, again: [] }),
    });
  if (!isTextProtocol(protocol)) return;
  const requirement = `${protocol}.param.stream.default`;
  builder.add({
    ...caseOfModel(`streams.${protocol}.default`, model),
    title: `${protocol} with model ${model.name} streams only when asked to`,
    requirements: [requirement],
    needs: protocol,
    check: () => ({ kind: 'unstreamed', requirement, protocol, declined: false, probes: cells }),
  });
}

function streamCase(builder: CaseBuilder, { protocol, model, streams: [probe] }: ServedProtocol): void {
  if (probe === undefined || !isTextProtocol(protocol)) return;
  builder.add({
    ...caseOfModel(`streams.${protocol}.shape`, model),
    title: `every stream of ${protocol} with model ${model.name} is given, readable and whole`,
    requirements: streamRequirements(protocol),
    needs: protocol,
    check: () => ({ kind: 'stream', protocol, probes: [probe] }),
  });
}

/** A reply to one model shows no word of a request to another (3). */
function crossedCase(builder: CaseBuilder, words: readonly string[]): void {
  if (words.length === 0) return;
  const requirement = 'states.only-relation';
  builder.add({
    id: 'results.own-context.models',
    title: 'a reply shows nothing of a request to another model',
    requirements: [requirement],
    check: () => ({ kind: 'own-context', requirement, probes: [], words }),
  });
}
