import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { Extension } from '../../spec/extension.ts';
import { createForwarder } from '../../suites/proxy/forward.ts';
import { emptyRoom, roomIn } from '../../suites/proxy/memory-limit.ts';
import { createWatch } from '../../suites/proxy/observe.ts';
import { claimFolder } from '../files/folder.ts';
import { type JudgeConnection, type JudgeEvents, startJudge } from './judge-connection.ts';
import { lockFolder } from '../files/run-lock.ts';

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
