import { existsSync } from 'node:fs';
import { present } from '../../spec/present.ts';
import { join } from 'node:path';
import { mostReportBytes, readBytes } from '../../fixtures/files/bounded.ts';
import { describedBetween, differences, suiteName } from '../../reporters/certificate/differences.ts';
import type { Step } from '../../reporters/certificate/verification.ts';
import { jsonText } from '../../spec/json.ts';
import { createEvidenceView } from '../../suites/checks/evidence-view.ts';
import { type Exchange, isExchange } from '../../suites/types/exchange.ts';
import { runId } from '../../suites/judge/judge-run.ts';
import { renderings } from '../files/artefacts.ts';
import type { EvidenceHeader } from '../files/evidence-file.ts';
import { readRenderContext, renderContextFile, renderContextProblems } from '../files/render-context.ts';
import { compareWithEvidence, isWrittenAlike } from '../run/rejudge.ts';
import type { readReport, Rejudged, rejudgeRuns } from '../run/rejudge.ts';
import { exchangeProblems } from './verify-exchanges.ts';
import type { RecordedRun } from '../files/read-evidence.ts';

/** A DIR, its report and renderings beside what its evidence gives, of one run or of several. */
export function contentOf(
  dir: string,
  { report, text }: ReturnType<typeof readReport>,
  { report: derived, target }: Pick<ReturnType<typeof rejudgeRuns>, 'report' | 'target'>,
) {
  const compared = compareWithEvidence(report, derived);
  return { dir, report, text, read: readRenderContext(dir), target, derived, compared };
}
export type Content = ReturnType<typeof contentOf>;

/** The same of one run. */
export interface RunContent extends Content {
  readonly rejudged: Rejudged;
  /** In what the report says something else than the evidence of what was sent and received. */
  readonly recorded: readonly string[];
  /** Numbers of the lines of the evidence that this suite would write in another way. */
  readonly otherLines: readonly number[];
}

export const reportAndEvidence = describedBetween('report.json', 'the evidence');

/** A run is named by what it is: no other has the name, and no text stands there. */
const idProblems = ({ runId: id, seed, startedAt, target }: EvidenceHeader): readonly string[] =>
  id === runId(seed, startedAt, target.baseUrl) ? [] : ['the id of the run is that of another'];

/** What the report says was sent and received, against the evidence: no version of the suite explains a difference. */
export function evidenceStep({ report, rejudged, recorded, compared, otherLines }: RunContent): Step {
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

/** Evidence of a run judged again, against report.json. */
export const verdictStep = (content: RunContent): Step =>
  derivedStep(content, `judged again from ${content.derived.exchanges.length} exchanges`, {
    told: content.recorded,
    further: planProblems(content.rejudged),
  });

/** What the evidence gives, against report.json, but what is `told`; this suite can only doubt what another one judged. */
export function derivedStep(
  { report, derived, compared }: Content,
  again: string,
  { told, further }: Readonly<Record<'told' | 'further', readonly string[]>> = { told: [], further: [] },
): Step {
  const { sameSuite, differences: found } = compared;
  const differing = [...found.map(reportAndEvidence).filter((line) => !told.includes(line)), ...further];
  const name = 'Verdicts';
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
  { dir, report, text, read, derived, compared: { sameSuite, differences: found } }: Content,
  isCertified: boolean,
): Step {
  const written = [...renderings(report, read?.context)].filter(([name]) => existsSync(join(dir, name)));
  const others = written.filter(
    ([name, render]) => !readBytes(join(dir, name), mostReportBytes).equals(Buffer.from(render())),
  );
  // The same values may stand in another order.
  const isAsJudged = !sameSuite || found.length > 0 || isWrittenAlike(report, derived);
  const problems = present([
    !(jsonText(report) === text && isAsJudged) && 'report.json is not written as this suite writes it',
    ...renderContextProblems(read, report),
    !isCertified && read?.context.certificate && 'report.html speaks of a certificate, and there is none',
    ...others.map(
      ([name]) =>
        `${name} is not what ${sameSuite ? 'report.json gives' : 'this suite makes of report.json'}`,
    ),
  ]);
  return {
    name: 'Renderings',
    detail: [...written.map(([name]) => name), ...(read === undefined ? [] : [renderContextFile])].join(', '),
    ...(sameSuite ? { problems } : { problems: [], versionDifferences: problems }),
  };
}

/** How far the clock of the reader may be behind, and how far one may be set back during a run, in milliseconds. */
const [aheadMs, setBackMs] = [300_000, 1_000];

/** A part of a run: the time from which on it was under way, and the time at which it was over. */
interface Span {
  readonly what: string;
  readonly from: number;
  readonly to: number;
}

/** A time as this suite writes it, in UTC; NaN where it is none. */
function timeOf(text: string): number {
  const time = Date.parse(text);
  return Number.isFinite(time) && new Date(time).toISOString() === text ? time : Number.NaN;
}

/** What was sent, and what was waited before that. */
const exchangeSpans = ({ id, timing, attempts }: Exchange): readonly Span[] =>
  [{ startedAt: timing.startedAt, ms: timing.endMs, waitedMs: 0 }, ...attempts].flatMap(
    ({ startedAt, ms, waitedMs }) => {
      const [what, at] = [`exchange ${id}`, timeOf(startedAt)];
      return [
        { what, from: at, to: at + ms },
        { what, from: at - waitedMs, to: at },
      ];
    },
  );

/** Whether an attempt begins while the one before it is under way. */
const isOverlapping = ({ attempts }: Exchange): boolean =>
  attempts.some(({ startedAt }, at) => {
    const before = attempts[at - 1];
    return before !== undefined && timeOf(startedAt) + setBackMs < timeOf(before.startedAt) + before.ms;
  });

/** Times that can't be: no time at all, in the future, an end before its beginning, an exchange outside its run. */
export function timeProblems(run: RecordedRun, now: number): readonly string[] {
  const all = { what: 'the run', from: timeOf(run.header.startedAt), to: timeOf(run.finishedAt) };
  const exchanges = [...run.evidence.values()].filter(isExchange);
  const problemOf = ({ what, from, to }: Span): readonly string[] => {
    if (!Number.isFinite(from) || !Number.isFinite(to)) return [`${what} has no time of the calendar`];
    if (to < from) return [`${what} ends before it begins`];
    if (to > now + aheadMs) return [`${what} is in the future`];
    return from < all.from - setBackMs || to > all.to + setBackMs
      ? [`${what} is not within the time of the run`]
      : [];
  };
  return [
    // One exchange several times where its attempts are told, too.
    ...new Set([all, ...exchanges.flatMap(exchangeSpans)].flatMap(problemOf)),
    ...exchanges.filter(isOverlapping).map(({ id }) => `exchange ${id} begins again before it ends`),
  ];
}
