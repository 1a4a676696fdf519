import picocolors from 'picocolors';
import { terminalLine } from './escape.ts';

/** Seconds of a run from now on: those expected, but no fewer than the limit by the minute allows. Pure. */
export const secondsLeft = (left: number, seconds?: number, perMinute?: number): number | undefined =>
  perMinute === undefined ? seconds : Math.max(seconds ?? 0, (left / perMinute) * 60);

/** A time that is only known about, in words: steps of 5 seconds, from 2 minutes on whole minutes. */
export function roughly(seconds: number): string {
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 120) return `${Math.round(seconds / 5) * 5} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

interface ProgressOptions {
  readonly stream: { readonly write: (text: string) => unknown; readonly columns?: number };
  readonly isTTY: boolean;
  readonly colour: boolean;
  /** The most requests in a minute; not limited where it is left out. */
  readonly perMinute?: number | undefined;
  /** Milliseconds on a clock that never goes back; the process's own where it is left out. */
  readonly now?: () => number;
  /** Calls something every so many milliseconds, until what it gives is called; the process's own where it is left out. */
  readonly every?: (ms: number, call: () => void) => () => void;
}

export interface Progress {
  /** The run is planned: gives the milliseconds that it takes from now on, as far as they are known. */
  readonly plan: (msLeft: () => number | undefined) => void;
  readonly begin: (id: string) => void;
  /** A request is recorded; so many of the planned ones are. */
  readonly exchange: (id: string, done: number, total: number) => void;
  /** An exchange waits for so many milliseconds, and why. */
  readonly wait: (ms: number, why: string) => void;
  /** The run is over: the line is taken away, or said for the last time. */
  readonly end: () => void;
}

const nothing = (): void => undefined;

/** Where nobody follows the run. */
export const noProgress: Progress = {
  plan: nothing,
  begin: nothing,
  exchange: nothing,
  wait: nothing,
  end: nothing,
};

/** Milliseconds between two lines where there is no terminal, and where there is one between two states of the line. */
const pause = { lines: 10_000, states: 80, still: 1_000 };
/** Milliseconds of a wait that is worth telling. */
const longWait = 5_000;
const barWidth = 24;
/** Columns of a terminal that has room for the bar. */
const roomForBar = 80;
const namedMost = 3;

const longAgo = Number.NEGATIVE_INFINITY;

/** How far a run is at its beginning; times are on the clock of the progress. */
const newState = (perMinute: number | undefined) => ({
  done: 0,
  total: 0,
  perMinute,
  msLeft: (): number | undefined => undefined,
  /** What was last told of the time that is left, and when. */
  last: { at: longAgo, ms: undefined as number | undefined },
  /** When each request that is under way went out, by its id. */
  underWay: new Map<string, number>(),
  /** The end of the longest wait, and its reason. */
  waits: { until: longAgo, why: '' },
});
type State = ReturnType<typeof newState>;

const secondsOf = (ms: number): number => Math.round(ms / 1000);

/** Those that went out first are told first, and none that has just gone out. */
function underWayText({ underWay }: State, now: number): string {
  const old = [...underWay].filter(([, at]) => now - at >= 1_000).slice(0, namedMost);
  const named = old.map(([id, at]) => `${terminalLine(id)} (${secondsOf(now - at)} s)`);
  return `${underWay.size} under way${named.length > 0 ? `, the oldest: ${named.join(', ')}` : ''}`;
}

/** Asked for once a second: the line of a terminal is drawn more often. */
function expectedSeconds(state: State, now: number): number | undefined {
  if (now - state.last.at >= pause.still) state.last = { at: now, ms: state.msLeft() };
  const { at, ms } = state.last;
  return ms === undefined ? undefined : Math.max(0, ms - (now - at)) / 1000;
}

function statusText(state: State, now: number): string {
  const { done, total, waits, perMinute } = state;
  const isOver = done >= total;
  const seconds = isOver ? undefined : expectedSeconds(state, now);
  const left = isOver ? undefined : secondsLeft(total - done, seconds, perMinute);
  const waitMs = waits.until - now;
  const count = `${done} of ${total} requests`;
  return [
    left === undefined ? count : `${count}, about ${roughly(left)} left`,
    ...(isOver || state.underWay.size === 0 ? [] : [underWayText(state, now)]),
    ...(waitMs > 0 && !isOver ? [waitText(waitMs, waits.why)] : []),
  ].join('; ');
}

const waitText = (ms: number, why: string): string =>
  `waiting up to ${Math.ceil(ms / 1000)} s (${terminalLine(why)})`;

function bar({ done, total }: State): string {
  const filled = total === 0 ? 0 : Math.round((Math.min(done, total) / total) * barWidth);
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} `;
}

/** In place of the line before. It ends at the margin: a line that wraps would be left behind. */
const replaceLine = (line: string): string => `\r\u001b[2K\u001b[?7l${line}\u001b[?7h`;

function everyOfProcess(ms: number, call: () => void): () => void {
  const clock = setInterval(call, ms).unref();
  return () => clearInterval(clock);
}

/** Live progress: one line that renews itself on a terminal, a plain line every ten seconds without one. */
export function createProgress({
  stream,
  isTTY,
  colour,
  perMinute,
  now = () => performance.now(),
  every = everyOfProcess,
}: ProgressOptions): Progress {
  const { dim } = picocolors.createColors(colour);
  const state = newState(perMinute);
  let [shownAt, hasLine] = [longAgo, false];

  /** What fits; a terminal that does not tell its width cuts the line itself. */
  const lineText = (text: string): string => {
    const { columns = Number.POSITIVE_INFINITY } = stream;
    const shownBar = columns < roomForBar ? '' : bar(state);
    return `${dim(shownBar)}${text.slice(0, columns - shownBar.length - 1)}`;
  };
  const show = () => {
    shownAt = now();
    hasLine = true;
    const text = statusText(state, shownAt);
    stream.write(isTTY ? replaceLine(lineText(text)) : `  ${text}\n`);
  };
  const update = () => {
    if (isTTY && (now() - shownAt >= pause.states || state.done >= state.total)) show();
  };
  const told = new Set<string>();
  /** Where no line renews itself, each reason is told once, with the time of its first long wait. */
  const tell = (ms: number, why: string) => {
    if (told.has(why)) return;
    told.add(why);
    stream.write(`  ${waitText(ms, why)}\n`);
  };
  const stop = every(isTTY ? pause.still : pause.lines, () => {
    if (state.total > 0) show();
  });

  return {
    plan: (msLeft) => {
      state.msLeft = msLeft;
    },
    begin: (id) => {
      state.underWay.set(id, now());
    },
    exchange: (id, done, total) => {
      state.underWay.delete(id);
      state.done = done;
      state.total = total;
      update();
    },
    wait: (ms, why) => {
      if (ms < longWait) return;
      if (!isTTY) tell(ms, why);
      if (now() + ms <= state.waits.until) return;
      const isNew = state.waits.until <= now();
      state.waits = { until: now() + ms, why };
      if (isTTY && isNew) show();
    },
    end: () => {
      stop();
      if (isTTY && hasLine) stream.write('\r\u001b[2K');
      else if (hasLine) show();
    },
  };
}
