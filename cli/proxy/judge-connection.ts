import { Worker } from 'node:worker_threads';
import { UsageError } from '../../fixtures/target/errors.ts';
import { packageFile } from '../../spec/package-root.ts';
import { errorMessage } from '../../spec/text.ts';
import type { Passed, PassedCounts } from '../../suites/proxy/observe.ts';
import { NotJudgedError } from '../exit.ts';
import type { JudgeAnswer, JudgeOrder, JudgeSetup } from './live-judge.ts';

/** Is told what becomes of the thread: each at most once. */
export interface JudgeEvents {
  /** No more is recorded. */
  readonly onFull: (why: string) => void;
  /** The thread has ended by itself, once it was open. */
  readonly onLost: (why: string) => void;
}

const entry = packageFile('cli/proxy/live-judge-thread.mjs');

/** Memory that is moved to the thread, and not copied. */
const moved = ({ sent, received }: Passed): ArrayBuffer[] =>
  [sent, received].flatMap(({ pages }) => pages.map(({ buffer }) => buffer));

/** Starts the thread that records and judges live traffic. `file`: its first module. */
export function startJudge(setup: JudgeSetup, { onFull, onLost }: JudgeEvents, file: string | URL = entry) {
  const thread = new Worker(file, { workerData: setup });
  /** Answers come in the order of what was asked. */
  const waiting: { resolve: (answer: JudgeAnswer) => void; reject: (error: Error) => void }[] = [];
  let lost: NotJudgedError | undefined;
  let isOpen = false;
  let isClosed = false;

  const answered = (): Promise<JudgeAnswer> =>
    new Promise((resolve, reject) => void waiting.push({ resolve, reject }));
  const ended = (why: string): void => {
    if (isClosed || lost !== undefined) return;
    lost = new NotJudgedError(
      `what judges live traffic has ended: ${why}; \`judge ${setup.dir}\` judges the evidence up to then`,
    );
    // Whoever waits for its start hears of it there.
    if (isOpen) onLost(why);
    for (const { reject } of waiting.splice(0)) reject(lost);
  };
  thread.on('message', (answer: JudgeAnswer) => {
    if (answer.kind === 'full') {
      onFull(answer.why);
      return;
    }
    if (answer.kind === 'open') isOpen = true;
    const { resolve, reject } = waiting.shift() ?? {};
    if (answer.kind !== 'failed') resolve?.(answer);
    else reject?.(answer.isUsage ? new UsageError(answer.message) : new Error(answer.message));
  });
  thread.on('error', (error) => ended(errorMessage(error)));
  thread.on('exit', (code) => ended(`exit code ${code}`));
  const opened = answered();

  async function ask<Kind extends 'report' | 'end'>(kind: Kind, counts: PassedCounts) {
    if (lost !== undefined) throw lost;
    thread.postMessage({ kind, counts } satisfies JudgeOrder);
    return (await answered()) as Extract<JudgeAnswer, { kind: Kind }>;
  }
  return {
    /** Settles when its evidence is open. Rejects as `report` does. */
    opened,
    /** Hands an exchange over: its bodies are gone here. */
    record: (id: string, passed: Passed): void => {
      if (lost === undefined)
        thread.postMessage({ kind: 'record', id, passed } satisfies JudgeOrder, moved(passed));
    },
    /** Writes the report so far. Throws UsageError where it can't, and NotJudgedError where the thread has ended. */
    report: (counts: PassedCounts) => ask('report', counts),
    /** Writes the last report, and every file of DIR. Throws as `report` does. */
    end: (counts: PassedCounts) => ask('end', counts),
    close: async (): Promise<void> => {
      isClosed = true;
      await thread.terminate();
    },
  };
}
export type JudgeConnection = ReturnType<typeof startJudge>;
