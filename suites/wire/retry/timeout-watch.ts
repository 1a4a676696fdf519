import type { Patience, TimingKind } from '../send.ts';
import { deferred } from '../deferred.ts';

/** The one request of a suspect kind that is tried again while the others of its kind wait. */
export interface Trial {
  readonly over: Promise<void>;
  readonly end: () => void;
}

/** What to do after an attempt that ran out of time. */
type AfterTimeout =
  | { readonly kind: 'retry'; readonly trial?: Trial }
  /** Requests of this kind get no reply in time. */
  | { readonly kind: 'stop' }
  /** Another request of the kind is tried; `over` tells what to do then. */
  | { readonly kind: 'wait'; readonly over: Promise<'retry' | 'stop'> };

/** Watches for kinds of requests that get no reply in time, or none that ends, so that few of them are waited for. */
export type TimeoutWatch = ReturnType<typeof createTimeoutWatch>;

type Kind = ReturnType<typeof newKind>;

const newKind = (timing: TimingKind) => ({
  ...timing,
  /** In a row, replies without an end among them. */
  timeouts: 0,
  isAnswered: false,
  /** The longest that an answer took, in milliseconds. */
  slowestMs: 0,
  /** One ran out of time, and none was answered since. */
  isLate: false,
  isSilent: false,
  trial: undefined as Trial | undefined,
});

/** Replies without an end in a row that speak for a kind that was never answered: one may be a very long one. */
const oversizesInRow = 2;

/** The part of the usual time that is waited where none came in all of it, the least of it, and of the slowest answer. */
const [impatient, leastPart, timesSlowest] = [1 / 6, 1 / 36, 4];

/** What was seen of all kinds. */
type Watch = ReturnType<typeof newWatch>;

const newWatch = (timeoutsInRow: number) => ({
  timeoutsInRow,
  kinds: new Map<string, Kind>(),
  /** Whether the last attempt that ended ran out of time. */
  isQuiet: false,
  /** Timeouts since a reply, of all kinds to which an answer is due, and of all others. */
  inRow: { due: 0, other: 0 },
  /** Timeouts of kinds to which no answer is due. */
  notDue: 0,
});

const rowOf = ({ isAnswerDue }: TimingKind): keyof Watch['inRow'] => (isAnswerDue ? 'due' : 'other');

const isAllSilent = ({ inRow, timeoutsInRow }: Watch, kind: Kind): boolean =>
  inRow[rowOf(kind)] >= timeoutsInRow;

/** The other kinds to which an answer is due as it is to this one, or is not. */
const alike = ({ kinds }: Watch, kind: Kind): readonly Kind[] =>
  [...kinds.values()].filter((other) => other !== kind && other.isAnswerDue === kind.isAnswerDue);

function kindOf({ kinds }: Watch, timing: TimingKind): Kind {
  const known = kinds.get(timing.name) ?? newKind(timing);
  kinds.set(timing.name, known);
  return known;
}

const isSuspect = (watch: Watch, kind: Kind): boolean =>
  kind.timeouts >= (kind.isAnswered && !isAllSilent(watch, kind) ? watch.timeoutsInRow : 1);

function close(kind: Kind): AfterTimeout {
  kind.isSilent = true;
  kind.isLate = true;
  kind.trial?.end();
  return { kind: 'stop' };
}

function noteReply(watch: Watch, timing: TimingKind, isAnswer: boolean, ms: number): void {
  const kind = kindOf(watch, timing);
  watch.isQuiet = false;
  watch.inRow[rowOf(kind)] = 0;
  kind.timeouts = 0;
  kind.isAnswered ||= isAnswer;
  if (!isAnswer) return;
  kind.slowestMs = Math.max(kind.slowestMs, ms);
  kind.isSilent = false;
  kind.isLate = false;
}

function noteOversize(watch: Watch, timing: TimingKind): void {
  const kind = kindOf(watch, timing);
  kind.timeouts += 1;
  if (kind.timeouts >= (kind.isAnswered ? watch.timeoutsInRow : oversizesInRow)) close(kind);
}

