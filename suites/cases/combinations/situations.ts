import { isObject } from '../../../spec/json.ts';
import { type Protocol, isTextProtocol, type TextProtocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { type Body, fractions } from '../builder/bodies.ts';
import type { Setting } from '../../types/combination.ts';
import { isStyle } from './row-styles.ts';
import { excludedBy } from './text-factors.ts';
import { isDeepStrictEqual } from 'node:util';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { Template } from '../../types/template.ts';
import type { PlannedRow } from './row-requests.ts';
import { isAt } from './text-rows.ts';

/** A value of a parameter, or `any` where it is an example. */
export interface ShownValue {
  readonly name: string;
  readonly value: Template | typeof anyValue;
}

export const anyValue = Symbol('any value');

export type CombinationRow = Pick<PlannedRow, 'id' | 'combination'>;

export const combinationRows = (builder: CaseBuilder, protocol: Protocol): readonly CombinationRow[] =>
  isTextProtocol(protocol) ? builder.rows(protocol).rows : builder.imageRows();

export const rowsWhere = (builder: CaseBuilder, protocol: Protocol, matches: (setting: Setting) => boolean) =>
  combinationRows(builder, protocol)
    .filter(({ combination }) => combination.settings.some(matches))
    .map(({ id }) => id);

/** Ids of the rows that have a value of a parameter; of what is asked, those in other scripts. */
export const rowsShowing = (builder: CaseBuilder, protocol: Protocol, { name, value }: ShownValue) => [
  ...rowsWhere(builder, protocol, ({ factor, fields = {} }) =>
    name === protocolFacts[protocol].content ? factor === 'scripts' : isShown(fields, { name, value }),
  ),
  ...longShowing(builder, protocol, { name, value }),
];

const isShown = (fields: Body, { name, value }: ShownValue): boolean =>
  name in fields && (value === anyValue || isDeepStrictEqual(fields[name], value));

/** The request for a long reply, where it has the value and no row does. */
const longShowing = (builder: CaseBuilder, protocol: Protocol, shown: ShownValue): readonly string[] =>
  isTextProtocol(protocol) && builder.callers(protocol).length > 0 && isShown(fractions[protocol], shown)
    ? [builder.long(protocol)]
    : [];

/** The rows whose reply ends at `max_tokens`. */
export const limitedRows = (builder: CaseBuilder, protocol: TextProtocol): readonly PlannedRow[] =>
  builder.rows(protocol).rows.filter((row) => isAt(row, 'limit'));

/** An answer to a wrong request is paid for: no request of so many images shows one. */
export const manyImages = 3;

/** A valid request of the covering array, in which one thing can be made wrong: it is the control of that. */
export type Situation = NonNullable<ReturnType<typeof situationIn>>;

/** Whether a request asks for a stream, declines it, or says nothing of it. */
export const streamFeature = ({ stream }: Body): string => `stream ${String(stream)}`;

/** A planned row as a situation; undefined where a parameter can't be wrong in it without something else being so. */
export function situationIn(
  builder: CaseBuilder,
  { id, combination: { settings }, number }: CombinationRow & { readonly number: number },
  parameter: string,
) {
  const request = builder.requests.get(id);
  const body = request?.body?.json as Body | null | undefined;
  if (request === undefined || !isObject(body)) return undefined;
  if (excludedBy(parameter).some((other) => other in body)) return undefined;
  const described = settings
    .filter(({ factor }) => factor !== 'client')
    .map(({ description }) => description);
  const { callers, headers, stream } = request;
  return {
    row: id,
    number,
    settings: settings.filter((setting) => !isStyle(setting)),
    /** What it has, and how it asks for a stream: a gateway may look at one kind of request and not at another. */
    features: [...described, streamFeature(body)],
    stream,
    body,
    overrides: { callers, ...(headers ? { headers } : {}), when: [{ kind: 'answered', any: [id] }] as const },
  };
}

/** The rows of a protocol in which a parameter can be wrong, and nothing else is; any row where none is named. */
export const situationsFor = (builder: CaseBuilder, protocol: Protocol, parameter: string) =>
  combinationRows(builder, protocol).flatMap(
    (row, at) => situationIn(builder, { ...row, number: at + 1 }, parameter) ?? [],
  );

/** Who calls, before all else: each model behind an endpoint may have checks of its own. */
const featuresOf = ({ features, overrides }: Situation): readonly string[] => [
  JSON.stringify(overrides.callers?.[0]),
  ...features,
];

/** A situation in an order, with what it has that none before it has. */
interface Placed<S> {
  readonly situation: S;
  readonly added: readonly string[];
}

/** More features than any situation has. */
const manyFeatures = 1_000;

/** So many situations, each of which adds most to those before it and to `known`; its first feature counts more than all others. */
export function mostAddedFirst<S>(
  situations: readonly S[],
  features: (situation: S) => readonly string[],
  known: readonly string[] = [],
  count = situations.length,
): readonly Placed<S>[] {
  const seen = new Set(known);
  const left = situations.map((situation) => {
    const all = features(situation);
    return { situation, all, gain: all.length + manyFeatures };
  });
  const placed: Placed<S>[] = [];
  const addedBy = (all: readonly string[]): readonly string[] => all.filter((feature) => !seen.has(feature));
  while (left.length > 0 && placed.length < count) {
    let [at, most] = [0, -1];
    for (const [place, each] of left.entries()) {
      // A gain that was counted before may be too large by now, and never too small.
      if (each.gain <= most) continue;
      each.gain = addedBy(each.all).length + (seen.has(each.all[0] ?? '') ? 0 : manyFeatures);
      if (each.gain > most) [at, most] = [place, each.gain];
    }
    for (const { situation, all } of left.splice(at, 1)) {
      placed.push({ situation, added: addedBy(all) });
      for (const feature of all) seen.add(feature);
    }
  }
  return placed;
}

/** So many situations that together have most of what the array has, from a row on: a gateway may check one kind alone. */
export function situations(
  builder: CaseBuilder,
  protocol: Protocol,
  { parameter, count, from }: { readonly parameter: string; readonly count: number; readonly from: number },
): readonly Situation[] {
  // Where the wrong value is taken, it is billed as often as its control is: it is asked once no plainer one was taken.
  const isCheap = ({ body }: Situation): boolean => parameter === 'n' || !(Number(body.n) >= manyImages);
  const all = situationsFor(builder, protocol, parameter).filter(isCheap);
  const start = all.length === 0 ? 0 : from % all.length;
  const turned = [...all.slice(start), ...all.slice(0, start)];
  return mostAddedFirst(turned, featuresOf, [], count).map(({ situation }) => situation);
}
