import type { Report } from '../suites/types/report.ts';
import { concurrently, detect, type Subject } from './detect.ts';
import { Worker } from 'node:worker_threads';
import type { Context, Reply } from '../fixtures/gateway/context.ts';
import { jsonReply } from '../fixtures/gateway/refusal.ts';

/** A thread that does nothing but count: it ends by itself when its time is up. */
const spinning = `
const { workerData } = require('node:worker_threads');
const end = Date.now() + workerData.ms;
while (Date.now() < end);
`;

/** Does the work with another core kept busy, for at most `ms` milliseconds. */
export async function withBusyCore<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const spinner = new Worker(spinning, { eval: true, workerData: { ms } });
  try {
    return await work();
  } finally {
    await spinner.terminate();
  }
}

const error = { error: { message: 'Too busy, retry later', type: 'overloaded_error' } };

/** What comes in place of every nth reply; where two fall together the first holds. */
const transientFaults: readonly { readonly every: number; readonly instead: (reply: Reply) => Reply }[] = [
  { every: 50, instead: () => jsonReply(503, error) },
  { every: 11, instead: () => jsonReply(429, error, { 'retry-after': '0' }) },
  { every: 47, instead: (reply) => ({ ...reply, ending: 'dropped' }) },
];

const withFault = (reply: Reply, { requestNumber }: Context): Reply =>
  transientFaults.find(({ every }) => requestNumber % every === 0)?.instead(reply) ?? reply;

/** The same gateway with 429, 503 and resets now and then, whatever it is asked. */
export const withTransientFaults = (subject: Subject): Subject => ({
  ...subject,
  id: `${subject.id} with transient faults`,
  hooks: {
    ...subject.hooks,
    reply: (reply, ctx) => withFault(subject.hooks.reply?.(reply, ctx) ?? reply, ctx),
  },
});

/** A gateway, what every run against it has to say, and how often it is asked. */
export interface Trial {
  readonly subject: Subject;
  readonly verdict: Report['verdict'];
  /** Requirements that must fail, and no others. */
  readonly breaks: readonly string[];
  /** Runs at each concurrency. */
  readonly repeats: number;
}

export type Run = ReturnType<typeof runOf>;

const inconclusiveTooFast = 'inconclusive (too-fast)';

function runOf({ run, verdict, requirements, cases }: Report, concurrency: number) {
  const findings = cases.flatMap((outcome) => outcome.findings);
  const seen = (id: string): string =>
    findings
      .filter((finding) => finding.requirement === id)
      .map(({ message, actual }) => `${message}: ${actual}`)
      .join('; ');
  // Of each requirement its verdict, and what was seen where that is no pass.
  const verdicts = requirements.map(({ id, verdict, nonGating }) => {
    const labelled = nonGating === undefined ? verdict : `${verdict} (${nonGating})`;
    return [id, { verdict: labelled as string, seen: seen(id) }] as const;
  });
  return { id: run.id, concurrency, verdict, verdicts: new Map(verdicts) };
}

export type FairnessRow = ReturnType<typeof fairnessRow>;

export interface FairnessOptions {
  readonly concurrencies?: readonly number[];
  /** Runs under way at once: most of one is waiting. */
  readonly concurrentGateways?: number;
  /** Milliseconds; no run begins later. */
  readonly withinMs: number;
  readonly onRun?: (run: Run) => void;
}

/** As `run` has it, in milliseconds: many gateways share this process, and each of them is late at times. */
const timeoutMs = 60_000;

/** Makes all runs of all trials, those that wait longest first. */
export async function fairness(
  trials: readonly Trial[],
  options: FairnessOptions,
): Promise<readonly FairnessRow[]> {
  const { concurrencies = [1, 8, 32], concurrentGateways = 6, withinMs, onRun = () => {} } = options;
  const latest = performance.now() + withinMs;
  const left = [...concurrencies]
    .sort((one, other) => one - other)
    .flatMap((concurrency) =>
      trials.flatMap((trial) => Array.from({ length: trial.repeats }, () => ({ trial, concurrency }))),
    );
  const made = new Map<Trial, Run[]>(trials.map((trial) => [trial, []]));
  await concurrently(left, concurrentGateways, async ({ trial, concurrency }) => {
    if (performance.now() > latest) return;
    const run = runOf(await detect(trial.subject, { concurrency, timeoutMs }), concurrency);
    made.get(trial)?.push(run);
    onRun(run);
  });
  return trials.map((trial) =>
    fairnessRow(trial, made.get(trial) ?? [], trial.repeats * concurrencies.length),
  );
}

/** Sums up the runs against one gateway. */
export function fairnessRow(trial: Trial, runs: readonly Run[], planned: number) {
  const isRight = (run: Run): boolean =>
    run.verdict === trial.verdict &&
    failed(run).sort().join() === [...trial.breaks].sort().join() &&
    (trial.verdict !== 'conformant' || [...run.verdicts.values()].some(({ verdict }) => verdict === 'pass'));
  return {
    id: trial.subject.id,
    runs: runs.length,
    /** Runs that were planned and not made, since the time was up. */
    missing: planned - runs.length,
    /** Runs with the verdict and the failures that the trial asks for. */
    right: runs.filter(isRight).length,
    flips: flipsOf(runs),
  };
}

const failed = ({ verdicts }: Run): string[] =>
  [...verdicts].filter(([, { verdict }]) => verdict === 'fail').map(([id]) => id);

/** Every requirement that the runs don't agree on; one that a run doesn't name counts as another verdict. */
export function flipsOf(runs: readonly Run[]) {
  const ids = [...new Set(runs.flatMap(({ verdicts }) => [...verdicts.keys()]))];
  return ids.flatMap((requirement) => {
    const byVerdict = new Map<string, string[]>();
    for (const { verdicts, concurrency } of runs) {
      const { verdict, seen } = verdicts.get(requirement) ?? { verdict: 'absent', seen: '' };
      byVerdict.set(verdict, [...(byVerdict.get(verdict) ?? []), `${verdict} at ${concurrency}: ${seen}`]);
    }
    if (byVerdict.size < 2) return [];
    // Each verdict but the most frequent one: at which concurrency, and why.
    const [, ...minority] = [...byVerdict.values()].sort((one, other) => other.length - one.length);
    // Such as `pass: 29, inconclusive (too-fast): 1`.
    const verdicts = [...byVerdict].map(([verdict, those]) => `${verdict}: ${those.length}`).join(', ');
    // One verdict, and inconclusive for timing, which does not gate.
    const byClock = byVerdict.size === 2 && byVerdict.has(inconclusiveTooFast);
    return [{ requirement, verdicts, minority: minority.flat(), byClock }];
  });
}

/** Every planned run was made and said what it must; none says anything else, except where timing was not conclusive. */
export const isFair = (row: FairnessRow): boolean =>
  row.runs > 0 && row.missing === 0 && row.right === row.runs && row.flips.every(({ byClock }) => byClock);
