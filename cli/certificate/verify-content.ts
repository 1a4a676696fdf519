import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mostReportBytes, readBytes } from '../../fixtures/files/bounded.ts';
import { describedBetween, differences, suiteName } from '../../reporters/certificate/differences.ts';
import type { Step } from '../../reporters/certificate/verification.ts';
import { jsonText } from '../../spec/json.ts';
import { createEvidenceView } from '../../suites/checks/evidence-view.ts';
import { isExchange } from '../../suites/types/exchange.ts';
import { runId } from '../../suites/judge/judge-run.ts';
import type { Report } from '../../suites/types/report.ts';
import { renderings } from '../files/artefacts.ts';
import type { EvidenceHeader } from '../files/evidence-file.ts';
import { type ReadContext, renderContextFile, renderContextProblems } from '../files/render-context.ts';
import { type EvidenceComparison, isWrittenAlike, type Rejudged } from '../run/rejudge.ts';
import { exchangeProblems } from './verify-exchanges.ts';
import { timeProblems } from './verify-times.ts';

/** A DIR, its report, and what this suite makes of its evidence. */
export interface Content {
  readonly dir: string;
  readonly report: Report;
  /** The text of report.json. */
  readonly text: string;
  /** What the renderings show besides the report. */
  readonly read: ReadContext | undefined;
  readonly rejudged: Rejudged;
  /** In what the report says something else than the evidence of what was sent and received. */
  readonly recorded: readonly string[];
  /** In what it differs from the evidence judged again, those too. */
  readonly compared: EvidenceComparison;
  /** Numbers of the lines of the evidence that this suite would write in another way. */
  readonly otherLines: readonly number[];
}

export const reportAndEvidence = describedBetween('report.json', 'the evidence');

/** A run is named by what it is: no other has the name, and no text stands there. */
const idProblems = ({ runId: id, seed, startedAt, target }: EvidenceHeader): readonly string[] =>
  id === runId(seed, startedAt, target.baseUrl) ? [] : ['the id of the run is that of another'];

/** What the report says was sent and received, against the evidence: no version of the suite explains a difference. */
export function evidenceStep({ report, rejudged, recorded, compared, otherLines }: Content): Step {
  const { run } = rejudged;
  return {
    name: 'Evidence',
    detail: `target, run, times and ${report.exchanges.length} exchanges of report.json, against the evidence`,
    problems: [
      ...recorded,
      ...differences(report.suite, run.header.suite, ['suite']).map(reportAndEvidence),
      ...timeProblems(run, Date.now()),
      ...(compared.sameSuite ? idProblems(run.header) : []),
      ...exchangeProblems(rejudged, compared.sameSuite),
      ...otherLines.map((line) => `evidence.jsonl:${line} is not written as this suite writes it`),
    ],
  };
}

/** Whether each line of the evidence was planned, and each planned request has its line. */
function planProblems({ plan, run }: Rejudged): readonly string[] {
  const planned = new Set(plan.requests.map(({ id }) => id));
  const view = createEvidenceView(plan, run.evidence);
  const unknown = [...run.evidence.values()]
    .filter((entry) => (isExchange(entry) ? !view.requestOf(entry) : !planned.has(entry.id)))
    .map(({ id }) => id);
  const absent = run.partial ? [] : [...planned].filter((id) => !run.evidence.has(id));
  return [
    ...unknown.map((id) => `the evidence holds ${id}, which was not planned`),
    ...absent.map((id) => `the evidence has no exchange for ${id}, which was planned`),
  ];
}

/** Evidence judged again, against report.json. What another suite judged, this one can only doubt. */
export function verdictStep({ report, rejudged, recorded, compared }: Content): Step {
  const { report: derived } = rejudged;
  const { sameSuite, differences: found } = compared;
  // Told by the step before, each with its place.
  const told = new Set(recorded);
  const differing = [
    ...found.map(reportAndEvidence).filter((line) => !told.has(line)),
    ...planProblems(rejudged),
  ];
  const name = 'Verdicts';
  const again = `judged again from ${derived.exchanges.length} exchanges`;
  if (sameSuite) return { name, detail: again, problems: differing };
  const judges = `${suiteName(report.suite)} judged then, this version is ${suiteName(derived.suite)}`;
  return {
    name,
    detail: `${again} by another suite: ${judges}`,
    problems: [],
    versionDifferences: [
      'plan, causes, observations and words are those of another suite: this one can not make them again',
      ...differing,
    ],
  };
}

/** Whether what people read is what report.json gives, to the byte. Another suite may have written it in another way. */
export function renderingStep(
  { dir, report, text, read, rejudged, compared: { sameSuite, differences: found } }: Content,
  isCertified: boolean,
): Step {
  const present = [...renderings(report, read?.context)].filter(([name]) => existsSync(join(dir, name)));
  const others = present.filter(
    ([name, render]) => !readBytes(join(dir, name), mostReportBytes).equals(Buffer.from(render())),
  );
  // The same values may stand in another order.
  const isAsJudged = !sameSuite || found.length > 0 || isWrittenAlike(report, rejudged.report);
  const problems = [
    ...(jsonText(report) === text && isAsJudged
      ? []
      : ['report.json is not written as this suite writes it']),
    ...renderContextProblems(read, report),
    ...(isCertified || read?.context.certificate === undefined
      ? []
      : ['report.html speaks of a certificate, and there is none']),
    ...others.map(
      ([name]) =>
        `${name} is not what ${sameSuite ? 'report.json gives' : 'this suite makes of report.json'}`,
    ),
  ];
  return {
    name: 'Renderings',
    detail: [...present.map(([name]) => name), ...(read === undefined ? [] : [renderContextFile])].join(', '),
    ...(sameSuite ? { problems } : { problems: [], versionDifferences: problems }),
  };
}
