import { isInputElementsId } from '../cases/builder/request-ids.ts';
import type { Check } from '../model/case.ts';
import type { ArrivalControls } from '../model/arrival-controls.ts';
import type { Plan, PlannedRequest, Template } from '../model/plan.ts';
import type { Protocol } from '../../spec/vocabulary.ts';

/** Ids of the exchanges that the arrival of a stream is held against. */
export const arrivalReads = ({ unstreamed, short, bounded }: ArrivalControls): readonly string[] => [
  unstreamed,
  ...short,
  ...bounded,
];

const isNamed = (id: string | undefined): id is string => id !== undefined;

/** Ids of the exchanges that a check reads, the one that it is about first. */
export function reads(check: Check): readonly string[] {
  switch (check.kind) {
    case 'undeclared':
      return [];
    case 'served':
      return [
        ...check.probes,
        ...(check.unless ?? []),
        ...(check.fuller ? [...check.fuller.probes, ...check.fuller.smallest] : []),
      ];
    case 'accepted':
      return [check.probe, ...check.controls, ...[check.after].filter(isNamed), ...(check.elsewhere ?? [])];
    case 'optional':
      return [...check.smallest, ...check.pairs.flatMap(({ without, full }) => [without, full])];
    case 'refused':
      return [check.probe, ...check.controls, check.after, ...Object.values(check.explained ?? {})].filter(
        isNamed,
      );
    case 'accepted-somehow':
    case 'conflict':
      return [...check.probes, ...check.controls];
    case 'still-served':
      return [check.after, check.before];
    case 'image-count':
    case 'image-url':
      return [check.probe];
    case 'chat-completion':
      return [check.probe, ...check.again];
    case 'branch':
      return [
        ...check.probes.flatMap(({ exchange, root, other }) => [exchange, root, other]),
        ...check.controls.map(({ exchange }) => exchange),
        check.plain,
      ];
    case 'token-limit':
      return [...check.probes.map((probe) => probe.exchange), check.control, check.plain];
    case 'incremental':
      return [...check.probes, ...arrivalReads(check.controls)];
    case 'recall':
      return [
        ...check.places.flatMap(({ probes, instead = [], also = [], controls = [], said }) => [
          ...probes,
          ...instead,
          ...also,
          ...controls,
          ...(said ? [said] : []),
        ]),
        ...check.controls,
      ]
        .map(({ exchange }) => exchange)
        .concat(check.plain);
    case 'distinct':
      return check.comparisons.flatMap(({ probes, others, control }) => [
        ...probes,
        ...others.flatMap((other) => other.probes),
        control,
      ]);
    case 'limited':
      return check.endpoints.flatMap(({ probes, control }) => [...probes, control]);
    case 'steady':
      return [...check.probes, ...check.invalid, ...check.limited];
    case 'result-fields':
    case 'output':
    case 'unstreamed':
    case 'stream':
    case 'observe':
      return check.probes;
    default:
      return check satisfies never;
  }
}

const valid = (protocol: Protocol, stream: boolean) => (request: PlannedRequest) =>
  request.protocol === protocol && request.expect === 'answer' && request.stream === stream;

const idsOf = (requests: readonly PlannedRequest[]): readonly string[] => requests.map(({ id }) => id);

/** Spellings of a valid request, of which no single one is shown: what is answered is a result all the same. */
const isSpelling = ({ id }: PlannedRequest): boolean => isInputElementsId(id);

const answers = ({ requests }: Pick<Plan, 'requests'>, protocol: Protocol): readonly PlannedRequest[] =>
  requests.filter(
    (request) => valid(protocol, false)(request) || (request.protocol === protocol && isSpelling(request)),
  );

/** Every valid, unstreamed request of a plan: a fault that comes late shows in one of them. */
export const answersOf = (plan: Pick<Plan, 'requests'>, protocol: Protocol): readonly string[] =>
  idsOf(answers(plan, protocol));

/** Of those the ones that decline a stream, or the ones that say nothing of it. */
export const unstreamedOf = (
  plan: Pick<Plan, 'requests'>,
  protocol: Protocol,
  declined: boolean,
): readonly string[] =>
  idsOf(answers(plan, protocol).filter(({ body }) => saysStream(body?.json ?? null) === declined));

const saysStream = (json: Template): boolean => typeof json === 'object' && json !== null && 'stream' in json;

/** Every valid, streamed request of a plan. */
export const streamsOf = ({ requests }: Pick<Plan, 'requests'>, protocol: Protocol): readonly string[] =>
  idsOf(requests.filter(valid(protocol, true)));

/** All that a check reads in a plan: what it names, and what else the plan happens to hold for it. */
export function readsIn(check: Check, plan: Pick<Plan, 'requests'>): readonly string[] {
  const named = reads(check);
  if (check.kind === 'steady') {
    return [
      ...new Set([
        ...named,
        ...answersOf(plan, check.protocol),
        ...(check.protocol === 'images' ? [] : streamsOf(plan, check.protocol)),
      ]),
    ];
  }
  if (check.kind === 'recall') {
    const planned = new Set(plan.requests.map(({ id }) => id));
    return [
      ...new Set([
        ...named,
        ...check.elsewhere.map(({ exchange }) => exchange).filter((id) => planned.has(id)),
      ]),
    ];
  }
  if (check.kind === 'result-fields') return [...new Set([...named, ...answersOf(plan, check.protocol)])];
  if (check.kind === 'unstreamed') {
    return [...new Set([...named, ...unstreamedOf(plan, check.protocol, check.declined)])];
  }
  if (check.kind === 'stream') return [...new Set([...named, ...streamsOf(plan, check.protocol)])];
  return named;
}
