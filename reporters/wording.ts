import { present } from '../spec/present.ts';
import { count, inParentheses } from '../spec/text.ts';
import type { Extension } from '../spec/extension.ts';
import type { Family, Level } from '../spec/vocabulary.ts';
import { type AskedAgain, costlyNames, type ReportedDepth, type Shard } from '../suites/types/profile.ts';
import type { NonGating, Report, ReportCell, Verdict } from '../suites/types/report.ts';

/** Words and signs that all renderings share: one word for one thing. */

export const verdicts = [
  'fail',
  'inconclusive',
  'conflict',
  'observed',
  'untested',
  'pass',
] as const satisfies readonly Verdict[];

export const verdictWord: Readonly<Record<Verdict, string>> = {
  pass: 'Pass',
  fail: 'Fail',
  inconclusive: 'Inconclusive',
  untested: 'Untested',
  observed: 'Observed',
  conflict: 'Conflict',
};

export const verdictSign: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  fail: '✕',
  inconclusive: '?',
  untested: '–',
  observed: '○',
  conflict: '≠',
};

/** `✓ pass`: a verdict with its sign. */
export const verdictText = (verdict: Verdict): string =>
  `${verdictSign[verdict]} ${verdictWord[verdict].toLowerCase()}`;

export const overallWord: Readonly<Record<Report['verdict'], string>> = {
  conformant: 'Conformant',
  'non-conformant': 'Not conformant',
  inconclusive: 'Inconclusive',
};

/** The verdict whose sign and colour the verdict of the whole run borrows. */
export const overallTone: Readonly<Record<Report['verdict'], Verdict>> = {
  conformant: 'pass',
  'non-conformant': 'fail',
  inconclusive: 'inconclusive',
};

export const levelMeaning: Readonly<Record<Level, string>> = {
  stated: 'The interface says so.',
  derived: 'Follows from a stated type, range, allowed value or “required”.',
  unspecified: 'The interface does not say. Never failed: what was seen is recorded.',
  conflicting: 'Two statements contradict. Neither is failed: the reading followed is recorded.',
  own: 'An extension says so, and the interface does not.',
};

export const familyWord: Readonly<Record<Family, string>> = {
  general: 'General (G)',
  conversational: 'Conversational (C)',
  multimodal: 'Multimodal (M)',
  image: 'Image',
  'chat-image': 'Image through chat',
};

export const expectationWord: Readonly<Record<ReportCell['expectation'], string>> = {
  served: 'must serve',
  refused: 'must refuse',
  conflict: 'conflict',
  unspecified: 'unspecified',
};

const observedWord: Readonly<Record<ReportCell['observed'], string>> = {
  served: 'served',
  refused: 'refused',
  unknown: 'unknown',
  'not sent': 'not asked',
};

/** What was seen of a combination and, where any one group is enough, what that comes to. */
export const cellSeen = ({ observed, anyGroup }: ReportCell): readonly string[] => [
  observedWord[observed],
  ...(anyGroup === undefined ? [] : [`any group: ${verdictWord[anyGroup].toLowerCase()}`]),
];

/** `Conformant (shard 2 of 3)`: the verdict of a run, never that of a part as if it were of all. */
export function overallText({ verdict, scope }: Pick<Report, 'verdict' | 'scope'>): string {
  const { extension, shard, again } = scope;
  const parts = present([extension && ownText(extension), shard && shardText(shard), again && 'asked again']);
  return `${overallWord[verdict]}${inParentheses(parts.join(', '))}`;
}

/** What own statements are of: of a path, or of all that an extension states besides. */
export const ownText = ({ at }: Pick<Extension, 'at'>): string =>
  at === undefined ? 'own statements' : `own statements of ${at.path}`;

/** The files that an extension was read from, and the path that was asked. */
const ownNames = ({ files, at }: Pick<Extension, 'files' | 'at'>): string =>
  [...(at ? [at.path] : []), ...files.map(({ name }) => name)].join(', ');

/** `run 1f00`, or `run 1f00 and those after it`: what left open what a run asks again. */
export const againOf = ({ run, repeated }: AskedAgain): string =>
  repeated ? `run ${run} and those after it` : `run ${run}`;

const shardText = ({ index, count: of }: Shard): string => `shard ${index} of ${of}`;

/** `profile smoke, without n = 10 and quality = hd`: how much was asked. */
export function depthText(depth: ReportedDepth): string {
  const { profile, skipCostly, explore = 0, shard, again, source, extension } = depth;
  if (source === 'live-traffic') return 'judged from live traffic';
  return present([
    extension && `own statements of ${ownNames(extension)}`,
    `profile ${profile}`,
    skipCostly && `without ${costlyNames.join(' and ')}`,
    explore > 0 && `with ${count(explore, 'random combination')}`,
    shard && shardText(shard),
    again && `of run ${again.run} only what failed or was undecided`,
  ]).join(', ');
}

/** The same as the beginning of a sentence. */
export const askedText = (depth: ReportedDepth): string =>
  depth.source === undefined ? `Asked: ${depthText(depth)}` : 'Judged from live traffic';

const nonGatingWords: Readonly<Record<NonGating, string>> = {
  'model-behaviour': "depends on the model's answer",
  'too-fast': 'left open by the clock',
};

/** Why an inconclusive verdict does not gate (contract "Exit codes"); without a kind, its level does not. */
export const nonGatingReason = (kind: NonGating | undefined): string =>
  kind === undefined ? 'not a gating level' : nonGatingWords[kind];

/** Milliseconds in the unit that reads best. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** An amount of money in digits that can be told apart, without its currency. */
export function amountText(amount: number): string {
  if (amount >= 1) return amount.toFixed(2);
  return amount > 0 && amount < 0.0001 ? 'under 0.0001' : String(Number(amount.toFixed(4)));
}

/** `0.12 USD`. */
export const money = (amount: number, currency: string): string => `${amountText(amount)} ${currency}`;

/** What a run cost, and what it was thought to; undefined where its config has no prices. */
export function costText({ cost }: Report['run']): string | undefined {
  if (cost === undefined) return undefined;
  const { currency, actual, expected, estimated } = cost;
  const counted = estimated > 0 ? `, ${count(estimated, 'reply', 'replies')} by an estimate` : '';
  return `cost ${money(actual, currency)}${counted} (${money(expected, currency)} expected)`;
}

/** The first lines of a list, and how many more there are. */
export const firstLines = (lines: readonly string[], most: number): readonly string[] =>
  lines.length > most ? [...lines.slice(0, most), `and ${lines.length - most} more`] : lines;

/** A timestamp as a person reads it, in UTC; what is no ISO timestamp stays as it is. */
export const utcTime = (iso: string): string => {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso);
  return match ? `${match[1]} ${match[2]} UTC` : iso;
};
