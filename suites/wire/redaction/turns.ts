import { setImmediate as turn } from 'node:timers/promises';

/** So long work goes on before the event loop has its turn, in milliseconds. */
const longestMs = 20;

/** Work that stops at each `yield`, all at once. */
export function atOnce<Result>(work: Generator<undefined, Result>): Result {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}

/**
 * The same with the event loop in between: a signal waits for one step.
 * @throws the reason of the signal, once it is given
 */
export async function inTurns<Result>(
  work: Generator<undefined, Result>,
  signal: AbortSignal,
): Promise<Result> {
  let since = performance.now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    if (performance.now() - since < longestMs) continue;
    await turn();
    signal.throwIfAborted();
    since = performance.now();
  }
}
