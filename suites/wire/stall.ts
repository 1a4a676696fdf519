/** Measures how long our own event loop stood still: noise that is no part of a target's timing. */
export type StallWatch = ReturnType<typeof createStallWatch>;

const everyMs = 10;
/** A timer is late by this much on an idle machine, too. */
const usualMs = 5;

/** One interval for all that is under way; it runs only while something is, and keeps no process alive. */
export function createStallWatch() {
  const open = new Set<{ readonly since: number; sum: number }>();
  let last = 0;
  let timer: NodeJS.Timeout | undefined;

  const stoodStill = (now: number, since: number): number => {
    const late = now - last - everyMs;
    return late > usualMs ? Math.min(late, now - since) : 0;
  };
  const tick = (): void => {
    const now = performance.now();
    for (const watch of open) watch.sum += stoodStill(now, watch.since);
    last = now;
  };
  /** Ends all watching. */
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
    open.clear();
  };
  /** Starts to watch; the function it gives ends that and tells how long it stood still since, in milliseconds. */
  const start = (): (() => number) => {
    if (timer === undefined) {
      last = performance.now();
      timer = setInterval(tick, everyMs).unref();
    }
    const watch = { since: performance.now(), sum: 0 };
    open.add(watch);
    return () => {
      // A stall that is just over has not come to its tick yet.
      const sum = watch.sum + stoodStill(performance.now(), watch.since);
      open.delete(watch);
      if (open.size === 0) stop();
      return Math.round(sum * 100) / 100;
    };
  };
  return { start, stop };
}
