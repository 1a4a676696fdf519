import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { packageFile } from '../../spec/package-root.ts';
import type { Order, Outcome } from './client-process.mjs';

/** Why a process brought nothing back: it ended, or it gave nothing in the time that it had. */
export type Lost = 'ended' | 'hung';

/** The process that official clients run in; another is started where one was lost. */
export type ClientProcess = ReturnType<typeof createClientProcess>;

/** Megabytes of heap that the clients have together. */
const heapMegabytes = 256;
/** Milliseconds beyond the timeout of a request that the process of the clients has to say so itself. */
const graceMs = 2_000;
/** What a child may know of our environment: no token, and nothing that clients read by themselves. */
const passed = [
  'SystemRoot',
  'NODE_EXTRA_CA_CERTS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
] as const;

const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(passed.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

function startProcess(): ChildProcess {
  const child = fork(packageFile('suites/interop/client-process.mjs'), {
    execArgv: [
      `--max-old-space-size=${heapMegabytes}`,
      '--experimental-import-meta-resolve',
      '--no-warnings',
    ],
    env: environment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Whoever waits for its outcome gets none.
  child.on('error', () => undefined);
  return child;
}

async function outcomeFrom(child: ChildProcess, order: Order, signal: AbortSignal): Promise<Outcome | Lost> {
  const over = new AbortController();
  const { signal: ended } = over;
  const stop = (): void => over.abort();
  // Not by AbortSignal.any and AbortSignal.timeout: what they make may be collected before it aborts.
  const clock = setTimeout(stop, order.timeoutMs + graceMs);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const hung = (): Lost => 'hung';
  try {
    const outcome = Promise.race([
      once(child, 'message', { signal: ended }).then(([message]) => message as Outcome, hung),
      once(child, 'exit', { signal: ended }).then((): Lost => 'ended', hung),
    ]);
    child.send(order, () => undefined);
    return await outcome;
  } finally {
    clearTimeout(clock);
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** No process is started before the first order. */
export function createClientProcess() {
  let child: ChildProcess | undefined;
  const close = (): void => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  /** Brings an order to the process and its outcome back. */
  const carryOut = async (order: Order, signal: AbortSignal): Promise<Outcome | Lost> => {
    if (child?.connected === false) close();
    child ??= startProcess();
    const outcome = await outcomeFrom(child, order, signal);
    if (typeof outcome === 'string') close();
    return outcome;
  };
  return { carryOut, close };
}
