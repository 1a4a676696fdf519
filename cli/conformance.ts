import { join } from 'node:path';
import { configPlaces } from '../fixtures/target/config.ts';
import { UsageError } from '../fixtures/target/errors.ts';
import type { Target } from '../fixtures/target/target.ts';
import { markExpected } from '../reporters/baseline/allure.ts';
import type { BaselineOutcome } from '../reporters/baseline/apply.ts';
import { expectedFailures } from '../reporters/baseline/expected-failures.ts';
import { renderBaselineText } from '../reporters/baseline/view.ts';
import { terminalBlock } from '../reporters/escape.ts';
import { createProgress, type Progress } from '../reporters/progress.ts';
import { renderSummary } from '../reporters/terminal.ts';
import { firstLines } from '../reporters/wording.ts';
import { suiteInfo } from '../spec/suite-info.ts';
import type { Impact } from '../spec/vocabulary.ts';
import { runId } from '../suites/judge/report.ts';
import { silence } from '../suites/judge/silence.ts';
import { type Exchange, isExchange, type Unsent } from '../suites/model/exchange.ts';
import type { Plan } from '../suites/model/plan.ts';
import type { WaitReason } from '../suites/model/reasons/exchange-reasons.ts';
import { stopWords, waitWords } from '../suites/model/reasons/exchange-words.ts';
import { type Depth, depthIn } from '../suites/model/profile.ts';
import type { Report } from '../suites/model/report.ts';
import type { RunOptions } from '../suites/model/run.ts';
import { planRun } from '../suites/plan/plan-run.ts';
import { redactorOf } from '../suites/run/execute-plan.ts';
import type { Redactor } from '../suites/wire/redaction/redact.ts';
import { writeAllure, writeReport } from './artefacts.ts';
import { certify, type CertifySettings, describeCertification } from './certify.ts';
import {
  type EvidenceHeader,
  evidenceIn,
  evidenceVersion,
  openEvidence,
  shownTarget,
} from './evidence-file.ts';
import { type ExitCode, exitCodes } from './exit.ts';
import { uncountedText } from './fail-on.ts';
import { claimFolder } from './folder.ts';
import { reportToGitHub } from './github.ts';
import { onInterrupt } from './interrupt.ts';
import { judgedRun } from './judged-run.ts';
import { reach } from './reach.ts';
import { resumeHint, type Resumed, tellResumed } from './resume.ts';
import { lockFolder } from './run-lock.ts';
import {
  appendToHistory,
  exitCodeAgainst,
  outcomeOf,
  readRunInputs,
  renderContextOf,
  type RunInputs,
  withPins,
} from './render-context.ts';
import { tellSameModels } from './same-models.ts';
import { print, printError, summaryOptions } from './terminal.ts';

/** How a run goes, and where its results lie. */
export interface Settings extends Omit<RunOptions, 'signal'>, Depth {
  /** DIR of the contract. */
  readonly out: string;
  readonly quiet: boolean;
  readonly colour: boolean;
  readonly debug: boolean;
  /** Impacts whose failures make exit code 1. */
  readonly failOn: readonly Impact[];
  /** A certificate is asked for. */
  readonly certificate?: CertifySettings | undefined;
  /** File of the failures that are expected. */
  readonly baseline?: string | undefined;
  /** File of the behaviour that must not change. */
  readonly pins?: string | undefined;
  /** File that the run is appended to; without it, a history.jsonl that DIR has. */
  readonly history?: string | undefined;
  /** File of the declaration; absent where it was made without one. */
  readonly config?: string;
  /** The run that goes on in DIR; absent where one begins. */
  readonly resumed?: Resumed;
}

/** Longest wait for a connection before the run, in milliseconds. */
const longestReachMs = 5_000;

function headerOf(target: Target, settings: Settings): EvidenceHeader {
  const startedAt = new Date().toISOString();
  return {
    kind: 'header',
    schemaVersion: evidenceVersion,
    suite: suiteInfo(),
    runId: runId(settings.seed, startedAt, target.baseUrl),
    target: shownTarget(target),
    seed: settings.seed,
    selection: settings.selection,
    ...depthIn(settings),
    startedAt,
  };
}

const nothing = (): void => undefined;
const silent: Progress = { exchange: nothing, wait: nothing, end: nothing };

const progressOn = (stream: NodeJS.WriteStream, colour: boolean): Progress =>
  createProgress({ stream, isTTY: isLive(stream), colour: colour && isLive(stream) });

/** A terminal that can renew a line. */
const isLive = (stream: NodeJS.WriteStream): boolean => stream.isTTY === true && process.env.TERM !== 'dumb';

/** Says that the suite itself is at fault: loudly, for such a run is never a pass. */
function tellProblems(problems: readonly string[], printed: string, debug: boolean): void {
  printError(['internal error, this run proves nothing:', ...firstLines(problems, 10)].join('\n  '));
  if (debug && printed !== '') printError(printed);
}

/** Says which tokens stay readable where the target repeats them. */
function tellOpenTokens({ open }: Redactor): void {
  if (open.length === 0) return;
  const names = open.map((name) => `tokens.${name}`).join(', ');
  printError(`${names}: too short or too common a word to be masked where the target repeats it`);
}

