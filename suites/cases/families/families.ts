import { cellsWhere, matrix, type MatrixCell } from '../../../spec/matrix.ts';
import {
  drawsImages,
  type Group,
  isTextProtocol,
  type Protocol,
  protocols,
  textProtocols,
} from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { cellId, inSituationId, inventedPathId, offeredId } from '../../types/request-ids.ts';
import { cellCase, largerRequests, nameOf, openCell, refusedCheck, sendCell } from './cells.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { Check } from '../../types/checks/check.ts';
import { contradictedCallers, noCaller } from '../builder/callers.ts';
import { isSmoke } from '../builder/request-builder.ts';
import { type Situation, situationsFor } from '../combinations/situations.ts';
import type { Template } from '../../types/template.ts';
import { cellBody } from '../builder/bodies.ts';

/** What must be refused for its family is refused with all else (2.2, 4): each cell in one row of the array, not in `smoke`. */
export function refusedSituationCases(builder: CaseBuilder): void {
  if (builder.depth.profile === 'smoke') return;
  for (const protocol of textProtocols) {
    // An id of another model's response would be refused for itself.
    const rows = situationsFor(builder, protocol, '').filter(({ body }) => !('previous_response_id' in body));
    for (const [at, cell] of cellsWhere({ protocol, expectation: 'refused', stream: false }).entries()) {
      const row = rows[at % rows.length];
      if (row !== undefined) refusedCase(builder, cell, row);
    }
  }
}

function refusedCase(builder: CaseBuilder, cell: MatrixCell, { row, number, body, stream }: Situation): void {
  const { family, protocol, group, requirements } = cell;
  const [requirement] = requirements;
  // The case of the cell itself says why it can't be judged.
  if (requirement === undefined || openCell(builder.scope, cell) !== null) return;
  builder.add({
    id: `families.${family}.${protocol}.${group}.in.${number}`,
    title: `${nameOf(cell)}: must be refused, also in row ${number} of the combinations`,
    requirement,
    cell: { family, protocol, group, stream },
    needs: protocol,
    check: () => {
      const plain = refusedCheck(builder, cell, requirement);
      const asked = {
        json: body,
        callers: [{ family, group }],
        when: [{ kind: 'recorded', all: [row] }],
      } as const;
      const probe = builder.send(inSituationId(plain.probe, number), protocol, {
        expect: 'refusal',
        ...asked,
      });
      // What is streamed has controls that are.
      const { controls } = refusedCheck(builder, { ...cell, stream }, requirement);
      return { ...plain, probe, controls: [row, ...controls], controlMayBeRefused: true };
    },
  });
}

/** Stated without naming the group: one that serves is enough. */
function someGroupCases(builder: CaseBuilder, protocol: Protocol): void {
  const { families, group } = protocolFacts[protocol].callers;
  if (group !== 'any') return;
  const [family] = families;
  const contradicted = contradictedCallers(builder.scope, protocol, builder.callers(protocol));
  const common = {
    requirement: `family.${family}.${protocol}`,
    needs: contradicted ? { sameModel: contradicted.families } : protocol,
  };
  const id = `families.${family}.${protocol}.some-group`;
  const title = `${family} model on ${protocol} is served for at least one declared group`;
  const fallback = () => largerRequests(builder, protocol);
  builder.add({
    id,
    title,
    ...common,
    check: () => ({ kind: 'served', probes: builder.cells(protocol), fallback: fallback() }),
  });
  if (!isTextProtocol(protocol)) return;
  const streams = () => builder.callers(protocol).map((caller) => cellId(caller, protocol, true));
  builder.add({
    id: `${id}.stream`,
    title: `${title}, streamed`,
    ...common,
    check: () => ({ kind: 'served', probes: streams(), prerequisites: [builder.streamed(protocol)] }),
  });
}

/** Where nothing can be asked of an endpoint, whether it is there: a token and no model is enough to see that. */
function undeclaredEndpoint(builder: CaseBuilder, protocol: Protocol): Check {
  const reason = noCaller(protocol);
  const { depth, scope, data } = builder;
  const [[family], [group]] = [scope.families, scope.groups];
  if (family === undefined || group === undefined || isSmoke(depth)) return { kind: 'undeclared', reason };
  const asked = { json: {}, callers: [{ family, group }], expect: 'refusal' } as const;
  const path = `/v1/${data.unknownParameter}`;
  const probe = builder.send(offeredId(protocol), protocol, asked);
  const invented = builder.send(inventedPathId(protocol), protocol, { ...asked, path });
  return { kind: 'undeclared', reason, offered: { probe, invented } };
}

/** The path of a protocol answers, and still does after the requests that must be refused. */
function endpointCases(builder: CaseBuilder, protocol: Protocol): void {
  const requirement = `${protocol}.endpoint`;
  const id = `families.${protocol}.endpoint`;
  const isDeclared = builder.callers(protocol).length > 0;
  const served = (): Check => {
    const probes = builder.cells(protocol);
    return { kind: 'served', requirement, probes, fallback: largerRequests(builder, protocol) };
  };
  builder.add({
    id,
    title: `${protocol} answers on its path`,
    requirements: [requirement],
    needs: isDeclared ? protocol : null,
    check: () => (isDeclared ? served() : undeclaredEndpoint(builder, protocol)),
  });
  builder.add({
    id: `${id}.after`,
    title: `${protocol} still answers after the requests that it must refuse`,
    requirement,
    check: () => {
      const before = builder.controls(protocol);
      return { kind: 'still-served', before, after: builder.after(protocol) };
    },
  });
}

