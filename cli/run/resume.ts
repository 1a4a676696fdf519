import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { certificateFile } from '../../reporters/certificate/statement.ts';
import type { Plan } from '../../suites/types/plan.ts';
import type { EarlierPart } from '../../suites/types/run.ts';
import { settledIn } from '../../suites/run/merged-evidence.ts';
import { isRepeated } from '../files/repeated-folder.ts';
import { evidenceIn, hasEvidence, otherSuite, shownTarget } from '../files/evidence-file.ts';
import type { EvidenceHeader } from '../files/evidence-file.ts';
import { readEvidence } from '../files/read-evidence.ts';
import { type DepthOptions, type SelectionOptions, selectionOf } from '../options/options.ts';
import type { RunOptions } from '../options/run-options.ts';
import { refuseRunning } from '../files/run-lock.ts';

/** The rest of a run: what it began with, and what of it is there. */
export interface Resumed {
  readonly header: EvidenceHeader;
  readonly earlier: EarlierPart;
}

/** Options that the evidence has already decided; absent where they are not given. */
type DecidedOptions = SelectionOptions & DepthOptions & Pick<RunOptions, 'seed'>;

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** The first option that says another thing than the run did, in words. */
function contradiction(options: DecidedOptions, header: EvidenceHeader): string | undefined {
  const selection = selectionOf(options);
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['seed', options.seed, header.seed],
    ['profile', options.profile, header.profile],
    ['skip-costly', options.skipCostly, header.skipCostly],
    ['explore', options.explore, header.explore ?? 0],
    ['suite', options.suite && selection.suites, header.selection.suites],
    ['requirement', options.requirement && selection.requirements, header.selection.requirements],
    ['family', options.family && selection.families, header.selection.families],
    ['group', options.group && selection.groups, header.selection.groups],
    ['case', options.case && selection.cases, header.selection.cases ?? []],
  ];
  const found = pairs.find(([, given, had]) => given !== undefined && !isDeepStrictEqual(given, had));
  return found && `--${found[0]} ${shown(found[1])} contradicts that run, which had ${shown(found[2])}`;
}

export function otherTarget(target: Target, { target: had }: EvidenceHeader): string | undefined {
  // As it would be read back from a file.
  const now = JSON.parse(JSON.stringify(shownTarget(target))) as EvidenceHeader['target'];
  const keys = ['baseUrl', 'models', 'furtherModels', 'tokens', 'versionHeader', 'name'] as const;
  const key = keys.find((each) => !isDeepStrictEqual(now[each], had[each]));
  return (
    key &&
    `${key === 'tokens' || key === 'models' ? key : `target.${key}`} is ${shown(now[key])} in the config, and was ${shown(had[key])}`
  );
}

/** What a run left in DIR. Throws UsageError where there is nothing, or it is of another run's kind, or in use. */
export function resumedRun(dir: string, target: Target, options: DecidedOptions): Resumed {
  const fail = (problem: string): never => {
    throw new UsageError(`--resume ${dir}: ${problem}`);
  };
  if (isRepeated(dir))
    fail(
      `holds the runs of --repeat; go on with the one that was stopped, such as --resume ${join(dir, 'runs', '1')}, then \`judge ${dir} --out ${dir}\``,
    );
  if (!hasEvidence(dir)) fail('holds no evidence.jsonl; name the DIR of a run that was stopped or killed');
  refuseRunning(resolve(dir));
  const { header, evidence, finishedAt, partial } = readEvidence(evidenceIn(dir));
  const suite = otherSuite(header);
  if (suite !== undefined) fail(`${suite}; resume it with that one, or run again`);
  const other = otherTarget(target, header);
  if (other !== undefined) fail(`is the run of another target: ${other}`);
  const contradicted = contradiction(options, header);
  if (contradicted !== undefined) fail(`${contradicted}; leave the option out, or run again`);
  if (!partial && existsSync(join(dir, certificateFile)))
    fail(`was finished and has a ${certificateFile}; nothing is left to do`);
  return { header, earlier: partial ? { evidence: settledIn(evidence) } : { evidence, finishedAt } };
}

/** What is taken over, in words. */
export function resumedText({ header, earlier }: Resumed, { requests }: Plan): string {
  const { evidence, finishedAt } = earlier;
  const recorded = requests.filter(({ id }) => evidence.has(id)).length;
  return finishedAt === undefined
    ? `goes on with run ${header.runId}: ${recorded} of ${requests.length} requests are recorded, and not sent again`
    : `run ${header.runId} was finished: nothing is sent, and it is judged again`;
}

/** A word of a shell command. */
const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A file that a run is started with. */
type OwnFile = 'config' | 'baseline' | 'pins' | 'history';

/** How to go on with a run that was stopped. */
export function resumeHint(
  dir: string,
  { config, baseline, pins, history }: Readonly<Partial<Record<OwnFile, string | undefined>>>,
): string {
  const given = Object.entries({ config, resume: dir, baseline, pins, history });
  const words = given.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellWord(value)],
  );
  return `to go on where it stopped:\n  gateway-conformance run ${words.join(' ')}`;
}
