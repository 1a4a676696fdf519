import { type MatrixCell, matrix } from '../../../spec/matrix.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { Family, Protocol } from '../../../spec/vocabulary.ts';
import { describeSettings, type Setting } from '../../types/combination.ts';
import type { PlannedRequest } from '../../types/plan.ts';
import { cellId, plainId } from '../../types/request-ids.ts';
import type { Body } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { RequestOverrides } from '../builder/planned-request.ts';
import { type CombinationRow, combinationRows } from './rows-showing.ts';
import { isStyle } from './row-styles.ts';
import { excludedBy } from './text-factors.ts';

/** An answer to a wrong request is paid for: no request of so many images shows one. */
const manyImages = 3;

/** A valid request in which one thing can be made wrong: it is the control of that. */
export interface Situation {
  /** The id of the valid request. */
  readonly row: string;
  /** The number of its row, from 1, or the family of its model. */
  readonly name: number | Family;
  /** Behind what is refused. */
  readonly words: string;
  /** What it has, and who sends it: a gateway may look at one kind of request and not at another. */
  readonly features: readonly string[];
  readonly stream: boolean;
  readonly body: Body;
  readonly overrides: Pick<RequestOverrides, 'callers' | 'headers' | 'when'>;
}

const isWord = (value: unknown): boolean => typeof value === 'string' && /^[\w-]+$/.test(value);

/** Of a parameter, that it is given, and the word that is its value; of all else, that it is there. */
function featuresOf(request: PlannedRequest, settings: readonly Setting[]): readonly string[] {
  const { stream } = Object(request.body?.json);
  const [first] = request.callers;
  const reply = stream === true ? 'a stream' : 'no stream';
  return [
    ...new Set([
      ...settings.filter(({ factor }) => factor !== 'client').map(({ factor }) => factor),
      ...settings.filter(({ fields, factor }) => isWord(fields?.[factor])).map((each) => each.description),
      `stream is ${stream}`,
      reply,
      // Models and groups are other ways through a gateway, and each with a stream is one more.
      ...(first ? [first.family, first.group, `${first.family}, ${reply}`, `${first.group}, ${reply}`] : []),
    ]),
  ];
}

/**
 * A planned request as a situation; undefined where a parameter can't be wrong in it without something else being so. What
 * a wrong parameter takes the place of is none of what it has.
 */
function situationOf(
  builder: CaseBuilder,
  {
    id,
    name,
    settings,
  }: { readonly id: string; readonly name: Situation['name']; readonly settings: readonly Setting[] },
  parameter: string,
): Situation | undefined {
  const request = builder.requests.get(id);
  const body = request?.body?.json;
  if (request === undefined || typeof body !== 'object' || body === null || Array.isArray(body))
    return undefined;
  if (excludedBy(parameter).some((other) => other in body)) return undefined;
  const kept = settings.filter(
    ({ factor, fields }) =>
      factor !== parameter && (parameter !== protocolFacts[request.protocol].content || fields !== undefined),
  );
  const own = kept.filter((setting) => !isStyle(setting));
  return {
    row: id,
    name,
    words:
      typeof name !== 'number'
        ? ` for ${name} models`
        : own.length > 0
          ? ` with ${describeSettings(own)}`
          : '',
    features: featuresOf(request, kept),
    stream: request.stream,
    body: body as Body,
    overrides: {
      callers: request.callers,
      ...(request.headers ? { headers: request.headers } : {}),
      when: [{ kind: 'answered', any: [id] }],
    },
  };
}

/** A row of a covering array as a situation. */
export const situationIn = (
  builder: CaseBuilder,
  { id, combination, number }: CombinationRow & { readonly number: number },
  parameter: string,
): Situation | undefined =>
  situationOf(builder, { id, name: number, settings: combination.settings }, parameter);