/** Sends, judges and writes everything; what it needs has been checked. */
async function carryOut(
  target: Target,
  plan: Plan,
  settings: Settings,
  io: { dir: string; redactor: Redactor; signal: AbortSignal; prepared: RunInputs },
): Promise<{ report: Report; sound: boolean; header: EvidenceHeader; outcome: BaselineOutcome | undefined }> {
  const header = settings.resumed?.header ?? headerOf(target, settings);
  const { earlier } = settings.resumed ?? {};
  const start = { header, ...(earlier ? { earlier: earlier.evidence } : {}) };
  const log = openEvidence(evidenceIn(io.dir), start, io.redactor.text);
  const progress = settings.quiet || settings.stopped ? silent : progressOn(process.stderr, settings.colour);
  let done = plan.requests.filter(({ id }) => earlier?.evidence.has(id)).length;
  const hooks = {
    onEvidence: (entry: Exchange | Unsent) => {
      log.write(entry);
      if (!isExchange(entry) || entry.repeats === undefined) done += 1;
      progress.exchange(done, plan.requests.length);
    },
    onWait: (ms: number, why: WaitReason) => progress.wait(ms, io.redactor.text(waitWords(why))),
  };
  const { runId: id, startedAt } = header;
  const options = { ...settings, runId: id, startedAt, signal: io.signal, ...(earlier ? { earlier } : {}) };
  const ran = await judgedRun(target, plan, options, hooks).finally(progress.end);
  log.end(ran.report.run.finishedAt, ran.report.run.partial);
  const context = renderContextOf(ran.report, io.prepared);
  const report = withPins(ran.report, context);
  writeReport(io.dir, report, io.redactor, context);
  appendToHistory(report, io.prepared, io.redactor.text);
  const outcome = outcomeOf(report, context);
  writeAllure(io.dir, markExpected(ran.allure, expectedFailures(report, outcome).cases), io.redactor);
  if (ran.problems.length > 0) tellProblems(ran.problems, ran.printed, settings.debug);
  if (ran.stopped !== undefined)
    printError(`not everything was sent: ${io.redactor.text(stopWords(ran.stopped))}`);
  const instead = silence(ran.evidence);
  if (instead !== undefined) printError(`nothing that came back can be judged; ${instead}`);
  return { report, sound: ran.problems.length === 0, header, outcome };
}

/** Certifies DIR where that is asked for; a certificate that is asked for and not given is never exit code 0. */
function settle(
  code: ExitCode,
  report: Report,
  settings: Settings,
  io: { dir: string; target: EvidenceHeader['target']; redactor: Redactor },
): ExitCode {
  if (settings.certificate === undefined) return code;
  const certification = certify(io.dir, io, settings.certificate);
  const said = io.redactor.text(describeCertification(certification));
  if (certification.kind === 'certified') print(terminalBlock(said));
  else printError(said);
  if (certification.kind === 'certified' || code !== exitCodes.conformant) return code;
  // A baseline may expect what a certificate can't be given for.
  return report.verdict === 'non-conformant' ? exitCodes.nonConformant : exitCodes.notJudged;
}

/** Why the target can't be reached; undefined where it can, or where nothing is left to be sent. */
async function unreachable(
  { baseUrl }: Target,
  { resumed, timeoutMs }: Settings,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (resumed?.earlier.finishedAt !== undefined) return undefined;
  return reach(baseUrl, Math.min(timeoutMs, longestReachMs), signal);
}

/**
 * Judges a target and writes DIR, also where the target can't be reached: then nothing is sent, and all is inconclusive.
 * @throws UsageError where nothing is selected or DIR can't be written, NotJudgedError where the user stops it before
 */
export async function runConformance(target: Target, settings: Settings): Promise<ExitCode> {
  const plan = planRun(target, settings);
  const { profile, shard } = settings;
  if (plan.cases.length === 0)
    throw new UsageError(
      shard === undefined
        ? `the selection leaves no case to run in profile ${profile}; see gateway-conformance plan`
        : `the selection leaves no case for shard ${shard.index} of ${shard.count} in profile ${profile}; take fewer shards`,
    );
  if (settings.config !== undefined) tellSameModels(settings.config, target, plan);
  const prepared = readRunInputs(settings.out, settings);
  const folder = claimFolder(settings.out);
  const interrupt = onInterrupt();
  const unlock = lockFolder(folder.path);
  try {
    const problem = await unreachable(target, settings, interrupt.signal).catch((error: unknown) => {
      unlock();
      folder.release();
      throw error;
    });
    if (settings.resumed !== undefined) tellResumed(settings.resumed, plan);
    folder.clear();
    const redactor = redactorOf(target);
    tellOpenTokens(redactor);
    const io = { dir: folder.path, redactor, signal: interrupt.signal, prepared };
    const sendable: Settings =
      problem === undefined ? settings : { ...settings, stopped: { kind: 'unreachable', detail: problem } };
    const { report, sound, header, outcome } = await carryOut(target, plan, sendable, io);
    // What is certified is all that DIR holds.
    unlock();
    const { failOn } = settings;
    const judged = sound ? exitCodeAgainst(report, outcome, failOn) : exitCodes.notJudged;
    const code = settle(judged, report, settings, { ...io, target: header.target });
    const uncounted = uncountedText(report, failOn);
    if (uncounted !== undefined) printError(uncounted);
    const files = { html: join(folder.path, 'report.html'), json: join(folder.path, 'report.json') };
    reportToGitHub(folder.path, report, outcome, redactor);
    const baseline = outcome === undefined ? {} : { baseline: renderBaselineText(outcome, settings) };
    const placed = settings.config === undefined ? {} : { placeOf: configPlaces(settings.config) };
    print(
      redactor.text(renderSummary(report, { ...summaryOptions(settings), ...baseline, ...placed, files })),
    );
    // Where nothing was sent, there is nothing to go on from.
    const hasBegun = problem === undefined || settings.resumed !== undefined;
    if (report.run.partial && hasBegun && settings.config !== undefined)
      printError(resumeHint(settings.out, settings));
    return code;
  } finally {
    unlock();
    interrupt.release();
  }
}
