/**
 * Lets so many through at once, by priority and order. Told that the target is too busy, it halves, then lets one follow the
 * other more and more slowly, and grows again.
 */
export type Semaphore = ReturnType<typeof createSemaphore>;

/** The busy replies among the latest that halve the number, if more than one in three is: transient faults are rarer. */
const [latest, fewBusy, shareBusy] = [12, 3, 1 / 3];
/** The other replies in a row that allow one more; twice as many each time that this was one too many. */
const [firstSeries, longestSeries] = [20, 160];
/** Milliseconds from the end of one to the next, where one at a time is too much, too: they double, and halve again. */
const firstPauseMs = 25;

/** The size of a semaphore, and what the latest replies say of it. */
const sizeOf = (most: number, least: number, longestPauseMs: number) => ({
  now: most,
  most,
  least,
  longestPauseMs,
  /** Zero where the next one may follow at once. */
  pauseMs: 0,
  /** No pause helps: the longest did not, or there is none. */
  isHelpless: longestPauseMs === 0,
  recent: [] as readonly boolean[],
  inRow: 0,
  series: firstSeries,
  halvings: 0,
  isWider: false,
});
type Size = ReturnType<typeof sizeOf>;

/** Lets half as many through, or, where no limit is told that is waited for anyway, half as often; false where neither helps. */
function narrow(size: Size, isLimit: boolean): boolean {
  if (size.now > size.least) size.now = Math.max(size.least, Math.floor(size.now / 2));
  else if (size.now > 1 || size.isHelpless || isLimit) return false;
  else {
    size.isHelpless = size.pauseMs >= size.longestPauseMs;
    size.pauseMs = size.isHelpless ? 0 : Math.max(firstPauseMs, size.pauseMs * 2);
  }
  size.halvings += 1;
  if (size.isWider) size.series = Math.min(longestSeries, size.series * 2);
  size.isWider = false;
  return true;
}

/** Lets them through twice as often, or one more; false where there are as many as may be. */
function widen(size: Size): boolean {
  if (size.pauseMs > 0) size.pauseMs = size.pauseMs > firstPauseMs ? size.pauseMs / 2 : 0;
  else if (size.now < size.most) size.now += 1;
  else return false;
  size.isWider = true;
  return true;
}

/** Changes the size by one more reply; true where it did. */
function resized(size: Size, isBusy: boolean, isLimit: boolean): boolean {
  size.recent = [...size.recent, isBusy].slice(-latest);
  size.inRow = isBusy ? 0 : size.inRow + 1;
  const busy = size.recent.filter(Boolean).length;
  const isTooMuch = busy >= fewBusy && busy > size.recent.length * shareBusy;
  const isChanged = isTooMuch ? narrow(size, isLimit) : size.inRow >= size.series && widen(size);
  if (!isChanged) return false;
  size.recent = [];
  size.inRow = 0;
  return true;
}

/** Lets `most` through at first and at most, and `least` at least; where one is too many, with pauses up to `longestPauseMs`. */
export function createSemaphore(most: number, least = 1, longestPauseMs = 0) {
  const waiting: { readonly priority: number; readonly admitted: () => void }[] = [];
  const size = sizeOf(most, least, longestPauseMs);
  let taken = 0;
  const admit = (): void => {
    while (taken < size.now && waiting.length > 0) {
      taken += 1;
      waiting.shift()?.admitted();
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
      const leave = (): void => {
        taken -= 1;
        admit();
      };
      return () => {
        if (size.pauseMs > 0) setTimeout(leave, size.pauseMs);
        else leave();
      };
    },
    /** Called when something is sent; what it gives is told whether the target was too busy for it, where that can be told. */
    watch: (): ((busy: boolean | null, isLimit?: boolean) => void) => {
      const begun = size.halvings;
      return (isBusy, isLimit = false) => {
        // What was sent before the number was halved says nothing of the smaller one.
        if (isBusy !== null && begun === size.halvings && resized(size, isBusy, isLimit)) admit();
      };
    },
    /** How many are let through now. */
    size: (): number => size.now,
  };
}

/** A place among the exchanges that may be under way at once. */
export type Permit = Awaited<ReturnType<typeof acquirePermit>>;

export async function acquirePermit(exchanges: Semaphore, priority?: number) {
  let release: (() => void) | undefined = await exchanges.take(priority);
  return {
    /** Gives the place to others, while the exchange waits for what another one shows, or when it is over. */
    release: (): void => {
      release?.();
      release = undefined;
    },
    reacquire: async (): Promise<void> => {
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
