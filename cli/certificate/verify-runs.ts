import type { Step } from '../../reporters/certificate/verification.ts';
import { isJsonOf } from '../../spec/json.ts';
import { count } from '../../spec/text.ts';
import { evidenceIn } from '../files/evidence-file.ts';
import { readRenderContext } from '../files/render-context.ts';
import { isRepeated, runFolder } from '../files/repeated-folder.ts';
import {
  compareWithEvidence,
  readReport,
  recordedDifferences,
  rejudge,
  type Rejudged,
  rejudgeRuns,
} from '../run/rejudge.ts';
import {
  type Content,
  derivedStep,
  evidenceStep,
  renderingStep,
  reportAndEvidence,
  verdictStep,
} from './verify-content.ts';

/** What a DIR says, and what came of checking that against its evidence. */
interface Checked {
  readonly content: Content;
  readonly steps: readonly Step[];
}

/** Report and renderings of a DIR beside what its evidence gives. */
function contentOf(
  dir: string,
  { report, text }: ReturnType<typeof readReport>,
  { report: derived, target }: { readonly report: Content['derived']; readonly target: Content['target'] },
): Content {
  const compared = compareWithEvidence(report, derived);
  return { dir, report, text, read: readRenderContext(dir), target, derived, compared };
}

/** Checks a DIR that holds the evidence of one run, and gives that run, too. */
function checkedRun(dir: string): Checked & { readonly rejudged: Rejudged } {
  const read = readReport(dir);
  const otherLines: number[] = [];
  const rejudged = rejudge(evidenceIn(dir), (line, number) => {
    if (!isJsonOf(line.value, line.text)) otherLines.push(number);
  });
  const content = contentOf(dir, read, { report: rejudged.report, target: rejudged.run.header.target });
  const recorded = recordedDifferences(content.report, rejudged).map(reportAndEvidence);
  const run = { ...content, rejudged, recorded, otherLines };
  return { content, rejudged, steps: [evidenceStep(run), verdictStep(run)] };
}

/** What came of checking one of several runs, as a step of the whole. */
function runStep(name: string, { content, steps }: Checked): Step {
  const all = [...steps, renderingStep(content, false)];
  return {
    name,
    detail: `${content.report.run.id}: ${all.map((step) => step.name.toLowerCase()).join(', ')}, checked as of a single run`,
    problems: all.flatMap(({ problems }) => problems),
    versionDifferences: all.flatMap(({ versionDifferences = [] }) => versionDifferences),
  };
}

/** Checks each run of a DIR that holds several as one is checked, and the report of all against them. */
function checkedRuns(dir: string): Checked {
  const read = readReport(dir);
  const steps: Step[] = [];
  const all = rejudgeRuns(dir, (run) => {
    const checked = checkedRun(runFolder(dir, run));
    steps.push(runStep(`Run ${run}`, checked));
    return checked.rejudged;
  });
  const content = contentOf(dir, read, all);
  return { content, steps: [...steps, derivedStep(content, `made again of ${count(steps.length, 'run')}`)] };
}

/**
 * Checks report and renderings of a DIR against its evidence, which is judged again.
 * @param isCertified whether a certificate lies beside them
 * @throws UsageError where there is nothing that could be checked
 */
export function checkedContent(dir: string, isCertified: boolean): Checked {
  const { content, steps } = isRepeated(dir) ? checkedRuns(dir) : checkedRun(dir);
  return { content, steps: [...steps, renderingStep(content, isCertified)] };
}
