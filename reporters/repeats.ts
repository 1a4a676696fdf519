import { present } from '../spec/present.ts';
import { count, firstOf } from '../spec/text.ts';
import type { ReportCause } from '../suites/types/cause.ts';
import { canFail, isUnsteady } from '../suites/types/gating.ts';
import type { Report, ReportRequirement, RequirementRuns } from '../suites/types/report.ts';

/** What reports of several runs say more than those of one, in words; without several there are none. */

/** `failed in 1 of 50 runs, passed in 49: unsteady`; undefined where it passed in all, or one run was asked for. */
export function rateText(row: Pick<ReportRequirement, 'runs'>): string | undefined {
  const { runs } = row;
  if (runs === undefined || runs.failed + runs.inconclusive === 0) return undefined;
  const { judged, failed, inconclusive } = runs;
  const parts = present([
    failed > 0 && `failed in ${failed}`,
    inconclusive > 0 && `inconclusive in ${inconclusive}`,
  ]);
  const passed = isUnsteady(row) ? `, passed in ${judged - failed - inconclusive}: unsteady` : '';
  return `${parts.join(' and ')} of ${count(judged, 'run')}${passed}`;
}

/** `run 7 (seed 48), run 9 (seed 50)`: the runs in which a requirement failed. */
export const failedRunsText = ({ failures }: RequirementRuns): string =>
  firstOf(failures.map(({ run, seed }) => `run ${run} (seed ${seed})`));

/** `seen in 1 of 50 runs`; none where one run was asked for. */
export const seenText = ({ runs }: Pick<ReportCause, 'runs'>): readonly string[] =>
  runs === undefined ? [] : [`seen in ${runs.seen} of ${count(runs.judged, 'run')}`];

/** How often all of a target was judged, and how often what was open again. */
function judgedText({ partial, repeat }: Report['run']): string {
  const { asked, runs } = repeat ?? { asked: 0, runs: [] };
  if (partial) return `Judged ${count(runs.length, 'time')}, not ${asked} as asked for`;
  const parts = runs.filter(({ askedAgain }) => askedAgain !== undefined).length;
  const whole = `Judged ${count(runs.length - parts, 'time')}`;
  const again = `${whole} in full, and ${count(parts, 'time')} again what had failed or was undecided`;
  if (runs.length === asked) return parts === 0 ? whole : again;
  return parts === 0 ? `${whole}: nothing was left to ask again` : `${again}, until nothing was left to ask`;
}

/** How often the target was judged, and what was not the same each time; empty where one run was asked for. */
export function repeatSentence({ run, requirements }: Pick<Report, 'run' | 'requirements'>): string {
  if (run.repeat === undefined) return '';
  const unsteady = requirements.filter((row) => canFail(row) && isUnsteady(row)).length;
  const judged = judgedText(run);
  if (run.repeat.runs.length === 1) return `${judged}.`;
  return unsteady === 0
    ? `${judged}; nothing failed in some runs and passed in others.`
    : `${judged}; ${count(unsteady, 'requirement')} failed in some runs and passed in others.`;
}

/** `seed 7`, or of several runs `seeds 7 to 9`. */
export function seedText({ seed, repeat }: Report['run']): string {
  const last = repeat?.runs.at(-1)?.seed;
  return last === undefined || last === seed ? `seed ${seed}` : `seeds ${seed} to ${last}`;
}
