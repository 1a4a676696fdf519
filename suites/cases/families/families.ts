import { cellsWhere, type MatrixCell, matrix } from '../../../spec/matrix.ts';
import {
  drawsImages,
  protocols,
  isTextProtocol,
  type Protocol,
  textProtocols,
} from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { cellId, inventedPathId, offeredId, inSituationId } from '../../types/request-ids.ts';
import { cellCase, nameOf, refusedCheck, largerRequests } from './cells.ts';
import { sendCell, openCell } from './cell-requests.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { Check } from '../../types/checks/check.ts';
import { noCaller, contradictedCallers } from '../builder/callers.ts';
import { isSmoke } from '../builder/request-builder.ts';
import { type Situation, situationsFor } from '../combinations/situations.ts';

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
