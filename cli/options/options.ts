import { randomInt } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { UsageError, didYouMean } from '../../fixtures/target/errors.ts';
import { requirements } from '../../spec/requirements.ts';
import { families, groups } from '../../spec/vocabulary.ts';
import { defaultProfile, type Depth, depthIn, mostShards, type Shard } from '../../suites/types/profile.ts';
import { suiteNames } from '../../suites/types/suite-names.ts';
import type { Selection } from '../../suites/types/run.ts';
import { runChecks, type RunOptions, whole, wholeBounds } from './run-options.ts';

/** Products whose config and known deviations are at hand (fixtures/presets/). */
export const presets = ['new-api', 'one-api', 'litellm', 'portkey'] as const;

/** What is selected, by the ids in a plan or a report; what is left out selects everything. */
export type SelectionOptions = Pick<RunOptions, 'suite' | 'requirement' | 'family' | 'group' | 'case'>;
export type DepthOptions = Pick<RunOptions, 'profile' | 'skipCostly' | 'explore' | 'shard'>;

/** @throws UsageError where combinations are asked for in a profile that has none */
export function depthOf(options: DepthOptions): Depth {
  const { profile = defaultProfile, skipCostly = false, explore = 0, shard: part } = options;
  if (profile === 'smoke' && explore > 0)
    throw new UsageError('--explore adds combinations, and smoke has none: take --profile standard or full');
  return depthIn({ profile, skipCostly, explore, ...(part ? { shard: part } : {}) });
}

/** Collects an option that may be repeated and may hold a list. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(',').map((part) => part.trim()),
];

/** A parser of paths: an empty one is mostly a variable that is not set. */
export function path(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It is empty.');
}

const number =
  (form: RegExp, { isRight, wanted }: { isRight: (value: number) => boolean; wanted: string }) =>
  (text: string): number => {
    if (form.test(text) && isRight(Number(text))) return Number(text);
    throw new InvalidArgumentError(`It must be ${wanted}.`);
  };
const decimal = /^\d+(\.\d+)?$/;

export const wholeNumber = (...bounds: readonly [least: number, most: number]) =>
  number(/^\d+$/, whole(bounds));

export const amount = number(decimal, runChecks.maxCost);

/** A parser of `i/n`, one of n shards. */
export function shard(text: string): Shard {
  const [index = 0, count = 0] = /^\d{1,3}\/\d{1,3}$/.test(text) ? text.split('/').map(Number) : [];
  if (runChecks.shard.isRight({ index, count })) return { index, count };
  throw new InvalidArgumentError(
    `It must be i/n, shard i of n: 2/3, with i from 1 to n and n at most ${mostShards}.`,
  );
}

/** A parser of seconds, also with a fraction, as milliseconds. */
export const seconds = (most: number): ((text: string) => number) => {
  const wanted = `a number of seconds, more than 0 and at most ${most}`;
  const parse = number(decimal, { isRight: (value) => value > 0 && value <= most, wanted });
  return (text) => parse(text) * 1000;
};

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** A parser of spans of time such as 60s, 5m or 1h, from a second to a day, as milliseconds. */
export function duration(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smh])$/.exec(text) ?? [];
  const ms = Number(number) * (unit === undefined ? Number.NaN : unitMs[unit as keyof typeof unitMs]);
  if (ms >= 1_000 && ms <= 86_400_000) return ms;
  throw new InvalidArgumentError('It must be a time such as 60s, 5m or 1h, from 1s to 24h.');
}

/** The values of an option of few names. Throws UsageError for any other, by default with the names that are allowed. */
export const namesIn = <T extends string>(
  option: string,
  given: readonly string[] = [],
  all: readonly T[],
  problem = (word: string) => `${option}: unknown value "${word}"; allowed are ${all.join(', ')}`,
): readonly T[] =>
  [...new Set(given)].map((word) => {
    const found = all.find((name) => name === word);
    if (found !== undefined) return found;
    throw new UsageError(problem(word));
  });

const known = <T extends string>(option: string, given: readonly string[] | undefined, all: readonly T[]) =>
  namesIn(option, given, all, (word) => `unknown ${option} "${word}"; ${didYouMean(word, all)}`);

/** The register's row of an id; what is unknown is answered with what may have been meant. */
export function requirementOf(id: string) {
  const row = requirements().find((candidate) => candidate.id === id);
  if (row) return row;
  const ids = requirements().map((candidate) => candidate.id);
  const otherwise = '`gateway-conformance explain` lists all of them';
  throw new UsageError(`unknown requirement "${id}"; ${didYouMean(id, ids, otherwise)}`);
}

/** The selection that options make. Throws UsageError for an unknown id, with what may have been meant. */
export function selectionOf(options: SelectionOptions): Selection {
  const wanted = (options.requirement ?? []).map(requirementOf);
  const excluded = wanted.find((row) => row.excluded !== undefined);
  if (excluded) throw new UsageError(`requirement ${excluded.id} is not judged: ${excluded.excluded}`);
  return {
    suites: known('suite', options.suite, suiteNames),
    requirements: [...new Set(wanted.map((row) => row.id))],
    families: known('family', options.family, families),
    groups: known('group', options.group, groups),
    ...(options.case === undefined ? {} : { cases: [...new Set(options.case)] }),
  };
}

/** A seed for a run that was given none: nonces that no target can know, and no cache has seen. */
export const freshSeed = (): number => randomInt(2 ** 31);

/** The seed of one of several runs by its number, from 1 on. */
export const seedOf = (first: number, run: number): number => (first + run - 1) % (wholeBounds.seed[1] + 1);
