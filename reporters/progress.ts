import picocolors from 'picocolors';
import type { ReportCase, Verdict } from '../suites/model/report.ts';
import { count } from './wording.ts';

export interface ProgressOptions {
  readonly stream: { readonly write: (text: string) => unknown };
  readonly isTTY: boolean;
  readonly colour: boolean;
  /** Milliseconds on a clock that never goes back; the process's own where it is left out. */
  readonly now?: () => number;
}

export interface Progress {
  /** A case is judged. */
  readonly case: (outcome: Pick<ReportCase, 'verdict'>) => void;
  /** So many of the planned exchanges are done. */
  readonly exchange: (done: number, total: number) => void;
  /** The run is over: the line is taken away, or said for the last time. */
  readonly end: () => void;
}

/** Milliseconds between two lines where there is no terminal, and between two states of the line where there is. */
const pause = { lines: 5_000, states: 80 };
const barWidth = 24;

interface State {
  done: number;
  total: number;
  readonly cases: Map<Verdict, number>;
}

const told = ({ cases }: State, verdict: Verdict): number => cases.get(verdict) ?? 0;

function words(state: State, { red, yellow }: ReturnType<typeof picocolors.createColors>): string {
  const judged = [...state.cases.values()].reduce((sum, amount) => sum + amount, 0);
  const failed = told(state, 'fail');
  const open = told(state, 'inconclusive');
  return [
    `${state.done}/${state.total} exchanges`,
    `${count(judged, 'case')} judged`,
    ...(failed > 0 ? [red(`${failed} failed`)] : []),
    ...(open > 0 ? [yellow(`${open} inconclusive`)] : []),
  ].join(', ');
}

function bar({ done, total }: State): string {
  const filled = total === 0 ? 0 : Math.round((Math.min(done, total) / total) * barWidth);
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
}

/** Live progress: one line that renews itself on a terminal, a plain line now and then without one. */
export function createProgress({
  stream,
  isTTY,
  colour,
  now = () => performance.now(),
}: ProgressOptions): Progress {
  const colours = picocolors.createColors(colour);
  const state: State = { done: 0, total: 0, cases: new Map() };
  let [shownAt, quarter, hasLine] = [Number.NEGATIVE_INFINITY, 0, false];

  const draw = () => {
    if (now() - shownAt < pause.states && state.done < state.total) return;
    shownAt = now();
    hasLine = true;
    stream.write(`\r\u001b[2K${colours.dim(bar(state))} ${words(state, colours)}`);
  };
  const say = () => {
    if (shownAt === Number.NEGATIVE_INFINITY) shownAt = now();
    const reached = state.total === 0 ? 0 : Math.floor((state.done / state.total) * 4);
    if (reached <= quarter && now() - shownAt < pause.lines) return;
    quarter = Math.max(quarter, reached);
    shownAt = now();
    stream.write(`${words(state, colours)}\n`);
  };
  const show = isTTY ? draw : say;

  return {
    case: ({ verdict }) => {
      state.cases.set(verdict, told(state, verdict) + 1);
      show();
    },
    exchange: (done, total) => {
      state.done = done;
      state.total = total;
      show();
    },
    end: () => {
      if (hasLine) stream.write('\r\u001b[2K');
      else if (!isTTY && state.total > 0 && quarter < 4) stream.write(`${words(state, colours)}\n`);
    },
  };
}
