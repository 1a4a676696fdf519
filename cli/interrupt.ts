import { exitCodes } from './exit.ts';

/** SIGINT and SIGTERM while something of ours is under way. */
export interface Interrupt {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

/** The first signal asks to stop, and what is under way ends in order; the second ends the process. */
export function onInterrupt(): Interrupt {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.notJudged);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return {
    signal: controller.signal,
    release: () => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
    },
  };
}
