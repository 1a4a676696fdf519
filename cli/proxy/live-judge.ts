import { mkdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { Extension } from '../../spec/extension.ts';
import { errorMessage } from '../../spec/text.ts';
import { judgeRun } from '../../suites/judge/judge-run.ts';
import { isExchange } from '../../suites/types/exchange.ts';
import type { Report } from '../../suites/types/report.ts';
import type { TrafficCounts } from '../../suites/types/traffic.ts';
import { everything } from '../../suites/plan/plan.ts';
import { createCredentials } from '../../suites/proxy/credentials.ts';
import type { Passed, PassedCounts } from '../../suites/proxy/observe.ts';
import { createRecorder } from '../../suites/proxy/recorder.ts';
import { roomIn } from '../../suites/proxy/memory-limit.ts';
import { planTraffic, trafficDepth } from '../../suites/proxy/traffic-plan.ts';
import { startTestRunner } from '../../suites/vitest/runner.ts';
import { cleanReport, writeAllure, writeReport } from '../files/artefacts.ts';
import { ownPart } from '../../spec/part.ts';
import { type EvidenceHeader, headerOf, evidenceIn, openEvidence } from '../files/evidence-file.ts';
import { runAsTests } from '../run/judged-run.ts';

// The thread that records and judges live traffic: the one that passes it on must never wait for that.

export interface JudgeSetup {
  readonly target: Target;
  /** DIR of the contract. */
  readonly dir: string;
  /** From when on there may be traffic: this thread starts later. */
  readonly startedAt: string;
  /** Bytes of evidence that are recorded at most. */
  readonly maxEvidence: number;
  readonly room: SharedArrayBuffer;
  /** What is judged apart, in a folder of DIR. */
  readonly own?: Extension | undefined;
}

export type JudgeOrder =
  | { readonly kind: 'record'; readonly id: string; readonly passed: Passed }
  | { readonly kind: 'report' | 'end'; readonly counts: PassedCounts };

export interface JudgedTraffic {
  readonly report: Report;
  /** Of what an extension states. */
  readonly own?: Report;
  /** What went wrong in the suite itself. */
  readonly problems: readonly string[];
}

export interface ReportedTraffic {
  readonly passed: number;
  readonly judged: number;
  /** Judged exchanges that show something that fails. */
  readonly failing: number;
  /** Requirements that fail. */
  readonly failed: number;
}

export type JudgeAnswer =
  | { readonly kind: 'open' }
  | { readonly kind: 'full'; readonly why: string }
  | ({ readonly kind: 'report' } & ReportedTraffic)
  | ({ readonly kind: 'end' } & JudgedTraffic)
  /** An order that failed, or the start. */
  | { readonly kind: 'failed'; readonly message: string; readonly isUsage: boolean };

const say = (answer: JudgeAnswer): void => parentPort?.postMessage(answer);

/** Opens the evidence of DIR. Throws UsageError where it can't be written. */
function openJudge({ target, dir, startedAt, maxEvidence, room, own }: JudgeSetup) {
  const credentials = createCredentials(target, undefined, own);
  const header = headerOf(target, { seed: 0, selection: everything, ...trafficDepth }, startedAt);
  const log = openEvidence(evidenceIn(dir), { header }, (line) => credentials.redactor().rendered(line));
  const recorder = createRecorder({
    target,
    credentials,
    own,
    room: roomIn(room),
    maxEvidence,
    write: log.write,
    onFull: (error) =>
      say({
        kind: 'full',
        why:
          error === undefined
            ? `${maxEvidence} bytes of evidence are recorded (--max-evidence)`
            : errorMessage(error),
      }),
  });

  /** Judges what is recorded by the statements of a header, and writes the report beside that evidence. */
  function written(folder: string, own: EvidenceHeader, to: typeof log, traffic: TrafficCounts, at: string) {
    const plan = planTraffic(target, recorder.evidence, own.extension);
    const meta = { ...own, finishedAt: at, partial: false, traffic };
    const redactor = credentials.redactor();
    const report = cleanReport(judgeRun(target, plan, recorder.evidence, meta), redactor);
    to.traffic(at, traffic);
    writeReport(folder, report, redactor);
    return { plan, report };
  }

  async function judged(counts: PassedCounts): Promise<ReturnType<typeof written>> {
    await recorder.settled();
    return written(dir, header, log, recorder.counts(counts), new Date().toISOString());
  }

  /** Judges what an extension states, by the same evidence, which its folder holds once more. */
  function judgedApart(extension: Extension, { run }: Report): Report {
    const { traffic = recorder.counts({ passed: 0, aside: [] }), finishedAt } = run;
    const ownDir = join(dir, ownPart);
    mkdirSync(ownDir, { recursive: true });
    const settings = { seed: 0, selection: everything, ...trafficDepth, extension };
    // It is a run of its own, and begins with what it is judged by.
    const exchanges = [...recorder.evidence.values()].filter(isExchange);
    const [first] = exchanges.map(({ timing }) => timing.startedAt).sort();
    const ownHeader = headerOf(target, settings, first);
    const ownLog = openEvidence(evidenceIn(ownDir), { header: ownHeader }, credentials.redactor().rendered);
    for (const exchange of exchanges) ownLog.write(exchange);
    const { report } = written(ownDir, ownHeader, ownLog, traffic, finishedAt);
    ownLog.close();
    return report;
  }

  return {
    record: recorder.take,
    report: async (counts: PassedCounts): Promise<JudgeAnswer> => {
      const { report } = await judged(counts);
      const { passed = 0, judged: all = 0, failing = 0 } = report.run.traffic ?? {};
      return { kind: 'report', passed, judged: all, failing, failed: report.summary.fail };
    },
    end: async (counts: PassedCounts): Promise<JudgeAnswer> => {
      const runner = startTestRunner();
      try {
        const { plan, report } = await judged(counts);
        log.close();
        const { allure, problems } = await runAsTests(runner, plan, recorder.evidence, report);
        if (allure !== undefined) writeAllure(dir, allure, credentials.redactor());
        return {
          kind: 'end',
          report,
          ...(own === undefined ? {} : { own: judgedApart(own, report) }),
          problems,
        };
      } finally {
        await runner.close();
      }
    },
  };
}

const failure = (error: unknown): JudgeAnswer => ({
  kind: 'failed',
  message: errorMessage(error),
  isUsage: error instanceof UsageError,
});

/** Lets whoever passes traffic on go first where both want a core. Linux takes it for the calling thread alone. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may not allow it.
  }
}

/** Takes orders until it is ended. */
export function serveJudge(): void {
  giveWay();
  try {
    const judge = openJudge(workerData as JudgeSetup);
    parentPort?.on('message', (order: JudgeOrder) => {
      if (order.kind === 'record') judge.record(order.id, order.passed);
      else judge[order.kind](order.counts).then(say, (error) => say(failure(error)));
    });
    say({ kind: 'open' });
  } catch (error) {
    say(failure(error));
  }
}
