import { resolve } from 'node:path';
import { didYouMean, UsageError } from '../../fixtures/target/errors.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { leftOpen } from '../../suites/judge/repeated-runs/left-open.ts';
import { askedAgain } from '../../suites/plan/asked-cases.ts';
import type { AskedAgain } from '../../suites/types/profile.ts';
import type { Report } from '../../suites/types/report.ts';
import { type EvidenceHeader, evidenceIn, hasEvidence, otherSuite } from '../files/evidence-file.ts';
import { runFolder, runsIn } from '../files/repeated-folder.ts';
import { refuseRunning } from '../files/run-lock.ts';
import { readEvidence } from '../files/read-evidence.ts';
import { type Rejudged, rejudged } from './rejudge.ts';
import { otherTarget } from './resume.ts';

/** Fails with a sentence about the folder that was named. */
type Fail = (problem: string) => never;

/** What of a run was left failed or undecided in a way that gates, of some causes or of all. */
function openRows({ causes, requirements }: Report, onlyCauses: readonly string[] | undefined, fail: Fail) {
  const known = causes.map(({ id }) => id);
  const unknown = onlyCauses?.find((id) => !known.includes(id));
  if (unknown !== undefined)
    fail(
      `--only-causes ${unknown}: no cause of that report; ${known.length === 0 ? 'it has none' : didYouMean(unknown, known)}`,
    );
  return leftOpen(requirements.filter(({ cause = '' }) => onlyCauses?.includes(cause) ?? true));
}

/** What is asked again of a run; undefined where nothing of it failed or is undecided in a way that gates. */
function askedAgainOf(
  { plan, report, run }: Rejudged,
  onlyCauses: readonly string[] | undefined,
  fail: Fail,
): AskedAgain | undefined {
  const rows = openRows(report, onlyCauses, fail);
  return rows.length === 0 ? undefined : askedAgain(report.run.id, rows, { plan, evidence: run.evidence });
}

/** @throws UsageError where the folder holds no evidence of one run */
function ensureOneRun(dir: string, fail: Fail): void {
  const [first] = hasEvidence(dir) ? [] : runsIn(dir);
  if (first !== undefined)
    fail(`holds the runs of --repeat; name one of them, such as ${runFolder(dir, first)}`);
  if (!hasEvidence(dir)) fail('holds no evidence.jsonl; name the DIR of a run that is over');
  refuseRunning(resolve(dir));
}

/** Why a run can't be asked again in part; undefined where it can. */
function hindrance(header: EvidenceHeader, partial: boolean, dir: string): string | undefined {
  const { shard, source } = header;
  const other = otherSuite(header);
  if (source !== undefined) return 'was judged from live traffic, which nobody can ask again';
  if (other !== undefined) return `${other}; ask again with that one, or run anew`;
  if (shard !== undefined) return `is shard ${shard.index} of ${shard.count}; merge all of them first`;
  return partial ? `was stopped before its end; finish it first: run --resume ${dir}` : undefined;
}

/** The header of a run that asks again what one left open; undefined where it left nothing. Throws UsageError. */
export function lastFailed(dir: string, target: Target, onlyCauses?: readonly string[]) {
  const fail: Fail = (problem) => {
    throw new UsageError(`--last-failed ${dir}: ${problem}`);
  };
  ensureOneRun(dir, fail);
  const run = readEvidence(evidenceIn(dir));
  const hindered = hindrance(run.header, run.partial, dir);
  if (hindered !== undefined) fail(hindered);
  const other = otherTarget(target, run.header);
  if (other !== undefined) fail(`is the run of another target: ${other}`);
  const again = askedAgainOf(rejudged(evidenceIn(dir), run), onlyCauses, fail);
  return again && { ...run.header, again };
}
