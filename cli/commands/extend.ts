import { dirname, resolve } from 'node:path';
import { createEvidenceView } from '../../suites/checks/evidence-view.ts';
import { type Proposal, proposalsOf } from '../../suites/proposals/proposals.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { count } from '../../spec/text.ts';
import { yamlLibrary } from '../../spec/yaml-library.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { evidenceIn } from '../files/evidence-file.ts';
import { writeNewFile } from '../files/folder.ts';
import { runFolder, runsIn } from '../files/repeated-folder.ts';
import { print } from '../output/terminal.ts';
import { rejudge, type Rejudged } from '../run/rejudge.ts';
import { extensionSchemaPath, schemaLines } from './init.ts';

/** The run of a DIR, or its runs where it holds several. */
function runsOf(dir: string): readonly Rejudged[] {
  const numbers = runsIn(dir);
  const dirs = numbers.length === 0 ? [dir] : numbers.map((run) => runFolder(dir, run));
  return dirs.map((each) => rejudge(evidenceIn(each)));
}

/** A proposal as an entry of the list of statements, behind a comment that says what shows it. */
function entry({ statement, replies, exchange }: Proposal, runs: number): string {
  const text = yamlLibrary().stringify([statement], { lineWidth: 110 }).trimEnd();
  const seen = `# Seen in ${count(replies, 'reply', 'replies')} of ${count(runs, 'run')}, such as ${exchange}.`;
  return `${seen}\n${text}`.replace(/^/gm, '  ');
}

/** `extend`: writes statements of what a target did where the interface leaves it open, for people to edit. */
export function extendCommand(options: {
  readonly fromReport: readonly string[];
  readonly out: string;
}): ExitCode {
  const { fromReport, out } = options;
  const runs = fromReport.flatMap(runsOf);
  const proposals = proposalsOf(runs.map(({ plan, run }) => createEvidenceView(plan, run.evidence)));
  if (proposals.length === 0)
    throw new UsageError(
      `${fromReport.join(', ')}: no reply shows anything to state; name a run that was answered`,
    );
  const head = `# What ${runs[0]?.run.target.name} did in all of ${count(runs.length, 'run')}, where the interface leaves it open. Keep what is\n# promised, in words of your own, and delete the rest.\n`;
  const text = `${head}statements:\n${proposals.map((each) => entry(each, runs.length)).join('\n')}\n`;
  writeNewFile(
    out,
    schemaLines(dirname(resolve(out)), extensionSchemaPath) + text,
    'name another file with --out FILE',
  );
  print(`${out} is written, with ${count(proposals.length, 'statement')} to edit. Then:
  gateway-conformance run --extend ${out}`);
  return exitCodes.conformant;
}
