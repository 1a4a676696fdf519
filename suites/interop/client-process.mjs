// @ts-check
// The process that the official clients run in, with a heap of its own: what a hostile target sends can end it and
// nothing else. It takes one trial at a time as a message and answers each with what came of it.
import { pathToFileURL } from 'node:url';
import { drivers } from './client-drivers.mjs';

/** @import { Trial } from './trials.ts' */
/** @import { Driver, ErrorClass } from './client-drivers.mjs' */
/** @typedef {{ trial: Trial, from: string, packages: readonly string[], timeoutMs: number }} Order */
/** @typedef {{ hasOutput: boolean } | { error: ErrorClass, status: number | null, message: string }} Outcome */

/** Bytes of one reply, and characters of an error's message that leave this process. */
const [mostBytes, mostChars] = [32 * 1024 * 1024, 20_000];

/**
 * The fetch that clients are given: redirects are not followed, for they would carry the token, and replies are bounded.
 * @type {typeof fetch}
 */
async function boundedFetch(input, init) {
  const reply = await fetch(input, { ...init, redirect: 'manual' });
  if (reply.body === null) return reply;
  let bytes = 0;
  const bounded = reply.body.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > mostBytes) controller.error(new Error(`the reply is longer than ${mostBytes} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = reply;
  return new Response(bounded, { status, statusText, headers });
}

/** @type {Map<string, Promise<Driver>>} */
const made = new Map();

/** @param {Order} order @returns {Promise<Driver>} */
async function makeDriver({ trial: { client }, from, packages }) {
  const parent = pathToFileURL(`${from}/`).href;
  const loaded = packages.map(async (name) => [name, await import(import.meta.resolve(name, parent))]);
  return drivers[client](Object.fromEntries(await Promise.all(loaded)));
}

/** @param {Order} order */
function driverOf(order) {
  const { client } = order.trial;
  const driver = made.get(client) ?? makeDriver(order);
  made.set(client, driver);
  return driver;
}

/** Its class and message on one line; the official SDKs leave its name as that of any error. @param {any} error */
function named(error) {
  const name = error?.name === 'Error' ? error.constructor.name : (error?.name ?? 'Error');
  return `${name}: ${error?.message ?? error}`.replace(/\s+/g, ' ');
}

/** @param {Order} order @returns {Promise<Outcome>} */
async function outcomeOf(order) {
  /** @type {Driver['classOf']} */
  let classOf = () => 'own';
  try {
    const driver = await driverOf(order);
    classOf = driver.classOf;
    const { trial, timeoutMs } = order;
    const signal = AbortSignal.timeout(timeoutMs);
    const output = await driver.ask({ trial, fetch: boundedFetch, signal, timeoutMs });
    return { hasOutput: typeof output === 'string' && output !== '' };
  } catch (/** @type {any} */ error) {
    const status = error?.status ?? error?.statusCode;
    return {
      error: classOf(error),
      status: typeof status === 'number' ? status : null,
      message: named(error).slice(0, mostChars),
    };
  }
}

// What a client throws outside of its promises is told by the reply that then never comes.
process.on('uncaughtException', () => undefined);
process.on('message', async (/** @type {Order} */ order) => process.send?.(await outcomeOf(order)));
process.on('disconnect', () => process.exit());
