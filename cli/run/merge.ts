import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../fixtures/target/errors.ts';
import { suiteName } from '../../reporters/certificate/differences.ts';
import { isSameSuite } from '../../reporters/report-queries.ts';
import { suiteInfo } from '../../spec/requirements.ts';
import { runId } from '../../suites/judge/judge-run.ts';
import type { Plan } from '../../suites/types/plan.ts';
import { planRun } from '../../suites/plan/plan.ts';
import { mergedEvidence, withAskedAgain } from '../../suites/run/merged-evidence.ts';
import { evidenceIn, hasEvidence, openEvidence, otherSuite } from '../files/evidence-file.ts';
import type { EvidenceHeader } from '../files/evidence-file.ts';
import { isSameFolder } from '../files/folder.ts';
import { type RecordedRun, readEvidence } from '../files/read-evidence.ts';

export interface MergedRun extends Omit<RecordedRun, 'traffic'> {
  readonly plan: Plan;
}

/** What all shards of a run have in common, with what it is called. */
const common: readonly (readonly [string, (header: EvidenceHeader) => unknown])[] = [
  ['target.baseUrl', ({ target }) => target.baseUrl],
  ['target', ({ target }) => target],
  ['suite', ({ suite }) => suite],
  ['--seed', ({ seed }) => seed],
  ['--profile', ({ profile }) => profile],
  ['--skip-costly', ({ skipCostly }) => skipCostly],
  ['--explore', ({ explore }) => explore ?? 0],
  ['selection', ({ selection }) => selection],
  ['number of shards', ({ shard }) => shard?.count],
];

function readShard(dir: string) {
  if (!hasEvidence(dir)) throw new UsageError(`${dir}: holds no evidence.jsonl; name the DIR of a shard`);
  const run = readEvidence(evidenceIn(dir));
  const { shard } = run.header;
  if (shard === undefined)
    throw new UsageError(`${dir}: is no shard: it was run without --shard, and its report is whole`);
  return { dir, shard, run };
}
type ReadShard = ReturnType<typeof readShard>;

/** @throws UsageError where two of them are not shards of the same run */
function sameRun(shards: readonly [ReadShard, ...ReadShard[]]): void {
  const [first, ...others] = shards;
  for (const other of others)
    for (const [name, read] of common) {
      const [one, two] = [read(first.run.header), read(other.run.header)];
      if (!isDeepStrictEqual(one, two))
        throw new UsageError(
          `${first.dir} and ${other.dir} are no shards of one run: ${name} is ${JSON.stringify(one)} in the first, ${JSON.stringify(two)} in the second`,
        );
    }
  const suite = otherSuite(first.run.header);
  if (suite !== undefined) throw new UsageError(`${first.dir}: ${suite}; merge with that one`);
}

/** @throws UsageError where a shard is missing or there twice */
function allOnce(shards: readonly [ReadShard, ...ReadShard[]]): void {
  const { count } = shards[0].shard;
  const byIndex = new Map<number, string>();
  for (const { dir, shard } of shards) {
    const other = byIndex.get(shard.index);
    if (other !== undefined)
      throw new UsageError(`${other} and ${dir} are both shard ${shard.index} of ${count}; name each once`);
    byIndex.set(shard.index, dir);
  }
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !byIndex.has(index));
  if (missing.length > 0)
    throw new UsageError(
      `shard ${missing.join(', ')} of ${count} is missing; name the DIRs of all shards, or run it with --shard ${missing[0]}/${count}`,
    );
}

/** The run that these DIRs hold the shards of. Throws UsageError where they are not all shards of one run. */
export function mergedRun(dirs: readonly string[]): MergedRun {
  const [first, ...others] = dirs.map(readShard).sort((one, other) => one.shard.index - other.shard.index);
  if (first === undefined) throw new UsageError('name the DIRs of all shards');
  const shards = [first, ...others] as const;
  sameRun(shards);
  allOnce(shards);
  const { shard: _, ...shared } = first.run.header;
  const startedAt = shards.map(({ run }) => run.header.startedAt).sort()[0] ?? shared.startedAt;
  const header = {
    ...shared,
    startedAt,
    runId: runId(shared.seed, startedAt, shared.target.baseUrl),
    parts: shards.map(({ run }) => run.header.runId),
  };
  const { target } = first.run;
  const plan = planRun(target, header);
  const evidence = mergedEvidence(
    plan,
    shards.map(({ run }) => ({ plan: planRun(target, run.header), evidence: run.evidence })),
  );
  const finishedAt =
    shards
      .map(({ run }) => run.finishedAt)
      .sort()
      .at(-1) ?? first.run.finishedAt;
  return { header, target, plan, evidence, finishedAt, partial: shards.some(({ run }) => run.partial) };
}

/** A run with what `run --last-failed` asked again in its place. Throws UsageError where they do not fit. */
export function runAskedAgain(file: string, againDir: string): MergedRun {
  const earlier = readEvidence(file);
  const again = readEvidence(evidenceIn(againDir));
  const problem = whyNotJoined(earlier, again);
  if (problem !== undefined) throw new UsageError(`--again ${againDir}: ${problem}`);
  const { header, target } = earlier;
  const plan = planRun(target, header);
  const evidence = withAskedAgain(earlier.evidence, {
    plan: planRun(target, again.header),
    evidence: again.evidence,
  });
  return { header, target, plan, evidence, finishedAt: again.finishedAt, partial: earlier.partial };
}

/** Why what was asked again can't take the place of what an earlier run recorded; undefined where it can. */
function whyNotJoined(earlier: RecordedRun, { header, finishedAt, partial }: RecordedRun) {
  const { runId: id, suite, target } = earlier.header;
  if (header.again === undefined) return 'is no run of --last-failed';
  if (!isSameSuite(suite, suiteInfo()) || !isSameSuite(header.suite, suite))
    return `was recorded by the suite ${suiteName(header.suite)}, the earlier run by ${suiteName(suite)}, and this is ${suiteName(suiteInfo())}; all three must be the same`;
  if (!isDeepStrictEqual(header.target, target))
    return `is of another target: ${header.target.name} at ${header.target.baseUrl}`;
  if (header.again.run !== id) return `asks run ${header.again.run} again, and the earlier run is ${id}`;
  if (partial) return 'was stopped before its end; finish it first with run --resume';
  return finishedAt < earlier.finishedAt ? 'is older than what is there already' : undefined;
}

/** Writes the evidence of a joined run. The secrets are gone since that of its parts was written. */
export function writeEvidence(dir: string, { header, evidence, finishedAt, partial }: MergedRun): void {
  openEvidence(evidenceIn(dir), { header, earlier: evidence }, (line) => line).end(finishedAt, partial);
}

/** @throws UsageError where DIR is one of the shards, which it would replace */
export function refuseShardFolder(out: string, dirs: readonly string[]): void {
  const same = dirs.find((dir) => isSameFolder(dir, out));
  if (same !== undefined)
    throw new UsageError(`--out ${out}: is the DIR of a shard, which it would replace; name another folder`);
}
