import { type MatrixCell, matrix } from '../../spec/matrix.ts';
import {
  type Cell,
  drawsImages,
  type Family,
  type Group,
  type Protocol,
  protocols,
} from '../../spec/vocabulary.ts';
import type { Check } from '../checks/registry.ts';
import type { Condition, PlannedRequest } from '../model/plan.ts';
import { cellBody } from './builder/bodies.ts';
import { cellId, type CaseBuilder } from './builder/case-builder.ts';
import type { Scope } from '../model/scope.ts';
import { fullRequest, listedRequest } from './optional-parameters.ts';

/** Every family × protocol × group × stream cell (2.2, 4, 4.5, 5 rule 3). */
export function familyCases(builder: CaseBuilder): void {
  const cells = matrix().filter(asked);
  // The cells go before all else: who streams is known before a stream is asked for elsewhere.
  for (const cell of cells) if (undeclared(builder, cell) === null) sendCell(builder, cell);
  for (const cell of cells) cellCase(builder, cell);
  someGroupCases(builder, 'general', 'responses', 'family.general.responses');
  someGroupCases(builder, 'image', 'images', 'family.image.images');
  for (const protocol of protocols) endpointCases(builder, protocol);
}

/** What the document leaves open is asked only where the answer is worth its price: an image is not cheap. */
function asked(cell: MatrixCell): boolean {
  if (cell.expectation !== 'unspecified') return true;
  if (!drawsImages(cell.family)) return cell.protocol !== 'images';
  const drawsInChat = cell.family === 'chat-image' && cell.protocol === 'chat';
  return cell.stream ? drawsInChat && cell.group === 'default' : drawsInChat || cell.group === 'default';
}

const wishes: Readonly<Record<MatrixCell['expectation'], Pick<PlannedRequest, 'expect' | 'stage'>>> = {
  served: { expect: 'answer', stage: 'discovery' },
  conflict: { expect: 'either', stage: 'open' },
  unspecified: { expect: 'either', stage: 'open' },
  refused: { expect: 'refusal', stage: 'invalid' },
};

function sendCell(builder: CaseBuilder, cell: MatrixCell): string {
  const unstreamed = cellId(cell, cell.protocol);
  const wish = wishes[cell.expectation];
  const home = builder.cells(cell.protocol);
  const follows = cell.stream && wish.expect !== 'refusal' && cell.expectation !== 'conflict';
  const waits = follows ? [unstreamed] : wish.stage === 'discovery' ? [] : home;
  // Output where none is due is a violation whatever the control did.
  const condition: Condition =
    wish.expect === 'refusal' ? { kind: 'recorded', all: waits } : { kind: 'answered', any: waits };
  return builder.send(cellId(cell, cell.protocol, cell.stream), cell.protocol, {
    ...wish,
    ...(cell.stream && wish.stage === 'discovery' ? { stage: 'valid' } : {}),
    json: cellBody(cell),
    callers: [{ family: cell.family, group: cell.group }],
    when: waits.length > 0 ? [condition] : [],
  });
}

function undeclared({ scope }: CaseBuilder, cell: MatrixCell): string | null {
  const { family, group } = cell;
  if (!scope.families.includes(family)) return `no ${family} model is declared`;
  if (!scope.groups.includes(group)) return `no ${group} token is declared`;
  const twin = cell.expectation === 'refused' ? servedTwin(scope, cell) : undefined;
  return twin === undefined ? null : `tokens.${group} and tokens.${twin} are the same token`;
}

/** A token is bound to one group (2.1): the same request can't be refused for one and taken for another. */
function servedTwin({ shared = [] }: Scope, cell: Cell): Group | undefined {
  const groups = shared.find((those) => those.includes(cell.group)) ?? [];
  const isRow = (other: Cell): boolean =>
    other.family === cell.family && other.protocol === cell.protocol && other.stream === cell.stream;
  const open = matrix().filter((other) => isRow(other) && other.expectation !== 'refused');
  return groups.find((group) => open.some((other) => other.group === group));
}

function cellCase(builder: CaseBuilder, cell: MatrixCell): void {
  const { family, protocol, group, stream } = cell;
  builder.add(
    {
      id: `families.${family}.${protocol}.${group}${stream ? '.stream' : ''}`,
      title: `${family} model on ${protocol} with a ${group} token${stream ? ', streamed' : ''}: ${expected(cell)}`,
      suite: 'families',
      cell: { family, protocol, group, stream },
      requirements: cell.anyGroup ? cell.requirements.filter((id) => id.endsWith('groups')) : mine(cell),
    },
    undeclared(builder, cell),
    () => cellCheck(builder, cell, sendCell(builder, cell)),
  );
}

const expected = ({ expectation, anyGroup }: MatrixCell): string => {
  if (expectation === 'conflict') return 'the document contradicts itself';
  return expectation === 'unspecified' || anyGroup ? 'left open' : `must be ${expectation}`;
};

