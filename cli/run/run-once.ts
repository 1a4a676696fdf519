import type { Target } from '../../fixtures/target/target.ts';
import { markExpected, expectedFailures } from '../../reporters/baseline/expected-failures.ts';
import { noProgress, type Progress } from '../../reporters/progress.ts';
import { firstLines } from '../../reporters/wording.ts';
import { onlyTransientFaults } from '../../suites/judge/only-transient-faults.ts';
import type { Exchange, Unsent } from '../../suites/types/exchange.ts';
import type { Plan } from '../../suites/types/plan.ts';
import type { WaitReason } from '../../suites/types/reasons/exchange-reasons.ts';
import { stopWords, waitWords } from '../../suites/types/reasons/exchange-words.ts';
import { redactorOf } from '../../suites/run/execute-plan.ts';
import { createTimeLeft } from '../../suites/run/time-left.ts';
import type { Redactor } from '../../suites/wire/redaction/redact.ts';
import { writeAllure } from '../files/artefacts.ts';
import { type Certification, certified, refuseForeign } from '../certificate/certify.ts';
import { evidenceIn, openEvidence, headerOf } from '../files/evidence-file.ts';
import type { EvidenceHeader, EvidenceLog } from '../files/evidence-file.ts';
import { type FinalReport, finalReport, readRunInputs, type RunInputs } from './run-inputs.ts';
import { claimFolder } from '../files/folder.ts';
import { withInterop } from './interop.ts';
import { judgedRun } from './judged-run.ts';
import { longestReachMs, reach } from './reachability.ts';
import { resumedText } from './resume.ts';
import { lockFolder } from '../files/run-lock.ts';
import { limitsFor, openTokensTexts, plannedRun, warnings } from './planned-run.ts';
import type { Settings } from './run-settings.ts';
import { createTally } from '../../suites/plan/plan-counts.ts';

/** Who started a run and follows it: the run itself prints nothing. */
export interface Listener {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Takes what there is to know besides the report, without tokens and unescaped. */
  readonly warn: (text: string) => void;
}

export interface RunOutcome extends FinalReport {
  /** Where a certificate was asked for. */
  readonly certification: Certification | undefined;
  readonly dir: string | undefined;
  /** Whether anything is recorded that a stopped run could go on from. */
  readonly hasBegun: boolean;
  /** What went wrong in the suite itself: with any, the run proves nothing. */
  readonly problems: readonly string[];
  readonly redactor: Redactor;
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
): Promise<Omit<RunOutcome, 'certification' | 'hasBegun'> & { header: EvidenceHeader }> {
  const header = settings.resumed?.header ?? headerOf(target, settings);
  const { earlier } = settings.resumed ?? {};
  const start = { header, earlier: earlier?.evidence };
  const log = dir === undefined ? noLog : openEvidence(evidenceIn(dir), start, redactor.rendered);
  const tally = createTally(plan, earlier?.evidence);
  const timeLeft = createTimeLeft(plan, settings.concurrency, earlier?.evidence);
  progress.plan(timeLeft.ms);
  const hooks = {
    onBegin: (sent: string) => {
      timeLeft.begin(sent);
      progress.begin(sent);
    },
    onEvidence: (entry: Exchange | Unsent) => {
      log.write(entry);
      timeLeft.note(entry);
      const { done, total } = tally(entry);
      progress.exchange(entry.id, done, total);
    },
    onSteady: timeLeft.steady,
    onWait: (ms: number, why: WaitReason) => progress.wait(ms, redactor.text(waitWords(why))),
  };
  const { runId: id, startedAt } = header;
  const allure = dir !== undefined && settings.allure;
  const options = { ...settings, allure, runId: id, startedAt, signal, ...(earlier ? { earlier } : {}) };
  const ran = await judgedRun(target, plan, options, hooks).finally(progress.end);
  log.end(ran.report.run.finishedAt, ran.report.run.partial);
  const asks = settings.interop && ran.stopped === undefined;
  if (asks) warn('the run is over; official clients ask now');
  const about = { target, plan, evidence: ran.evidence };
  const judged = asks
    ? await withInterop(ran.report, about, { ...settings, signal, clean: redactor.text })
    : ran.report;
  const { problems } = ran;
  const final = finalReport(judged, inputs, { dir, redactor, failOn: settings.failOn, problems });
  if (dir !== undefined && ran.allure !== undefined)
    writeAllure(dir, markExpected(ran.allure, expectedFailures(final.report, final.outcome).cases), redactor);
  if (problems.length > 0)
    warn(['internal error, this run proves nothing:', ...firstLines(problems, 10)].join('\n  '));
  if (ran.stopped !== undefined) warn(`not everything was sent: ${redactor.text(stopWords(ran.stopped))}`);
  const instead = ran.stopped?.kind === 'wrong-scheme' ? undefined : onlyTransientFaults(ran.evidence);
  if (instead !== undefined) warn(`nothing that came back can be judged; ${instead}`);
  return { ...final, dir, problems, redactor, header };
}

/** Why the target can't be reached; undefined where it can, or where nothing is left to be sent. */
async function unreachable({ baseUrl }: Target, { resumed, timeoutMs }: Settings, signal: AbortSignal) {
  if (resumed?.earlier.finishedAt !== undefined) return undefined;
  return reach(baseUrl, Math.min(timeoutMs, longestReachMs), signal);
}

/**
 * Judges a target and writes DIR, also where the target can't be reached: then nothing is sent, and all is inconclusive.
 * Writes no other file, prints nothing, and takes no signal of the process.
 * @throws UsageError where nothing is selected or DIR can't be written, NotJudgedError where it is stopped before the
 * first request
 */
export async function runOnce(target: Target, asked: Settings, listener: Listener): Promise<RunOutcome> {
  const plan = plannedRun(target, asked);
  const settings: Settings = { ...asked, limits: limitsFor(plan, asked) };
  const { signal, warn } = listener;
  const redactor = redactorOf(target);
  for (const warning of warnings(target, plan, settings)) warn(warning);
  const inputs = readRunInputs(settings.out, settings);
  const folder = settings.out === undefined ? undefined : claimFolder(settings.out);
  if (settings.certificate !== undefined && folder !== undefined) refuseForeign(folder);
  const unlock = folder === undefined ? () => undefined : lockFolder(folder.path);
  try {
    const problem = await unreachable(target, settings, signal).catch((error: unknown) => {
      unlock();
      folder?.release();
      throw error;
    });
    if (settings.resumed !== undefined) warn(resumedText(settings.resumed, plan));
    folder?.clear(settings.resumed === undefined);
    if ((settings.repeat?.run ?? 1) === 1) for (const open of openTokensTexts(redactor)) warn(open);
    const sendable: Settings = problem === undefined ? settings : { ...settings, stopped: problem };
    const progress = problem === undefined ? listener.progress : noProgress;
    const dir = folder?.path;
    const prepared = { signal, warn, progress, dir, redactor, inputs };
    const { header, ...ran } = await carryOut(target, plan, sendable, prepared);
    // What is certified is all that DIR holds.
    unlock();
    const judged = { ...ran, hasBegun: problem === undefined || settings.resumed !== undefined };
    return { ...judged, ...certified(ran, { dir, target: header.target, redactor }, settings.certificate) };
  } finally {
    unlock();
  }
}
