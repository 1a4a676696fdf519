import { UsageError } from '../fixtures/target/errors.ts';
import type { Target } from '../fixtures/target/target.ts';
import { markExpected } from '../reporters/baseline/allure.ts';
import type { BaselineOutcome } from '../reporters/baseline/apply.ts';
import { expectedFailures } from '../reporters/baseline/expected-failures.ts';
import { noProgress, type Progress } from '../reporters/progress.ts';
import { firstLines } from '../reporters/wording.ts';
import { suiteInfo } from '../spec/suite-info.ts';
import type { Impact } from '../spec/vocabulary.ts';
import { runId } from '../suites/judge/report.ts';
import { onlyTransientFaults } from '../suites/judge/only-transient-faults.ts';
import type { Exchange, Unsent } from '../suites/model/exchange.ts';
import type { Plan } from '../suites/model/plan.ts';
import type { WaitReason } from '../suites/model/reasons/exchange-reasons.ts';
import { stopWords, waitWords } from '../suites/model/reasons/exchange-words.ts';
import { type Depth, depthIn, type Repetition } from '../suites/model/profile.ts';
import type { Report } from '../suites/model/report.ts';
import type { RunOptions } from '../suites/model/run.ts';
import { planRun } from '../suites/plan/plan-run.ts';
import { type EarlierRuns, redactorOf } from '../suites/run/execute-plan.ts';
import type { Redactor } from '../suites/wire/redaction/redact.ts';
import { cleanReport, writeAllure, writeReport } from './artefacts.ts';
import { type Certification, certify, type CertifySettings } from './certify.ts';
import {
  type EvidenceHeader,
  evidenceIn,
  type EvidenceLog,
  evidenceVersion,
  openEvidence,
  shownTarget,
} from './evidence-file.ts';
import { type ExitCode, exitCodes } from './exit.ts';
import { claimFolder } from './folder.ts';
import { interopCost, withInterop } from './interop.ts';
import { limitNotices } from './limits.ts';
import { judgedRun } from './judged-run.ts';
import { reach } from './reach.ts';
import { type Resumed, resumedText } from './resume.ts';
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
import { sameModelsText } from './same-models.ts';
import { createTally } from './tally.ts';

/** How a run goes, and where its results lie. */
export interface Settings extends Omit<RunOptions, 'signal'>, EarlierRuns, Depth {
  /** DIR of the contract; nothing is written without it. */
  readonly out?: string | undefined;
  /** Whether allure-results/ is written. */
  readonly allure: boolean;
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
  /** Official clients ask, too, when the run is over. */
  readonly interop: boolean;
  /** File of the declaration; absent where it was made without one. */
  readonly config?: string;
  /** The run that goes on in DIR; absent where one begins. */
  readonly resumed?: Resumed;
  /** Which of several runs of the same plan it is; absent where one is asked for. */
  readonly repeat?: Repetition;
}

/** Longest wait for a connection before the run, in milliseconds. */
const longestReachMs = 5_000;

/** The first line of the evidence of what begins now. */
export function headerOf(
  target: Target,
  settings: Pick<Settings, 'seed' | 'selection' | 'repeat'> & Depth,
): EvidenceHeader {
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
    ...(settings.repeat === undefined ? {} : { repeat: settings.repeat }),
    startedAt,
  };
}

/** Who started a run and follows it: the run itself prints nothing. */
export interface Listener {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Takes what there is to know besides the report, without tokens and unescaped. */
  readonly warn: (text: string) => void;
}

/** What came of a run. */
export interface RunOutcome {
  /** As it is written, without tokens. */
  readonly report: Report;
  readonly exitCode: ExitCode;
  /** The report against its baseline, where there is one. */
  readonly outcome: BaselineOutcome | undefined;
  /** Where a certificate was asked for. */
  readonly certification: Certification | undefined;
  /** DIR, where there is one. */
  readonly dir: string | undefined;
  /** Whether anything is recorded that a stopped run could go on from. */
  readonly hasBegun: boolean;
  /** What went wrong in the suite itself: with any, the run proves nothing. */
  readonly problems: readonly string[];
  /** What the test runner printed. */
  readonly printed: string;
  readonly redactor: Redactor;
}

/**
 * What a run is to send.
 * @throws UsageError where nothing is selected
 */
export function plannedRun(target: Target, settings: Settings): Plan {
  const plan = planRun(target, settings);
  const { profile, shard } = settings;
  if (plan.cases.length > 0) return plan;
  throw new UsageError(
    shard === undefined
      ? `the selection leaves no case to run in profile ${profile}; see gateway-conformance plan`
      : `the selection leaves no case for shard ${shard.index} of ${shard.count} in profile ${profile}; take fewer shards`,
  );
}

/** What is to be known before anything is sent. */
function warnings(target: Target, plan: Plan, settings: Settings): readonly string[] {
  const { config, limits = {}, longestMs, repeat } = settings;
  // Of several runs the first says it for all.
  if (repeat !== undefined && repeat.run > 1) return [];
  const sameModels = config === undefined ? undefined : sameModelsText(config, target, plan);
  return [
    ...(sameModels === undefined ? [] : [sameModels]),
    ...limitNotices(plan, target, limits, { longestMs: longestMs ?? Infinity, times: repeat?.of ?? 1 }),
  ];
}

/** Which tokens stay readable where the target repeats them; undefined where all are masked. */
function openTokensText({ open }: Redactor): string | undefined {
  if (open.length === 0) return undefined;
  const names = open.map((name) => `tokens.${name}`).join(', ');
  return `${names}: too short or too common a word to be masked where the target repeats it`;
}

const noLog: EvidenceLog = { write: () => undefined, end: () => undefined };

