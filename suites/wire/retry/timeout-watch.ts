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

/**
 * The part of the usual time in which a reply is waited for where none came in all of it, and how often as long as the
 * slowest answer of its kind.
 */
const [impatient, timesSlowest] = [1 / 6, 4];

/**
 * @param timeoutsInRow so many make a kind suspect that was answered before; one is enough for any other, and where
 * so many of all kinds came with no reply between them
 */
export function createTimeoutWatch(timeoutsInRow: number) {
  const kinds = new Map<string, Kind>();
  /** Timeouts of all kinds since a reply of any. */
  let inRow = 0;
  const isAllSilent = (): boolean => inRow >= timeoutsInRow;
  const kindOf = (name: string): Kind => {
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
  };
  const isSuspect = ({ timeouts, isAnswered }: Kind): boolean =>
    timeouts >= (isAnswered && !isAllSilent() ? timeoutsInRow : 1);
  const close = (kind: Kind): AfterTimeout => {
    kind.isSilent = true;
    kind.isLate = true;
    kind.trial?.end();
    return { kind: 'stop' };
  };
  return {
    /** An attempt ended before its time ran out, after so many milliseconds. */
    noteReply: (name: string, isAnswer: boolean, ms: number): void => {
      const kind = kindOf(name);
      inRow = 0;
      kind.timeouts = 0;
      kind.isAnswered ||= isAnswer;
      if (!isAnswer) return;
      kind.slowestMs = Math.max(kind.slowestMs, ms);
      kind.isSilent = false;
      kind.isLate = false;
    },
    /** It was seen in an earlier part of the run that requests of the kind get no reply in time. */
    noteSilent: (name: string): void => void close(kindOf(name)),
    /** An attempt was broken off since its reply was longer than any is read: it may have no end. */
    noteOversize: (name: string): void => {
      const kind = kindOf(name);
      kind.timeouts += 1;
      if (kind.timeouts >= (kind.isAnswered ? timeoutsInRow : oversizesInRow)) close(kind);
    },
    /**
     * An attempt ran out of time. Where its kind is suspect, one request of the kind is tried again, and the
     * others wait for what comes of it.
     * @param trial the trial that the attempt was made for
     */
    noteTimeout: (name: string, own: Trial | undefined): AfterTimeout => {
      const kind = kindOf(name);
      inRow += 1;
      kind.timeouts += 1;
      kind.isLate = true;
      if (!isSuspect(kind)) return { kind: 'retry' };
      // Where one kind is silent, another that was never answered needs no trial of its own, nor any where all are.
      const isOfOthers = !kind.isAnswered || isAllSilent();
      const others = isOfOthers ? [...kinds.values()].filter((other) => other !== kind) : [];
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
      const over = kind.trial.over.then(() => (kind.isSilent || isSuspect(kind) ? 'stop' : 'retry'));
      return { kind: 'wait', over };
    },
    /**
     * How long a request of a kind is waited for: shorter once one ran out of its time, of this kind since it was last
     * answered, of any where neither was ever answered, or of any where nothing came back since.
     */
    patience: (name: string): Patience => {
      const own = kindOf(name);
      const isLate = own.isLate || [...kinds.values()].some((kind) => kind.isLate && !kind.isAnswered);
      const part = inRow > 0 || (isLate && (own.isLate || !own.isAnswered)) ? impatient : 1;
      return { part, leastMs: timesSlowest * own.slowestMs };
    },
    /** Whether a request of the kind may be sent; waits while one of a suspect kind is tried. */
    admits: async (name: string): Promise<boolean> => {
      const kind = kindOf(name);
      await kind.trial?.over;
      return !kind.isSilent;
    },
  };
}
