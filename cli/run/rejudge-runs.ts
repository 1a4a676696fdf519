import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../fixtures/target/errors.ts';
import { createRepeats } from '../../suites/judge/repeated-runs/repeats.ts';
import type { Report } from '../../suites/types/report.ts';
import { type EvidenceHeader, evidenceIn } from '../files/evidence-file.ts';
import { rejudge } from './rejudge.ts';
import { runFolder, runsIn } from '../files/repeated-folder.ts';

/** What all runs of a DIR have in common. */
const common = ({ target, suite, selection, profile, skipCostly, explore, repeat }: EvidenceHeader) => ({
  target,
  suite,
  selection,
  profile,
  skipCostly,
  explore,
  of: repeat?.of,
});

/**
 * Judges the runs of `--repeat` again that DIR holds, without a network.
 * @throws UsageError where the evidence of one can't be judged, one is missing, or they are not of the same plan
 */
export function rejudgeRuns(dir: string): { readonly report: Report; readonly recordedBy: Report['suite'] } {
  let first: EvidenceHeader | undefined;
  let repeats = createRepeats(0);
  for (const [at, run] of runsIn(dir).entries()) {
    const folder = runFolder(dir, run);
    if (run !== at + 1)
      throw new UsageError(
        `${runFolder(dir, at + 1)}: is missing, and ${folder} is there; judge that one by itself`,
      );
    const judged = rejudge(evidenceIn(folder));
    const { header } = judged.run;
    if (first === undefined) repeats = createRepeats(header.repeat?.of ?? 1);
    first ??= header;
    if (!isDeepStrictEqual(common(header), common(first)))
      throw new UsageError(
        `${folder}: is of another target, suite or selection than ${runFolder(dir, 1)}; judge it by itself`,
      );
    repeats.add(judged.report);
  }
  if (first === undefined) throw new UsageError(`${dir}: holds no runs of --repeat`);
  return { report: repeats.merged(), recordedBy: first.suite };
}
