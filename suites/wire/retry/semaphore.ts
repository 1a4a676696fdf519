/**
 * Lets so many through at once; the others wait by priority, and in the order they came where that is the same. Where
 * it is told that the target is too busy for so many, the number halves, and grows again by and by.
 */
export type Semaphore = ReturnType<typeof createSemaphore>;

/** The busy replies among the latest that halve the number, if more than one in three is: transient faults are rarer. */
const [latest, fewBusy, shareBusy] = [12, 3, 1 / 3];
/** The other replies in a row that allow one more; twice as many each time that this was one too many. */
const [firstSeries, longestSeries] = [20, 160];

/**
 * @param most how many are let through at first, and at most
 * @param least how many are let through at least
 */
export function createSemaphore(most: number, least = 1) {
  const waiting: { readonly priority: number; readonly admitted: () => void }[] = [];
  let size = most;
  let taken = 0;
  let series = firstSeries;
  let recent: boolean[] = [];
  let inRow = 0;
  let halvings = 0;
  let isWider = false;

  const admit = (): void => {
    while (taken < size && waiting.length > 0) {
      taken += 1;
      waiting.shift()?.admitted();
    }
  };
  const resize = (wanted: number): void => {
    size = wanted;
    recent = [];
    inRow = 0;
    admit();
  };
  const note = (isBusy: boolean): void => {
    recent = [...recent, isBusy].slice(-latest);
    inRow = isBusy ? 0 : inRow + 1;
    const busy = recent.filter(Boolean).length;
    if (busy >= fewBusy && busy > recent.length * shareBusy && size > least) {
      resize(Math.max(least, Math.floor(size / 2)));
      halvings += 1;
      if (isWider) series = Math.min(longestSeries, series * 2);
      isWider = false;
    } else if (inRow >= series && size < most) {
      resize(size + 1);
      isWider = true;
    }
  };
  return {
    /** Resolves when there is room, for a higher priority first (0 where it is left out); the function it gives makes room again. */
    take: async (priority = 0): Promise<() => void> => {
      await new Promise<void>((admitted) => {
        const before = waiting.findLastIndex((other) => other.priority >= priority);
        waiting.splice(before + 1, 0, { priority, admitted });
        admit();
      });
      return () => {
        taken -= 1;
        admit();
      };
    },
    /** Called when something is sent; what it gives is told whether the target was too busy for it, where that can be told. */
    watch: (): ((busy: boolean | null) => void) => {
      const begun = halvings;
      return (isBusy) => {
        // What was sent before the number was halved says nothing of the smaller one.
        if (isBusy !== null && begun === halvings) note(isBusy);
      };
    },
    /** How many are let through now. */
    size: (): number => size,
  };
}

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
