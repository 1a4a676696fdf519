/** How far a run is. */
export interface RunPace {
  /** Requests in all, as far as is known. */
  readonly planned: number;
  readonly done: number;
  /** Since the run began. */
  readonly seconds: number;
  /** The most requests in a minute, where they are limited. */
  readonly perMinute?: number;
}

/** The fewest requests and seconds from which the speed of a run is estimated. */
const [fewestDone, shortestSeconds] = [5, 2];

/**
 * Seconds that a run is expected to take from now on: what is left goes as fast as what is done, and no faster than a
 * limit allows. Undefined while too little is known. Pure.
 */
export function secondsLeft({ planned, done, seconds, perMinute }: RunPace): number | undefined {
  const left = Math.max(0, planned - done);
  const paced = perMinute === undefined ? 0 : (left / perMinute) * 60;
  if (done < fewestDone || seconds < shortestSeconds) return perMinute === undefined ? undefined : paced;
  return Math.max((left / done) * seconds, paced);
}

/** A time that is only known about, in words: steps of 5 seconds, from 2 minutes on whole minutes. */
export function roughly(seconds: number): string {
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 120) return `${Math.round(seconds / 5) * 5} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