/** A run that may begin. */
interface Prepared extends Listener {
  readonly dir: string | undefined;
  readonly redactor: Redactor;
  readonly inputs: RunInputs;
}

/** Sends, judges and writes everything; what it needs has been checked. */
async function carryOut(
  target: Target,
  plan: Plan,
  settings: Settings,
  { dir, redactor, inputs, signal, progress, warn }: Prepared,
): Promise<Omit<RunOutcome, 'exitCode' | 'certification' | 'hasBegun'> & { header: EvidenceHeader }> {
  const header = settings.resumed?.header ?? headerOf(target, settings);
  const { earlier } = settings.resumed ?? {};
  const start = { header, ...(earlier ? { earlier: earlier.evidence } : {}) };
  const log = dir === undefined ? noLog : openEvidence(evidenceIn(dir), start, redactor.text);
  const tally = createTally(plan, earlier?.evidence);
  const hooks = {
    onBegin: progress.begin,
    onEvidence: (entry: Exchange | Unsent) => {
      log.write(entry);
      const { done, total } = tally(entry);
      progress.exchange(entry.id, done, total);
    },
    onWait: (ms: number, why: WaitReason) => progress.wait(ms, redactor.text(waitWords(why))),
  };
  const { runId: id, startedAt } = header;
  const allure = dir !== undefined && settings.allure;
  const options = { ...settings, allure, runId: id, startedAt, signal, ...(earlier ? { earlier } : {}) };
  const ran = await judgedRun(target, plan, options, hooks).finally(progress.end);
  log.end(ran.report.run.finishedAt, ran.report.run.partial);
  const context = renderContextOf(ran.report, inputs);
  const pinned = withPins(ran.report, context);
  const asks = settings.interop && ran.stopped === undefined;
  if (asks) warn('the run is over; official clients ask now');
  const about = { target, plan, evidence: ran.evidence };
  const met = asks ? await withInterop(pinned, about, { ...settings, signal, clean: redactor.text }) : pinned;
  const report = cleanReport(met, redactor);
  if (dir !== undefined) writeReport(dir, report, redactor, context);
  appendToHistory(report, inputs, redactor.text);
  const outcome = outcomeOf(report, context);
  if (dir !== undefined && ran.allure !== undefined)
    writeAllure(dir, markExpected(ran.allure, expectedFailures(report, outcome).cases), redactor);
  const { problems, printed } = ran;
  if (problems.length > 0)
    warn(['internal error, this run proves nothing:', ...firstLines(problems, 10)].join('\n  '));
  if (ran.stopped !== undefined) warn(`not everything was sent: ${redactor.text(stopWords(ran.stopped))}`);
  const instead = onlyTransientFaults(ran.evidence);
  if (instead !== undefined) warn(`nothing that came back can be judged; ${instead}`);
  return { report, outcome, dir, problems, printed, redactor, header };
}

/** A certificate that is asked for and not given is never exit code 0. */
function exitCodeCertified(code: ExitCode, report: Report, certification: Certification): ExitCode {
  if (certification.kind === 'certified' || code !== exitCodes.conformant) return code;
  // A baseline may expect what a certificate can't be given for.
  return report.verdict === 'non-conformant' ? exitCodes.nonConformant : exitCodes.notJudged;
}

/** The exit code of what was judged, with the certificate where one is asked for. */
function certified(
  ran: Omit<RunOutcome, 'exitCode' | 'certification'>,
  settings: Settings,
  header: EvidenceHeader,
): RunOutcome {
  const { report, outcome, problems, dir, redactor } = ran;
  const code = problems.length > 0 ? exitCodes.notJudged : exitCodeAgainst(report, outcome, settings.failOn);
  if (dir === undefined || settings.certificate === undefined)
    return { ...ran, exitCode: code, certification: undefined };
  const certification = certify(dir, { target: header.target, redactor }, settings.certificate);
  return { ...ran, exitCode: exitCodeCertified(code, report, certification), certification };
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
 * Writes no other file, prints nothing, and takes no signal of the process.
 * @throws UsageError where nothing is selected or DIR can't be written, NotJudgedError where it is stopped before the
 * first request
 */
export async function runOnce(target: Target, settings: Settings, listener: Listener): Promise<RunOutcome> {
  const plan = plannedRun(target, settings);
  const { signal, warn } = listener;
  const redactor = redactorOf(target);
  for (const warning of warnings(target, plan, settings)) warn(warning);
  if (settings.interop) warn(interopCost(target).join('\n  '));
  const inputs = readRunInputs(settings.out, settings);
  const folder = settings.out === undefined ? undefined : claimFolder(settings.out);
  const unlock = folder === undefined ? () => undefined : lockFolder(folder.path);
  try {
    const problem = await unreachable(target, settings, signal).catch((error: unknown) => {
      unlock();
      folder?.release();
      throw error;
    });
    if (settings.resumed !== undefined) warn(resumedText(settings.resumed, plan));
    folder?.clear();
    const open = openTokensText(redactor);
    if (open !== undefined && (settings.repeat?.run ?? 1) === 1) warn(open);
    const sendable: Settings =
      problem === undefined ? settings : { ...settings, stopped: { kind: 'unreachable', detail: problem } };
    const progress = problem === undefined ? listener.progress : noProgress;
    const dir = folder?.path;
    const prepared = { signal, warn, progress, dir, redactor, inputs };
    const { header, ...ran } = await carryOut(target, plan, sendable, prepared);
    // What is certified is all that DIR holds.
    unlock();
    const judged = { ...ran, hasBegun: problem === undefined || settings.resumed !== undefined };
    return certified(judged, settings, header);
  } finally {
    unlock();
  }
}