function noteTimeout(watch: Watch, timing: TimingKind, own: Trial | undefined): AfterTimeout {
  const kind = kindOf(watch, timing);
  watch.isQuiet = true;
  watch.inRow[rowOf(kind)] += 1;
  if (!kind.isAnswerDue) watch.notDue += 1;
  kind.timeouts += 1;
  kind.isLate = true;
  if (!isSuspect(watch, kind)) {
    // A reply came to another one meanwhile.
    own?.end();
    return { kind: 'retry' };
  }
  // Where one kind is silent, another that was never answered needs no trial of its own, nor any where all are.
  const others = !kind.isAnswered || isAllSilent(watch, kind) ? alike(watch, kind) : [];
  if (kind.isSilent || own !== undefined || others.some(({ isSilent }) => isSilent)) return close(kind);
  const other = others.find(({ trial }) => trial !== undefined);
  if (kind.trial === undefined && other?.trial !== undefined) {
    const over = other.trial.over.then((): 'retry' | 'stop' => {
      if (other.isSilent) close(kind);
      return other.isSilent ? 'stop' : 'retry';
    });
    return { kind: 'wait', over };
  }
  if (kind.trial === undefined) {
    const { promise: over, resolve: end } = deferred();
    const trial = { over, end };
    kind.trial = trial;
    void over.then(() => {
      kind.trial = undefined;
    });
    return { kind: 'retry', trial };
  }
  const over = kind.trial.over.then(() => (kind.isSilent || isSuspect(watch, kind) ? 'stop' : 'retry'));
  return { kind: 'wait', over };
}

const withSilent = (kinds: readonly Kind[]): number => 1 + kinds.filter(({ isSilent }) => isSilent).length;

/** The same of a kind by itself and by those like it. A refusal needs no time, whatever came in between. */
function timesOfKind(watch: Watch, kind: Kind): number {
  if (!kind.isAnswerDue) return watch.notDue;
  if (kind.isAnswered) return kind.isLate ? 1 : 0;
  const unanswered = [kind, ...alike(watch, kind)].filter(({ isAnswered }) => !isAnswered);
  return unanswered.some(({ isLate }) => isLate) ? withSilent(unanswered) : 0;
}

/** How often it was shown that a request like those of a kind may be waited for in vain; 0 where it may well be answered. */
function timesInVain(watch: Watch, kind: Kind): number {
  const { isQuiet, kinds } = watch;
  return Math.max(timesOfKind(watch, kind), isQuiet ? withSilent([...kinds.values()]) : 0);
}

function patience(watch: Watch, timing: TimingKind): Patience {
  const kind = kindOf(watch, timing);
  const times = timesInVain(watch, kind);
  const sameEndpoint = [...watch.kinds.values()].filter(({ endpoint }) => endpoint === kind.endpoint);
  return {
    part: times === 0 ? 1 : Math.max(impatient / times, leastPart),
    leastMs: timesSlowest * Math.max(...sameEndpoint.map(({ slowestMs }) => slowestMs)),
  };
}

async function admits(watch: Watch, timing: TimingKind): Promise<boolean> {
  const kind = kindOf(watch, timing);
  await kind.trial?.over;
  return !kind.isSilent;
}

/** `timeoutsInRow`: so many make a kind suspect that was answered before, or all where no reply came between; else one is enough. */
export function createTimeoutWatch(timeoutsInRow: number) {
  const watch = newWatch(timeoutsInRow);
  return {
    /** An attempt ended before its time ran out, after so many milliseconds. */
    noteReply: noteReply.bind(undefined, watch),
    /** It was seen in an earlier part of the run that requests of the kind get no reply in time. */
    noteSilent: (timing: TimingKind): void => void close(kindOf(watch, timing)),
    /** An attempt was broken off since its reply was longer than any is read: it may have no end. */
    noteOversize: noteOversize.bind(undefined, watch),
    /** An attempt ran out of time. Of a suspect kind one request is tried again, and the others wait for what comes of it. */
    noteTimeout: noteTimeout.bind(undefined, watch),
    /** How long a request is waited for: the shorter, the more of this kind or its like ran out of time since one was answered. */
    patience: patience.bind(undefined, watch),
    /** Whether a request of the kind may be sent; waits while one of a suspect kind is tried. */
    admits: admits.bind(undefined, watch),
  };
}
