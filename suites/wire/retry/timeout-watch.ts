import type { Patience } from '../send.ts';

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

interface Kind {
  /** In a row, replies without an end among them. */
  timeouts: number;
  isAnswered: boolean;
  /** The longest that an answer took, in milliseconds. */
  slowestMs: number;
  /** One ran out of time, and none was answered since. */
  isLate: boolean;
  isSilent: boolean;
  trial: Trial | undefined;
}

function openTrial(): Trial {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end: () => end() };
}

/** Replies without an end in a row that speak for a kind that was never answered: one may be a very long one. */
const oversizesInRow = 2;

/** The part of the usual time that a reply is waited for where none came, and how often the slowest answer's time. */
const [impatient, timesSlowest] = [1 / 6, 4];

/** What was seen of all kinds. */
interface Watch {
  readonly timeoutsInRow: number;
  readonly kinds: Map<string, Kind>;
  /** Timeouts of all kinds since a reply of any. */
  inRow: number;
}

const isAllSilent = ({ inRow, timeoutsInRow }: Watch): boolean => inRow >= timeoutsInRow;

function kindOf({ kinds }: Watch, name: string): Kind {
  const known = kinds.get(name) ?? {
    timeouts: 0,
    isAnswered: false,
    slowestMs: 0,
    isLate: false,
    isSilent: false,
    trial: undefined,
  };
  kinds.set(name, known);
  return known;
}

const isSuspect = (watch: Watch, { timeouts, isAnswered }: Kind): boolean =>
  timeouts >= (isAnswered && !isAllSilent(watch) ? watch.timeoutsInRow : 1);

function close(kind: Kind): AfterTimeout {
  kind.isSilent = true;
  kind.isLate = true;
  kind.trial?.end();
  return { kind: 'stop' };
}

function noteReply(watch: Watch, name: string, isAnswer: boolean, ms: number): void {
  const kind = kindOf(watch, name);
  watch.inRow = 0;
  kind.timeouts = 0;
  kind.isAnswered ||= isAnswer;
  if (!isAnswer) return;
  kind.slowestMs = Math.max(kind.slowestMs, ms);
  kind.isSilent = false;
  kind.isLate = false;
}

function noteOversize(watch: Watch, name: string): void {
  const kind = kindOf(watch, name);
  kind.timeouts += 1;
  if (kind.timeouts >= (kind.isAnswered ? watch.timeoutsInRow : oversizesInRow)) close(kind);
}

function noteTimeout(watch: Watch, name: string, own: Trial | undefined): AfterTimeout {
  const kind = kindOf(watch, name);
  watch.inRow += 1;
  kind.timeouts += 1;
  kind.isLate = true;
  if (!isSuspect(watch, kind)) return { kind: 'retry' };
  // Where one kind is silent, another that was never answered needs no trial of its own, nor any where all are.
  const isOfOthers = !kind.isAnswered || isAllSilent(watch);
  const others = isOfOthers ? [...watch.kinds.values()].filter((other) => other !== kind) : [];
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
    const trial = openTrial();
    kind.trial = trial;
    void trial.over.then(() => {
      kind.trial = undefined;
    });
    return { kind: 'retry', trial };
  }
  const over = kind.trial.over.then(() => (kind.isSilent || isSuspect(watch, kind) ? 'stop' : 'retry'));
  return { kind: 'wait', over };
}

function patience(watch: Watch, name: string): Patience {
  const own = kindOf(watch, name);
  const isLate = own.isLate || [...watch.kinds.values()].some((kind) => kind.isLate && !kind.isAnswered);
  const part = watch.inRow > 0 || (isLate && (own.isLate || !own.isAnswered)) ? impatient : 1;
  return { part, leastMs: timesSlowest * own.slowestMs };
}

async function admits(watch: Watch, name: string): Promise<boolean> {
  const kind = kindOf(watch, name);
  await kind.trial?.over;
  return !kind.isSilent;
}

/**
 * @param timeoutsInRow so many make a kind suspect that was answered before; one is enough for any other, and where
 * so many of all kinds came with no reply between them
 */
export function createTimeoutWatch(timeoutsInRow: number) {
  const watch: Watch = { timeoutsInRow, kinds: new Map(), inRow: 0 };
  return {
    /** An attempt ended before its time ran out, after so many milliseconds. */
    noteReply: noteReply.bind(undefined, watch),
    /** It was seen in an earlier part of the run that requests of the kind get no reply in time. */
    noteSilent: (name: string): void => void close(kindOf(watch, name)),
    /** An attempt was broken off since its reply was longer than any is read: it may have no end. */
    noteOversize: noteOversize.bind(undefined, watch),
    /**
     * An attempt ran out of time. Where its kind is suspect, one request of the kind is tried again, and the
     * others wait for what comes of it. Takes the trial that the attempt was made for.
     */
    noteTimeout: noteTimeout.bind(undefined, watch),
    /**
     * How long a request of a kind is waited for: shorter once one ran out of its time, of this kind since it was last
     * answered, of any where neither was ever answered, or of any where nothing came back since.
     */
    patience: patience.bind(undefined, watch),
    /** Whether a request of the kind may be sent; waits while one of a suspect kind is tried. */
    admits: admits.bind(undefined, watch),
  };
}
