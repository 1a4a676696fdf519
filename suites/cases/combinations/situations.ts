import { isDeepStrictEqual } from 'node:util';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { Body } from '../builder/bodies.ts';
import { cellId } from '../builder/request-ids.ts';
import type { RequestOverrides } from '../builder/planned-request.ts';
import type { Setting } from '../../types/combination.ts';
import { type CombinationRow, combinationRows } from './rows-showing.ts';
import { excludedBy } from './text-factors.ts';

/** A valid request of the covering array, in which one thing can be made wrong: it is the control of that. */
export interface Situation {
  readonly row: string;
  /** Of the row, from 1. */
  readonly number: number;
  readonly settings: readonly Setting[];
  readonly stream: boolean;
  readonly body: Body;
  readonly overrides: Pick<RequestOverrides, 'callers' | 'when'>;
}

/** A planned row as a situation; undefined where a parameter can't be wrong in it without something else being so. */
export function situationIn(
  builder: CaseBuilder,
  { id, combination: { settings }, number }: CombinationRow & { readonly number: number },
  parameter: string,
): Situation | undefined {
  const request = builder.requests.get(id);
  const body = request?.body?.json;
  if (request === undefined || typeof body !== 'object' || body === null || Array.isArray(body))
    return undefined;
  if (excludedBy(parameter).some((other) => other in body)) return undefined;
  return {
    row: id,
    number,
    settings,
    stream: request.stream,
    body: body as Body,
    overrides: { callers: request.callers, when: [{ kind: 'answered', any: [id] }] },
  };
}

/** The rows of a protocol in which a parameter can be wrong, and nothing else is. */
const situationsFor = (builder: CaseBuilder, protocol: Protocol, parameter: string): readonly Situation[] =>
  combinationRows(builder, protocol).flatMap(
    (row, at) => situationIn(builder, { ...row, number: at + 1 }, parameter) ?? [],
  );

const featuresOf = ({ settings, stream, overrides }: Situation): readonly string[] => [
  ...settings.map(({ description }) => description),
  `stream ${stream}`,
  JSON.stringify(overrides.callers?.[0]),
];

/**
 * So many situations for a parameter that together have as much as can be of what the array has: a gateway may check
 * a parameter in one kind of request and not in another.
 * @param from another number begins with another row
 */
export function situations(
  builder: CaseBuilder,
  protocol: Protocol,
  { parameter, count, from }: { readonly parameter: string; readonly count: number; readonly from: number },
): readonly Situation[] {
  const all = situationsFor(builder, protocol, parameter).map((situation) => ({
    situation,
    features: featuresOf(situation),
  }));
  const start = all.length === 0 ? 0 : from % all.length;
  const left = [...all.slice(start), ...all.slice(0, start)];
  const seen = new Set<string>();
  const chosen: Situation[] = [];
  const gain = ({ features }: { readonly features: readonly string[] }): number =>
    features.filter((feature) => !seen.has(feature)).length;
  while (chosen.length < count && left.length > 0) {
    const best = left.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    left.splice(left.indexOf(best), 1);
    for (const feature of best.features) seen.add(feature);
    chosen.push(best.situation);
  }
  return chosen;
}

/** The place of the caller of a situation among those of the protocol. */
const callerOf = (builder: CaseBuilder, protocol: Protocol, { overrides }: Situation): number =>
  builder.callers(protocol).findIndex((caller) => isDeepStrictEqual(caller, overrides.callers?.[0]));

const isChained = ({ body }: Situation): boolean => 'previous_response_id' in body;

/** The same of those with a stream or without: first those of a caller who is not the first of all. */
export const situationsWith = (
  builder: CaseBuilder,
  protocol: Protocol,
  stream: boolean,
): readonly Situation[] =>
  situationsFor(builder, protocol, '')
    .filter((each) => each.stream === stream && !isChained(each))
    .sort((one, other) => callerOf(builder, protocol, other) - callerOf(builder, protocol, one));

/** An answer to a wrong credential is paid for: no request of so many images shows one. */
const manyImages = 3;

/** With the id of an answer of discovery: what shows a wrong credential waits for no other request. */
function behindDiscovery(protocol: Protocol, situation: Situation): Situation {
  const { body, overrides } = situation;
  const [caller] = overrides.callers ?? [];
  if (!isChained(situation) || caller === undefined) return situation;
  const previous = { $: 'reply', exchange: cellId(caller, protocol), pointer: '/id' };
  return { ...situation, body: { ...body, previous_response_id: previous } };
}

/**
 * The rows that show a wrong credential: first those that follow another response, then those that together have as
 * much as can be of what the array has.
 */
export const situationsForCredentials = (builder: CaseBuilder, protocol: Protocol): readonly Situation[] =>
  situations(builder, protocol, { parameter: '', count: Number.POSITIVE_INFINITY, from: 0 })
    .filter(({ body }) => !(Number(body.n) >= manyImages))
    .toSorted((one, other) => Number(isChained(other)) - Number(isChained(one)))
    .map((situation) => behindDiscovery(protocol, situation));