/** What the reply must look like is judged by the results suite. */
const mine = (cell: MatrixCell): readonly string[] =>
  cell.requirements.filter((id) => id !== 'chat-image.reply');

function cellCheck(builder: CaseBuilder, cell: MatrixCell, probe: string): Check {
  const { protocol } = cell;
  const [requirement = ''] = mine(cell);
  if (cell.expectation === 'unspecified' || cell.anyGroup) {
    const open = cell.anyGroup
      ? (cell.requirements.find((id) => id.endsWith('groups')) ?? requirement)
      : requirement;
    const subject = `${cell.family} model on ${protocol} with a ${cell.group} token${cell.stream ? ', streamed' : ''}`;
    return {
      kind: 'observe',
      requirement: open,
      section: '2.2',
      subject,
      aspect: 'answer-or-refusal',
      protocol,
      probes: [probe],
    };
  }
  if (cell.expectation === 'served') {
    if (cell.stream && protocol !== 'images') {
      return { kind: 'served', requirement, probes: [probe], prerequisites: [builder.streamed(protocol)] };
    }
    const [home] = builder.cells(protocol);
    if (home === probe)
      return { kind: 'served', requirement, probes: [probe], fallback: fuller(builder, protocol) };
    return { kind: 'served', requirement, probes: [probe], ...(home ? { prerequisites: [home] } : {}) };
  }
  const controls = cellControls(builder, cell);
  if (cell.expectation === 'conflict') {
    const [refused = '', served = ''] = cell.requirements;
    const both = [cellId(cell, protocol), cellId(cell, protocol, true)];
    return {
      kind: 'conflict',
      conflict: 'family-conversational-chat',
      refused,
      served,
      probes: cell.stream ? both : both.slice(0, 1),
      controls,
    };
  }
  return {
    kind: 'refused',
    requirement,
    probe,
    controls,
    ...(builder.callers(protocol).length > 0 ? { after: builder.after(protocol) } : {}),
    rule: cell.why,
    controlMayBeRefused: protocol !== 'messages',
  };
}

/** Where each text family is at home: the same model and token on another path. */
const ownProtocol = { general: 'responses', conversational: 'messages', multimodal: 'chat' } as const;

/** Where the smallest request is refused, a larger or another one shows that it was not for the family or the path. */
const fuller = (builder: CaseBuilder, protocol: Protocol) => ({
  probes: [
    builder.control(protocol),
    fullRequest(builder, protocol),
    ...(protocol === 'responses' ? [listedRequest(builder)] : []),
  ],
  smallest: builder.cells(protocol),
});

/** What differs from a cell in one thing and may work: another model, another protocol, or on Messages another token. */
function cellControls(builder: CaseBuilder, { family, protocol, group }: Cell): readonly string[] {
  if (protocol === 'messages') return builder.cells('messages');
  const models: readonly Family[] = protocol === 'responses' ? ['general'] : ['general', 'multimodal'];
  const own =
    family === 'conversational' || family === 'multimodal'
      ? [cellId({ family, group }, ownProtocol[family])]
      : [];
  return [...models.map((other) => cellId({ family: other, group }, protocol)), ...own];
}

/** Stated without naming the group: one that serves is enough. */
function someGroupCases(builder: CaseBuilder, family: Family, protocol: Protocol, requirement: string): void {
  for (const stream of protocol === 'images' ? [false] : [false, true]) {
    builder.add(
      {
        id: `families.${family}.${protocol}.some-group${stream ? '.stream' : ''}`,
        title: `${family} model on ${protocol} is served for at least one declared group${stream ? ', streamed' : ''}`,
        suite: 'families',
        requirements: [requirement],
      },
      protocol,
      () => ({
        kind: 'served',
        requirement,
        probes: stream
          ? builder.callers(protocol).map((caller) => cellId(caller, protocol, true))
          : builder.cells(protocol),
        ...(stream ? {} : { fallback: fuller(builder, protocol) }),
        ...(stream && protocol !== 'images' ? { prerequisites: [builder.streamed(protocol)] } : {}),
      }),
    );
  }
}

function endpointCases(builder: CaseBuilder, protocol: Protocol): void {
  const requirement = `${protocol}.endpoint`;
  const entry = { suite: 'families', requirements: [requirement] } as const;
  builder.add(
    { ...entry, id: `families.${protocol}.endpoint`, title: `${protocol} answers on its path` },
    protocol,
    () => ({
      kind: 'served',
      requirement,
      probes: builder.cells(protocol),
      fallback: fuller(builder, protocol),
    }),
  );
  builder.add(
    {
      ...entry,
      id: `families.${protocol}.endpoint.after`,
      title: `${protocol} still answers after the requests that it must refuse`,
    },
    protocol,
    () => ({
      kind: 'still-served',
      requirement,
      before: builder.control(protocol),
      after: builder.after(protocol),
    }),
  );
}
