import picocolors from 'picocolors';
import { terminalLine } from './escape.ts';

interface ProgressOptions {
  readonly stream: { readonly write: (text: string) => unknown };
  readonly isTTY: boolean;
  readonly colour: boolean;
  /** Milliseconds on a clock that never goes back; the process's own where it is left out. */
  readonly now?: () => number;
}

export interface Progress {
  /** So many of the planned exchanges are done. */
  readonly exchange: (done: number, total: number) => void;
  /** An exchange waits for so many milliseconds, and why. */
  readonly wait: (ms: number, why: string) => void;
  /** The run is over: the line is taken away, or said for the last time. */
  readonly end: () => void;
}

const nothing = (): void => undefined;

/** For whoever does not follow a run. */
export const noProgress: Progress = { exchange: nothing, wait: nothing, end: nothing };

/** Milliseconds between two lines where there is no terminal, and between two states of the line where there is. */
const pause = { lines: 5_000, states: 80 };
const barWidth = 24;

interface State {
  done: number;
  total: number;
  /** The end of the longest wait, on the clock of the progress, and its reason. */
  waits: { readonly until: number; readonly why: string };
}

function statusText({ done, total, waits }: State, now: number): string {
  const left = waits.until - now;
  const waiting = left > 0 && done < total;
  return [
    `${done}/${total} exchanges`,
    ...(waiting ? [`waiting up to ${Math.ceil(left / 1000)} s (${terminalLine(waits.why)})`] : []),
  ].join(', ');
}

function bar({ done, total }: State): string {
  const filled = total === 0 ? 0 : Math.round((Math.min(done, total) / total) * barWidth);
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
}

/** In place of the line before. It ends at the margin: a line that wraps would be left behind. */
const replaceLine = (line: string): string => `\r\u001b[2K\u001b[?7l${line}\u001b[?7h`;

/** Live progress: one line that renews itself on a terminal, a plain line now and then without one. */
export function createProgress({
  stream,
  isTTY,
  colour,
  now = () => performance.now(),
}: ProgressOptions): Progress {
  const { dim } = picocolors.createColors(colour);
  const longAgo = Number.NEGATIVE_INFINITY;
  const state: State = { done: 0, total: 0, waits: { until: longAgo, why: '' } };
  let [shownAt, quarter, hasLine] = [longAgo, 0, false];

  const show = () => {
    shownAt = now();
    hasLine = isTTY;
    const text = statusText(state, shownAt);
    stream.write(isTTY ? replaceLine(`${dim(bar(state))} ${text}`) : `${text}\n`);
  };
  const draw = () => {
    if (now() - shownAt >= pause.states || state.done >= state.total) show();
  };
  const printLine = () => {
    if (shownAt === longAgo) shownAt = now();
    const reached = state.total === 0 ? 0 : Math.floor((state.done / state.total) * 4);
    if (reached <= quarter && now() - shownAt < pause.lines) return;
    quarter = Math.max(quarter, reached);
    show();
  };
  const update = isTTY ? draw : printLine;
  const told = new Set<string>();
  /** Where no line renews itself, each reason is told once, with the time of its first long wait. */
  const tell = (ms: number, why: string) => {
    if (told.has(why)) return;
    told.add(why);
    stream.write(`waiting up to ${Math.ceil(ms / 1000)} s: ${terminalLine(why)}\n`);
  };

  return {
    exchange: (done, total) => {
      state.done = done;
      state.total = total;
      update();
    },
    wait: (ms, why) => {
      const [isLong, isNew] = [ms >= pause.lines, state.waits.until <= now()];
      if (isLong && !isTTY) tell(ms, why);
      if (!isTTY || !isLong || now() + ms <= state.waits.until) return;
      state.waits = { until: now() + ms, why };
      if (isNew) show();
    },
    end: () => {
      if (hasLine) stream.write('\r\u001b[2K');
      else if (!isTTY && state.total > 0 && quarter < 4) show();
    },
  };
}
