import { setTimeout as sleep } from 'node:timers/promises';
import { count, shorten } from '../../spec/text.ts';
import {
  type InteropAsked,
  type InteropClient,
  type InteropResult,
  interopPackages,
} from '../types/interop.ts';
import type { Order, Outcome } from './client-process.mjs';
import type { Installed } from './installed.ts';
import { type ClientTrials, isBilled, type Trial } from './trials.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { packageFile } from '../../spec/package-root.ts';

/** Why a process brought nothing back: it ended, or it gave nothing in the time that it had. */
type Lost = 'ended' | 'hung';

/** The process that official clients run in; another is started where one was lost. */
type ClientProcess = ReturnType<typeof createClientProcess>;

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
];

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
function createClientProcess() {
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

export interface ClientsOptions {
  /** Wall clock of one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Least time from one request to the next, in milliseconds, as the limits of the run ask for it. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
  /** Takes tokens out of a text. */
  readonly clean: (text: string) => string;
}

/** A client with what it asks, and where it is installed. */
export type ClientToRun = ClientTrials & { readonly installed: Installed };

/** Milliseconds before a request that found the target overloaded is made once more. */
const repeatMs = 1_000;
/** After so many requests that ended or hung the process, a client is not asked further. */
const mostLost = 2;
/** Characters of a client's error. */
const longestError = 400;

/** The errors that are due, by what is asked for; and in words. */
const due: Readonly<Partial<Record<InteropAsked, readonly [error: string, words: string]>>> = {
  'invalid-token': ['authentication', 'an authentication error'],
  'spent-token': ['rate-limit', 'a rate-limit error'],
  'unknown-model': ['general', 'a general error'],
};

/** What a client gave in place of what was due; undefined where it gave that. */
function complaint(asked: InteropAsked, outcome: Outcome): string | undefined {
  const [error, words] = due[asked] ?? [];
  const instead = words === undefined ? '' : `, where ${words} is due`;
  if ('error' in outcome) {
    if (outcome.error === error) return undefined;
    const status = outcome.status === null ? '' : ` (status ${outcome.status})`;
    return `${outcome.message}${status}${instead}`;
  }
  if (error !== undefined) return `no error${instead}`;
  return outcome.hasOutput ? undefined : 'no error, and neither text nor an image';
}

/** Statuses of a target that may answer the same a moment later. */
const overloaded = new Set([429, 502, 503, 504]);

const isPassing = (outcome: Outcome): boolean =>
  'error' in outcome && (outcome.error === 'connection' || overloaded.has(outcome.status ?? 0));

/** What came of one request, asked once more where the target was overloaded. */
async function tried(
  order: Order,
  process: ClientProcess,
  { pauseMs, signal }: ClientsOptions,
): Promise<Outcome | Lost> {
  const wait = (ms: number): Promise<unknown> => sleep(ms, undefined, { signal }).catch(() => undefined);
  if (pauseMs > 0) await wait(pauseMs);
  const outcome = await process.carryOut(order, signal);
  if (typeof outcome === 'string' || !isBilled(order.trial) || !isPassing(outcome)) return outcome;
  await wait(Math.max(repeatMs, pauseMs));
  return process.carryOut(order, signal);
}

const lostWords = (lost: Lost, timeoutMs: number): string =>
  lost === 'hung'
    ? `the client gave neither a result nor an error within ${timeoutMs / 1000} s`
    : 'the client ended its process, or ran out of memory';

function resultOf({ protocol, asked }: Trial, outcome: Outcome | Lost, { timeoutMs, clean }: ClientsOptions) {
  const error = typeof outcome === 'string' ? lostWords(outcome, timeoutMs) : complaint(asked, outcome);
  return error === undefined
    ? { protocol, asked, ok: true }
    : { protocol, asked, ok: false, error: shorten(clean(error), longestError) };
}

async function runClient(
  { client, baseUrl, notes, trials, installed }: ClientToRun,
  process: ClientProcess,
  options: ClientsOptions,
): Promise<InteropClient> {
  const { timeoutMs, signal } = options;
  const about = { client, baseUrl, notes, versions: {}, generations: 0, results: [] };
  if ('problem' in installed) return { ...about, notRun: installed.problem };
  const { from, versions } = installed;
  if (trials.length === 0)
    return { ...about, versions, notRun: 'the target declares nothing that it could ask' };
  const results: InteropResult[] = [];
  let lost = 0;
  for (const trial of trials) {
    if (lost === mostLost || signal.aborted) break;
    const order = { trial, from, packages: interopPackages[client], timeoutMs };
    const outcome = await tried(order, process, options);
    if (signal.aborted) break;
    if (typeof outcome === 'string') lost += 1;
    results.push(resultOf(trial, outcome, options));
  }
  const left = trials.length - results.length;
  const stopped = signal.aborted ? 'the run was stopped' : `${mostLost} requests ended its process or hung`;
  return {
    ...about,
    versions,
    generations: results.filter(isBilled).length,
    results,
    ...(left === 0 ? {} : { notRun: `${count(left, 'request')} not made: ${stopped}` }),
  };
}

/** Lets the clients ask, one request at a time. Never throws for what the target does. */
export async function runClients(clients: readonly ClientToRun[], options: ClientsOptions) {
  const process = createClientProcess();
  try {
    const done: InteropClient[] = [];
    for (const client of clients) done.push(await runClient(client, process, options));
    return done;
  } finally {
    process.close();
  }
}
