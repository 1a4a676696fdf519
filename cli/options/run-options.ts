import { UsageError, didYouMean } from '../../fixtures/target/errors.ts';
import type { Env } from '../../fixtures/target/variables.ts';
import type { Family, Group, Impact } from '../../spec/vocabulary.ts';
import { mostExplored, mostShards, type Profile, profiles, type Shard } from '../../suites/types/profile.ts';
import type { SuiteName } from '../../suites/types/suite-names.ts';

/** Least and most of the whole numbers that a run takes. */
export const wholeBounds = {
  concurrency: [1, 256],
  seed: [0, 2 ** 31 - 1],
  explore: [0, mostExplored],
  limit: [1, 1_000_000_000],
  repeat: [1, 100],
} as const;

/** Most seconds of the times that a run takes. */
export const mostSeconds = { timeout: 3600, maxDuration: 86_400 } as const;

/** What a run goes by where nothing else is asked for; times in milliseconds. */
export const runDefaults = { timeout: 60_000, maxDuration: 1_800_000 } as const;

/** How far a run is; of several, the one that is under way. */
export type RunProgress =
  | { readonly kind: 'exchange'; readonly done: number; readonly planned: number }
  | { readonly kind: 'wait'; readonly milliseconds: number; readonly reason: string };

/** What an option must be. */
interface Check<Value> {
  readonly isRight: (value: unknown) => boolean;
  /** The same in words. */
  readonly wanted: string;
  /** Only a type: of what is right. */
  readonly value?: Value;
}

const check = <Value>(isRight: Check<Value>['isRight'], wanted: string): Check<Value> => ({
  isRight,
  wanted,
});
const text = check<string>(
  (value) => typeof value === 'string' && value.trim() !== '',
  'a string that is not empty',
);
const flag = check<boolean>((value) => typeof value === 'boolean', 'true or false');
const names = <Name extends string>() =>
  check<readonly Name[]>(
    (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
    'a list of strings',
  );
const handler = <Of>() => check<(of: Of) => void>((value) => typeof value === 'function', 'a function');
/** A whole number within bounds. */
export const whole = ([least, most]: readonly [number, number]) =>
  check<number>(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `a whole number from ${least} to ${most}`,
  );
const isShard = (value: unknown): boolean => {
  const { index, count } = Object(value) as Partial<Record<string, unknown>>;
  const isWhole = Number.isInteger(index) && Number.isInteger(count);
  return isWhole && Number(index) >= 1 && Number(index) <= Number(count) && Number(count) <= mostShards;
};
const milliseconds = (most: number) =>
  check<number>(
    (value) => typeof value === 'number' && value > 0 && value <= most * 1000,
    `a number of milliseconds, more than 0 and at most ${most * 1000}`,
  );

/** What each option of `run` must be. */
export const runChecks = {
  out: text,
  profile: check<Profile>(
    (value) => profiles.some((name) => name === value),
    `one of ${profiles.join(', ')}`,
  ),
  /** Leave out what is billed most. */
  skipCostly: flag,
  /** Random combinations to ask beyond those of the profile. */
  explore: whole(wholeBounds.explore),
  /** One of several parts of the cases. */
  shard: check<Shard>(
    isShard,
    `{ index, count }, with index from 1 to count, and count at most ${mostShards}`,
  ),
  suite: names<SuiteName>(),
  requirement: names<string>(),
  family: names<Family>(),
  group: names<Group>(),
  case: names<string>(),
  /** Repeats the data of an earlier run; random where it is left out. */
  seed: whole(wholeBounds.seed),
  /** How often the target is judged at most, each time with the next seed; once where it is left out. */
  repeat: whole(wholeBounds.repeat),
  /** Files of what the gateway states beyond the interface. */
  extend: names<string>(),
  /** Requests under way at once; by the profile where it is left out. */
  concurrency: whole(wholeBounds.concurrency),
  /** Longest time of one request. */
  timeout: milliseconds(mostSeconds.timeout),
  /** Longest time of the run; the rest is not judged. */
  maxDuration: milliseconds(mostSeconds.maxDuration),
  /** Requests, every attempt counted. */
  maxRequests: whole(wholeBounds.limit),
  /** Generations that the target may bill, images counted each. */
  maxGenerations: whole(wholeBounds.limit),
  /** In the currency of the prices. */
  maxCost: check<number>((value) => typeof value === 'number' && value > 0, 'a number, more than 0'),
  requestsPerMinute: whole(wholeBounds.limit),
  /** Whether all is sent, also where the first replies show a mistake in the declaration. */
  keepGoing: flag,
  /** Only failures of these impacts, and with `own` those of what an extension states; all where it is left out. */
  failOn: names<Impact | 'own'>(),
  baseline: text,
  /** File of the behaviour that must not change. */
  pins: text,
  /** File that a line for the run is appended to; without it, a history.jsonl that DIR has. */
  history: text,
  /** Also write a certificate; it is refused unless everything was judged. */
  certify: flag,
  /** File of the private key that it is signed with. */
  sign: text,
  allure: flag,
  /** Whether official clients ask, too, when the run is over. */
  interop: flag,
  /** Where `${NAME}` of the config is looked up: the environment of the process where it is left out. */
  env: check<Env>((value) => typeof value === 'object' && value !== null, 'an object of strings'),
  /** Stops the run: what is under way is dropped, and the rest is inconclusive. */
  signal: check<AbortSignal>((value) => value instanceof AbortSignal, 'an AbortSignal'),
  onProgress: handler<RunProgress>(),
  /** Takes what there is to know besides the report; a line each, without tokens, unescaped. */
  onWarning: handler<string>(),
};

const { out, pins } = runChecks;

export const judgeChecks = {
  /** Folder that the reports are written to; without it nothing is written. */
  out,
  pins,
  /** Folder of what `run --last-failed` asked again: its evidence takes the place of what it replaces. */
  again: text,
  failOn: names<string>(),
};

export const verifyChecks = {
  /** File of the public key that must have signed it. */
  key: text,
  /** File of errata, which may be newer than this version; its own where left out. */
  errata: text,
};

type Checked<Checks> = {
  readonly [Name in keyof Checks]?: Checks[Name] extends Check<infer Value> ? Value : never;
};
/** Options of `run`, by the names of those of the command; times in milliseconds. */
export type RunOptions = Checked<typeof runChecks>;
/** What recorded evidence is judged with, by the names of the options of the command `judge`. */
export type JudgeOptions = Checked<typeof judgeChecks>;
/** What a report folder is checked with. */
export type VerifyOptions = Checked<typeof verifyChecks>;
/** What a run may be asked. */
export type RunRequest = Omit<RunOptions, keyof typeof runDefaults> &
  Record<keyof typeof runDefaults, number>;

/** The options that were given; undefined is as good as left out. Throws UsageError for what is unknown or wrong. */
export function checkedOptions<Checks extends Record<string, Check<unknown>>>(
  options: Checked<Checks>,
  checks: Checks,
): Checked<Checks> {
  if (typeof options !== 'object' || options === null) throw new UsageError('options: must be an object');
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const wanted = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (wanted === undefined)
      throw new UsageError(`options.${name}: unknown option; ${didYouMean(name, Object.keys(checks))}`);
    if (!wanted.isRight(value)) throw new UsageError(`options.${name}: must be ${wanted.wanted}`);
  }
  return Object.fromEntries(given) as Checked<Checks>;
}