/** Every family × protocol × group × stream cell (2.2, 4, 4.5, 5 rule 3). */
export function familyCases(builder: CaseBuilder): void {
  const cells = matrix().filter(isWorthItsPrice);
  // The cells go before all else: who streams is known before a stream is asked for elsewhere.
  for (const cell of [...cells].sort(byPreference(builder))) sendCell(builder, cell);
  for (const cell of cells) cellCase(builder, cell);
  for (const protocol of protocols) someGroupCases(builder, protocol);
  for (const protocol of protocols) endpointCases(builder, protocol);
}

/** In the order in which the callers of a protocol are preferred, so that one may stand in for those before it. */
function byPreference(builder: CaseBuilder): (one: MatrixCell, other: MatrixCell) => number {
  const places = new Map(protocols.flatMap(builder.cells).map((id, place) => [id, place]));
  const place = (cell: MatrixCell): number =>
    places.get(cellId(cell, cell.protocol, cell.stream)) ?? places.size;
  return (one, other) => place(one) - place(other);
}

/** What is unspecified is asked only where the answer is worth its price: an image is not cheap. */
function isWorthItsPrice(cell: MatrixCell): boolean {
  if (cell.expectation !== 'unspecified') return true;
  if (!drawsImages(cell.family)) return cell.protocol !== 'images' || cell.group === 'default';
  const drawsInChat = cell.family === 'chat-image' && cell.protocol === 'chat';
  return cell.stream ? drawsInChat && cell.group === 'default' : drawsInChat || cell.group === 'default';
}

/** What a gateway may take for the group of a request, in place of that of its token (2.1). */
interface Bypass {
  readonly as: string;
  readonly words: string;
  readonly headers?: (group: Group) => Readonly<Record<string, string>>;
  readonly fields?: (group: Group) => Readonly<Record<string, Template>>;
}

/** What gateways pass a group on by, behind what tells it. */
const bypasses: readonly Bypass[] = [
  ...['X-Group', 'X-Consumer-Groups'].map((name) => ({
    as: name.toLowerCase(),
    words: `the header ${name}`,
    headers: (group: Group) => ({ [name.toLowerCase()]: group }),
  })),
  { as: 'group', words: 'the member `group`', fields: (group) => ({ group }) },
  {
    as: 'model-suffix',
    words: 'a suffix of the model',
    fields: (group) => ({ model: { $: 'model', suffix: `:${group}` } }),
  },
  {
    as: 'model-prefix',
    words: 'a prefix of the model',
    fields: (group) => ({ model: { $: 'model', prefix: `${group}/` } }),
  },
];

/** The group that is served in the place of a refused one. */
const servedGroup = ({ family, protocol, stream }: MatrixCell): Group | undefined =>
  cellsWhere({ family, protocol, stream, expectation: 'served' })[0]?.group;

/** How a request asks for a stream, with what its case is called by: a gateway may look at one kind alone. */
interface StreamLevel {
  /** Left out where it is undefined. */
  readonly stream?: boolean;
  readonly suffix: string;
}
const leftOut: StreamLevel = { suffix: '' };
const given: readonly StreamLevel[] = [
  { stream: true, suffix: '.streamed' },
  { stream: false, suffix: '.unstreamed' },
];

/** What is refused for its group stays refused where the request names the served one (2.1, 5): each way on each cell; not in `smoke`. */
export function groupBypassCases(builder: CaseBuilder): void {
  const cells = cellsWhere({ expectation: 'refused', stream: false }).flatMap((cell) => {
    const group = servedGroup(cell);
    return group ? [{ cell, group }] : [];
  });
  for (const [at, { cell, group }] of cells.entries())
    for (const [number, bypass] of bypasses.entries()) {
      const turn = (at + number) % given.length;
      for (const level of [leftOut, ...given.slice(turn, turn + 1)])
        bypassCase(builder, cell, group, bypass, level);
    }
}

function bypassCase(
  builder: CaseBuilder,
  cell: MatrixCell,
  group: Group,
  { as, words, headers, fields }: Bypass,
  { stream, suffix }: StreamLevel,
): void {
  const { family, protocol, requirements } = cell;
  const asked = { ...cell, stream: stream === true };
  const [requirement] = requirements;
  if (requirement === undefined) return;
  builder.add({
    id: `families.${family}.${protocol}.${cell.group}.by.${as}${suffix}`,
    title: `${nameOf(asked)}: must be refused, also where ${words} names the ${group} group`,
    requirement,
    cell: { family, protocol, group: cell.group, stream: asked.stream },
    needs: openCell(builder.scope, cell) ?? protocol,
    check: () => {
      const plain = refusedCheck(builder, cell, requirement);
      const given = { ...(stream === undefined ? {} : { stream }), ...fields?.(group) };
      const probe = builder.send(inSituationId(plain.probe, `${as}${suffix}`), protocol, {
        expect: 'refusal',
        json: { ...Object(cellBody(cell)), ...given },
        ...(headers ? { headers: headers(group) } : {}),
        callers: [{ family, group: cell.group }],
        when: [{ kind: 'recorded', all: builder.cells(protocol) }],
      });
      return { ...plain, probe };
    },
  });
}
