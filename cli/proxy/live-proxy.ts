import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { Worker } from 'node:worker_threads';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { Extension } from '../../spec/extension.ts';
import { createForwarder } from '../../suites/proxy/forward.ts';
import { emptyRoom, roomIn } from '../../suites/proxy/memory-limit.ts';
import { createWatch, type Passed, type PassedCounts } from '../../suites/proxy/observe.ts';
import { claimFolder } from '../files/folder.ts';
import { lockFolder } from '../files/run-lock.ts';
import { packageFile } from '../../spec/package-root.ts';
import { errorMessage } from '../../spec/text.ts';
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

export interface ProxySettings extends JudgeEvents {
  readonly host: string;
  readonly port: number;
  /** DIR of the contract. */
  readonly out: string;
  /** Bytes of evidence that are recorded at most. */
  readonly maxEvidence: number;
  /** What is judged beside the interface. */
  readonly own?: Extension | undefined;
}

/** Milliseconds for what is under way when the proxy is stopped. */
const lastMs = 1_000;

async function listenAt(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new UsageError(
          code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL'
            ? `--host ${host}: is no address of this machine (${code}); 127.0.0.1 is`
            : `--port ${port}: can't be listened on (${code}); 0 takes a free one`,
        ),
      ),
    );
    server.listen(port, host, () => resolve());
  });
  const bound = server.address() as AddressInfo;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${bound.port}`;
}

/** Ends a server: what is under way has a moment left. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const clock = setTimeout(() => server.closeAllConnections(), lastMs);
  await closed;
  clearTimeout(clock);
}

/** Passes everything on to the target, and records it in DIR. Throws UsageError before it writes where it can't. */
export async function startProxy(target: Target, settings: ProxySettings) {
  const folder = claimFolder(settings.out);
  const unlock = lockFolder(folder.path);
  const room = emptyRoom();
  let judge: JudgeConnection | undefined;
  const startedAt = new Date().toISOString();
  const { watch, counts, stop } = createWatch(roomIn(room), (id, passed) => judge?.record(id, passed));
  const server = createForwarder(new URL(target.baseUrl), watch);
  const url = await listenAt(server, settings.port, settings.host).catch((error: unknown) => {
    unlock();
    folder.release();
    throw error;
  });
  folder.clear(true);
  const ends =
    (tell: (why: string) => void) =>
    (why: string): void => {
      stop();
      tell(why);
    };
  const { maxEvidence, own, onFull, onLost } = settings;
  // Before the first request is read: a thread that still starts keeps what it is given.
  const open = startJudge(
    { target, dir: folder.path, startedAt, maxEvidence, room, own },
    { onFull: ends(onFull), onLost: ends(onLost) },
  );
  judge = open;
  const close = async (): Promise<void> => {
    await open.close();
    unlock();
  };
  await open.opened.catch(async (error: unknown) => {
    await Promise.all([closeServer(server), close()]);
    throw error;
  });

  return {
    url,
    dir: folder.path,
    /** Writes the report of what has passed so far. Throws as that of the thread does. */
    report: () => open.report(counts()),
    /** Lets nothing more pass, and writes the last report and every file of DIR. Throws as `report` does. */
    end: async () => {
      try {
        await closeServer(server);
        return await open.end(counts());
      } finally {
        await close();
      }
    },
  };
}
export type LiveProxy = Awaited<ReturnType<typeof startProxy>>;
