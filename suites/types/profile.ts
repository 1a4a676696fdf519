import { given } from '../../spec/present.ts';
import type { Extension } from '../../spec/extension.ts';
import type { AskedAgain, Shard } from './report.ts';

export type { AskedAgain, Shard } from './report.ts';

/** How much of the interface a run asks: its gist, all but what would be paid for observations alone, everything. */
export const profiles = ['smoke', 'standard', 'full'] as const;
export type Profile = (typeof profiles)[number];

/** Those that ask what an extension states: the first asks for the gist of the interface alone. */
export const ownProfiles: readonly Profile[] = profiles.slice(1);

export const defaultProfile: Profile = 'standard';

/** Requests under way at once; in `full` as many as its burst has. */
export const defaultConcurrency: Readonly<Record<Profile, number>> = { smoke: 8, standard: 8, full: 16 };

/** One of several runs of the same plan, each with a seed of its own; the first has the number 1. */
export interface Repetition {
  readonly run: number;
  readonly of: number;
}

export const mostShards = 64;

/** How much a run asks, whatever is selected. */
export interface Depth<Own = Extension> {
  readonly profile: Profile;
  /** Whether the values that cost most are left out: see `costlyValues`. */
  readonly skipCostly: boolean;
  /** Random combinations that are asked beyond the covering arrays; absent where there are none. */
  readonly explore?: number;
  /** Which part of the cases is asked; absent where all of them are. */
  readonly shard?: Shard;
  /** What of an earlier run is asked again; absent where a run asks anew. */
  readonly again?: AskedAgain;
  /** Where the requests come from other clients and not from the suite; the profile then says nothing. */
  readonly source?: 'live-traffic';
  /** Whose statements are asked in place of those of the interface; absent where these are. */
  readonly extension?: Own;
}

/** What a report holds of an extension: its files, and which path of it was asked. */
type ReportedExtension = Pick<Extension, 'files' | 'at'>;
export type ReportedDepth = Depth<ReportedExtension>;

export const reportedExtension = ({ files, at }: Extension): ReportedExtension => given({ files, at });

/** Most combinations that a run may explore. */
export const mostExplored = 1000;

export const fullDepth: Depth = { profile: 'full', skipCostly: false };

/** Whether it asks for all that can fail: `standard` leaves out observations only, a shard what others ask. */
export const asksAllThatCanFail = ({ profile, skipCostly, shard, again, source }: ReportedDepth): boolean =>
  profile !== 'smoke' && !skipCostly && (shard ?? again ?? source) === undefined;

/** Values of parameters of images that cost a multiple of one image (4.4). */
export const costlyValues = [
  { parameter: 'n', value: 10 },
  { parameter: 'quality', value: 'hd' },
] as const;

/** The same in words. */
export const costlyNames: readonly string[] = costlyValues.map(
  ({ parameter, value }) => `${parameter} = ${value}`,
);

/** Of what says how much is asked, that alone. */
export function depthIn<Own>(depth: Depth<Own>): Depth<Own> {
  const { profile, skipCostly, explore, again, source, extension } = depth;
  const shard = depth.shard && { index: depth.shard.index, count: depth.shard.count };
  return given({
    profile,
    skipCostly,
    explore: explore || undefined,
    shard,
    again,
    source,
    extension,
  }) as Depth<Own>;
}
