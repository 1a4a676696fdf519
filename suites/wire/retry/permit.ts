import type { Semaphore } from './semaphore.ts';

/** A place among the exchanges that may be under way at once. */
export interface Permit {
  /** Gives the place to others, while the exchange waits for what another one shows, or when it is over. */
  readonly release: () => void;
  readonly reacquire: () => Promise<void>;
}

export async function acquirePermit(exchanges: Semaphore, priority?: number): Promise<Permit> {
  let release: (() => void) | undefined = await exchanges.take(priority);
  return {
    release: () => {
      release?.();
      release = undefined;
    },
    reacquire: async () => {
      release ??= await exchanges.take(priority);
    },
  };
}

/** Waits with the permit given back, and takes it again. */
export async function withoutPermit<Result>(
  permit: Permit | undefined,
  wait: Promise<Result>,
): Promise<Result> {
  permit?.release();
  const result = await wait;
  await permit?.reacquire();
  return result;
}
