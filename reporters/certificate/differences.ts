import { isDeepStrictEqual } from 'node:util';
import { shorten } from '../../spec/text.ts';
import { isObject } from '../../spec/json.ts';
import type { Report } from '../../suites/types/report.ts';

/** One thing that two documents say differently; `undefined` where one of them does not have it. */
export interface Difference {
  /** Names from the top; an element of a list goes by its `id` where it has one. */
  readonly path: readonly string[];
  readonly stored: unknown;
  readonly derived: unknown;
}

const idOf = (value: unknown): string | undefined =>
  isObject(value) && typeof value.id === 'string' ? value.id : undefined;

/** A list by the ids of its elements; by position where one has none or two share one. */
function byIdentity(list: readonly unknown[]): ReadonlyMap<string, unknown> {
  const ids = list.map(idOf);
  const named = ids.every((id) => id !== undefined) && new Set(ids).size === ids.length;
  return new Map(list.map((value, at) => [(named ? ids[at] : undefined) ?? String(at), value]));
}

const entriesOf = (value: unknown): ReadonlyMap<string, unknown> | undefined => {
  if (Array.isArray(value)) return byIdentity(value);
  return isObject(value) ? new Map(Object.entries(value)) : undefined;
};

/** Everything in which two JSON values differ, in the order of the first. */
export function differences(
  stored: unknown,
  derived: unknown,
  path: readonly string[] = [],
): readonly Difference[] {
  const [one, other] = [entriesOf(stored), entriesOf(derived)];
  if (!one || !other || Array.isArray(stored) !== Array.isArray(derived)) {
    return Object.is(stored, derived) ? [] : [{ path, stored, derived }];
  }
  const found = [...new Set([...one.keys(), ...other.keys()])].flatMap((key) =>
    differences(one.get(key), other.get(key), [...path, key]),
  );
  const isReordered = Array.isArray(stored) && [...one.keys()].join('\n') !== [...other.keys()].join('\n');
  return found.length === 0 && isReordered ? [{ path, stored, derived }] : found;
}

const rank = ({ path }: Difference): number => {
  const [list, , field] = path;
  if (list === 'verdict') return 0;
  if (list === 'requirements' && field === 'verdict') return 1;
  if (list === 'exchanges') return path.length === 2 ? 2 : 3;
  return list === 'cases' && field === 'verdict' ? 4 : 5;
};

/** In what a report differs from the one that its evidence gives, verdicts first. */
export const reportDifferences = (stored: Report, derived: Report): readonly Difference[] =>
  (isDeepStrictEqual(stored, derived) ? [] : differences(stored, derived))
    .map((difference, at) => ({ difference, at, rank: rank(difference) }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .map(({ difference }) => difference);

/** What of a report a newer suite may rightly see in another way. */
const verdictsOf = ({ verdict, requirements, cases }: Report): object => ({
  verdict,
  requirements: requirements.map(({ id, verdict: own }) => ({ id, verdict: own })),
  cases: cases.map(({ id, verdict: own }) => ({ id, verdict: own })),
});

/** Verdicts that differ between two reports, with requirements and cases that only one of them has. */
export const verdictDifferences = (stored: Report, derived: Report): readonly Difference[] =>
  differences(verdictsOf(stored), verdictsOf(derived)).filter(
    ({ path }) => path.length !== 1 || path[0] === 'verdict',
  );

/** A suite by version and, as two may share one, by the register it judges by. */
export const suiteName = ({ version, requirementsDigest, openapiDigest }: Report['suite']): string =>
  `${version} (${[requirementsDigest, openapiDigest].map((digest) => digest.replace(/^sha256:/, '').slice(0, 8)).join(', ')})`;

const shortJson = (value: unknown): string => shorten(JSON.stringify(value) ?? String(value), 60);

const elementNames: Readonly<Record<string, string>> = {
  requirements: 'requirement',
  cases: 'case',
  exchanges: 'exchange',
  observations: 'observation',
  conflicts: 'conflict',
};

/** `requirement chat.result.id, verdict`: a path in words. */
function placeOf([list = 'the whole', ...rest]: readonly string[]): string {
  const elementName = elementNames[list];
  const [id, ...deeper] = rest;
  if (elementName === undefined || id === undefined) return [list, ...rest].join('/');
  return [`${elementName} ${id}`, ...(deeper.length > 0 ? [deeper.join('/')] : [])].join(', ');
}

/** Differences, each in one line; `one` and `other` name the two documents. Holds text of a target: escape it. */
export const describedBetween =
  (one: string, other: string) =>
  ({ path, stored, derived }: Difference): string => {
    const place = placeOf(path);
    if (stored === undefined) return `${place}: not in ${one}, but in ${other}`;
    if (derived === undefined) return `${place}: in ${one}, but not in ${other}`;
    return `${place}: ${one} has ${shortJson(stored)}, ${other} ${shortJson(derived)}`;
  };
