import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Order, Outcome } from './client-process.mjs';

/** The process that official clients run in; another is started where one ended. */
export interface ClientProcess {
  /** Brings an order to the process and its outcome back; undefined where the process ended or hung. */
  readonly carryOut: (order: Order, signal: AbortSignal) => Promise<Outcome | undefined>;
  readonly close: () => void;
}

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
  const child = fork(fileURLToPath(new URL('./client-process.mjs', import.meta.url)), {
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

/** Brings an order to a process and its outcome back; undefined where the process ended or hung. */
async function outcomeFrom(
  child: ChildProcess,
  order: Order,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const over = new AbortController();
  const ended = AbortSignal.any([signal, AbortSignal.timeout(order.timeoutMs + graceMs), over.signal]);
  const nothing = (): undefined => undefined;
  try {
    const outcome = Promise.race([
      once(child, 'message', { signal: ended }).then(([message]) => message as Outcome, nothing),
      once(child, 'exit', { signal: ended }).then(nothing, nothing),
    ]);
    child.send(order, nothing);
    return await outcome;
  } finally {
    over.abort();
  }
}

/** No process is started before the first order. */
export function createClientProcess(): ClientProcess {
  let child: ChildProcess | undefined;
  const close = (): void => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  const carryOut: ClientProcess['carryOut'] = async (order, signal) => {
    if (child?.connected === false) close();
    child ??= startProcess();
    const outcome = await outcomeFrom(child, order, signal);
    if (outcome === undefined) close();
    return outcome;
  };
  return { carryOut, close };
}
