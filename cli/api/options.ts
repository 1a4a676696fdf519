import type { Env } from '../../fixtures/target/variables.ts';
import { UsageError, didYouMean } from '../../fixtures/target/errors.ts';
import type { Family, Group, Impact } from '../../spec/vocabulary.ts';
import { mostShards, profiles } from '../../suites/types/profile.ts';
import type { SuiteName } from '../../suites/types/suite-names.ts';
import type { FailOnOptions } from '../run/fail-on.ts';
import { mostSeconds, runDefaults, wholeBounds } from '../options/options.ts';
import type { RunRequest } from '../run/run-settings.ts';

/** How far a run is; of several, the one that is under way. */
export type RunProgress =
  | { readonly kind: 'exchange'; readonly done: number; readonly planned: number }
  | { readonly kind: 'wait'; readonly milliseconds: number; readonly reason: string };

/** Options of `run`, by the names of those of the command; times in milliseconds. */
export interface RunOptions extends Partial<RunRequest> {
  readonly suite?: readonly SuiteName[];
  readonly family?: readonly Family[];
  readonly group?: readonly Group[];
  readonly failOn?: readonly (Impact | 'own')[];
  /** Where `${NAME}` of the config is looked up: the environment of the process where it is left out. */
  readonly env?: Env;
  /** Stops the run: what is under way is dropped, and the rest is inconclusive. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Takes what there is to know besides the report; a line each, without tokens, unescaped. */
  readonly onWarning?: (text: string) => void;
}

/** What recorded evidence is judged with, by the names of the options of the command `judge`. */
export interface JudgeOptions extends FailOnOptions {
  /** Folder that the reports are written to; without it nothing is written. */
  readonly out?: string;
  /** File of the behaviour that must not change. */
  readonly pins?: string;
  /** Folder of what `run --last-failed` asked again: its evidence takes the place of what it replaces. */
  readonly again?: string;
}

/** What a report folder is checked with. */
export interface VerifyOptions {
  /** File of the public key that must have signed it. */
  readonly key?: string;
  /** File of errata, which may be newer than this version; its own where left out. */
  readonly errata?: string;
}

/** What a value must be, in words; undefined where it is that. */
type Check = (value: unknown) => string | undefined;

const check =
  (isRight: (value: unknown) => boolean, wanted: string): Check =>
  (value) =>
    isRight(value) ? undefined : wanted;

const text = check((value) => typeof value === 'string' && value.trim() !== '', 'a string that is not empty');
const flag = check((value) => typeof value === 'boolean', 'true or false');
const names = check(
  (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  'a list of strings',
);
const handler = check((value) => typeof value === 'function', 'a function');
const whole = ([least, most]: readonly [number, number]): Check =>
  check(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `a whole number from ${least} to ${most}`,
  );
const isShard = (value: unknown): boolean => {
  const { index, count } = Object(value) as Partial<Record<string, unknown>>;
  const isWhole = Number.isInteger(index) && Number.isInteger(count);
  return isWhole && Number(index) >= 1 && Number(index) <= Number(count) && Number(count) <= mostShards;
};
const milliseconds = (most: number): Check =>
  check(
    (value) => typeof value === 'number' && value > 0 && value <= most * 1000,
    `a number of milliseconds, more than 0 and at most ${most * 1000}`,
  );

type Checks<Options> = { readonly [name in keyof Options]-?: Check };

const runChecks: Checks<RunOptions> = {
  out: text,
  profile: check((value) => profiles.some((name) => name === value), `one of ${profiles.join(', ')}`),
  skipCostly: flag,
  explore: whole(wholeBounds.explore),
  shard: check(isShard, `{ index, count }, with index from 1 to count, and count at most ${mostShards}`),
  suite: names,
  requirement: names,
  family: names,
  group: names,
  case: names,
  seed: whole(wholeBounds.seed),
  repeat: whole(wholeBounds.repeat),
  extend: names,
  concurrency: whole(wholeBounds.concurrency),
  timeout: milliseconds(mostSeconds.timeout),
  maxDuration: milliseconds(mostSeconds.maxDuration),
  maxRequests: whole(wholeBounds.limit),
  maxGenerations: whole(wholeBounds.limit),
  maxCost: check((value) => typeof value === 'number' && value > 0, 'a number, more than 0'),
  requestsPerMinute: whole(wholeBounds.limit),
  keepGoing: flag,
  failOn: names,
  baseline: text,
  pins: text,
  history: text,
  certify: flag,
  sign: text,
  allure: flag,
  interop: flag,
  env: check((value) => typeof value === 'object' && value !== null, 'an object of strings'),
  signal: check((value) => value instanceof AbortSignal, 'an AbortSignal'),
  onProgress: handler,
  onWarning: handler,
};

/** The options that were given; undefined is as good as left out. Throws UsageError for what is unknown or wrong. */
function checked<Options extends object>(options: Options, checks: Checks<Options>): Options {
  if (typeof options !== 'object' || options === null) throw new UsageError('options: must be an object');
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(checks, name))
      throw new UsageError(`options.${name}: unknown option; ${didYouMean(name, Object.keys(checks))}`);
    const wanted = checks[name as keyof Options](value);
    if (wanted !== undefined) throw new UsageError(`options.${name}: must be ${wanted}`);
  }
  return Object.fromEntries(given) as Options;
}

/** The request of a run, with what is left out filled in. Throws UsageError for an option that is wrong. */
export const requestOf = (options: RunOptions): RunRequest => ({
  ...runDefaults,
  ...checked(options, runChecks),
});

/** The options of `judge`. Throws UsageError for one that is wrong. */
export const judgeOptionsOf = (options: JudgeOptions): JudgeOptions =>
  checked(options, { out: text, pins: text, again: text, failOn: names });

/** The options of `verify`. Throws UsageError for one that is wrong. */
export const verifyOptionsOf = (options: VerifyOptions): VerifyOptions =>
  checked(options, { key: text, errata: text });
