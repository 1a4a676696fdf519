import { exitCodes } from '../exit.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Does something while SIGINT and SIGTERM are ours: the first asks to stop, and what is under way ends in order; the second ends the process. */
export async function interruptible<Result>(act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.notJudged);
    controller.abort();
  };
  // Earlier listeners would end the process; they are added again afterwards. There is always a listener:
  // without one, Node drops a signal that arrived and is not delivered yet.
  const before = signals.map((signal) => [signal, process.listeners(signal)] as const);
  for (const [signal, listeners] of before) {
    process.on(signal, stop);
    for (const listener of listeners) process.off(signal, listener);
  }
  try {
    return await act(controller.signal);
  } finally {
    for (const [signal, listeners] of before) {
      for (const listener of listeners) process.on(signal, listener);
      process.off(signal, stop);
    }
  }
}