/** The rows of a protocol in which a parameter can be wrong, and nothing else is; any row where none is named. */
export const situationsFor = (
  builder: CaseBuilder,
  protocol: Protocol,
  parameter = '',
): readonly Situation[] =>
  combinationRows(builder, protocol).flatMap(
    (row, at) => situationIn(builder, { ...row, number: at + 1 }, parameter) ?? [],
  );

/**
 * Those of them that are cheap. Where what is wrong is taken, it is billed as often as its control is: many images are
 * asked for only where their number is wrong.
 */
export const cheapSituations = (
  builder: CaseBuilder,
  protocol: Protocol,
  parameter = '',
): readonly Situation[] =>
  situationsFor(builder, protocol, parameter).filter(
    ({ body }) => parameter === 'n' || !(Number(body.n) >= manyImages),
  );

/** Models that no row calls, though the protocol must serve them (4.5). */
const otherCells = (protocol: Protocol): readonly MatrixCell[] => {
  const called: readonly string[] = protocolFacts[protocol].callers.families;
  return matrix().filter(
    (cell) =>
      cell.protocol === protocol &&
      cell.expectation === 'served' &&
      !cell.stream &&
      !called.includes(cell.family),
  );
};

/** Cheap rows, and the smallest requests for models that no row calls; none in `smoke`. */
export function situationsOfCallers(builder: CaseBuilder, protocol: Protocol): readonly Situation[] {
  const rows = cheapSituations(builder, protocol);
  if (rows.length === 0) return [];
  const others = otherCells(protocol).flatMap(
    (cell) => situationOf(builder, { id: cellId(cell, protocol), name: cell.family, settings: [] }, '') ?? [],
  );
  return [...rows, ...others];
}

/** With the id of the plain answer, whoever got it: what waits for no other request may go out at any time. */
export function behindDiscovery(protocol: Protocol, body: Body): Body {
  if (!('previous_response_id' in body)) return body;
  return { ...body, previous_response_id: { $: 'reply', exchange: plainId(protocol), pointer: '/id' } };
}

/** What of a wrong request is to be shown beside all that requests may have, each with how much that counts. */
type Shown = readonly (readonly [what: string, weight: number])[];

/** Something wrong, and where it may be shown. */
export interface Candidate {
  readonly shown: Shown;
  readonly situation: Situation;
}

/**
 * Chooses situations one by one, each the one that shows most of what none before it did: so few requests show each thing
 * beside as much as can be.
 */
export function createChooser() {
  const seen = new Set<string>();
  // Of two that have as much, the one that is new: nobody knows what it is in a request that a gateway looks at.
  const pairs = ({ shown, situation: { features, row } }: Candidate) =>
    shown.flatMap(([what, weight]) => [
      [`${what} ${row}`, weight / 2] as const,
      ...features.map((feature) => [`${what} ${feature}`, weight] as const),
    ]);
  const gain = (candidate: Candidate): number =>
    pairs(candidate).reduce((sum, [pair, weight]) => sum + (seen.has(pair) ? 0 : weight), 0);
  return <C extends Candidate>(candidates: readonly C[]): C | undefined => {
    let best: { readonly candidate: C; readonly gain: number } | undefined;
    for (const candidate of candidates) {
      const own = gain(candidate);
      if (best === undefined || own > best.gain) best = { candidate, gain: own };
    }
    for (const [pair] of best ? pairs(best.candidate) : []) seen.add(pair);
    return best?.candidate;
  };
}

export type Chooser = ReturnType<typeof createChooser>;

/** So many of some situations for one thing that is wrong. */
export function chosen(
  choose: Chooser,
  shown: Shown,
  { from, count }: { readonly from: readonly Situation[]; readonly count: number },
): readonly Situation[] {
  const taken: Situation[] = [];
  while (taken.length < Math.min(count, from.length)) {
    const left = from.filter((situation) => !taken.includes(situation));
    const found = choose(left.map((situation) => ({ shown, situation })));
    if (found === undefined) break;
    taken.push(found.situation);
  }
  return taken;
}
