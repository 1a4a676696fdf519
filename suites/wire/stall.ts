/** Measures how long our own event loop stood still: noise that is no part of a target's timing. */
export interface StallWatch {
  /** Starts to watch; the function it gives ends that and tells the longest stall since, in milliseconds. */
  readonly start: () => () => number;
  /** Ends all watching. */
  readonly stop: () => void;
}

const everyMs = 10;

/** One interval for all that is under way; it runs only while something is, and keeps no process alive. */
export function createStallWatch(): StallWatch {
  const open = new Set<{ readonly since: number; worst: number }>();
  let last = 0;
  let timer: NodeJS.Timeout | undefined;

  const note = (): void => {
    const now = performance.now();
    const late = now - last - everyMs;
    for (const watch of open) watch.worst = Math.max(watch.worst, Math.min(late, now - watch.since));
  };
  const tick = (): void => {
    note();
    last = performance.now();
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
    open.clear();
  };
  const start = (): (() => number) => {
    if (timer === undefined) {
      last = performance.now();
      timer = setInterval(tick, everyMs).unref();
    }
    const watch = { since: performance.now(), worst: 0 };
    open.add(watch);
    return () => {
      // A stall that is just over has not come to its tick yet.
      note();
      open.delete(watch);
      if (open.size === 0) stop();
      return Math.round(watch.worst * 100) / 100;
    };
  };
  return { start, stop };
}
