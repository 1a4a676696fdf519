/** Lets so many through at once; the others wait in the order they came. */
export interface Slots {
  /** Resolves when a slot is free; the function it gives frees it again. */
  readonly take: () => Promise<() => void>;
}

/** Slots whose number can be changed: those that are taken stay so. */
interface Wide extends Slots {
  readonly most: () => number;
  readonly set: (most: number) => void;
}

function createWide(count: number): Wide {
  const waiting: (() => void)[] = [];
  let most = count;
  let taken = 0;
  const admit = (): void => {
    while (taken < most && waiting.length > 0) {
      taken += 1;
      waiting.shift()?.();
    }
  };
  const give = (): void => {
    taken -= 1;
    admit();
  };
  return {
    take: async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        admit();
      });
      return give;
    },
    most: () => most,
    set: (wanted) => {
      most = wanted;
      admit();
    },
  };
}

export const createSlots = (count: number): Slots => createWide(count);

/** Slots that become fewer where a target is too busy for so many at once, and more again by and by. */
export interface Lanes extends Slots {
  /** Called when something is sent; what it gives is told whether the target was too busy for it, where that can be told. */
  readonly watch: () => (busy: boolean | null) => void;
  /** How many there are now. */
  readonly most: () => number;
}

/** So many busy replies among the latest, and more than one in three, halve the lanes: weather is rarer. */
const [latest, fewBusy, shareBusy] = [12, 3, 1 / 3];
/** So many other replies in a row open one more; twice as many each time that it was one too many. */
const [firstSeries, longestSeries] = [20, 160];

export function createLanes(count: number, least = 1): Lanes {
  const slots = createWide(count);
  let series = firstSeries;
  let recent: boolean[] = [];
  let inRow = 0;
  let halvings = 0;
  let isWider = false;

  const changeTo = (most: number): void => {
    slots.set(most);
    recent = [];
    inRow = 0;
  };
  const note = (isBusy: boolean): void => {
    recent = [...recent, isBusy].slice(-latest);
    inRow = isBusy ? 0 : inRow + 1;
    const busy = recent.filter(Boolean).length;
    const most = slots.most();
    if (busy >= fewBusy && busy > recent.length * shareBusy && most > least) {
      changeTo(Math.max(least, Math.floor(most / 2)));
      halvings += 1;
      if (isWider) series = Math.min(longestSeries, series * 2);
      isWider = false;
    } else if (inRow >= series && most < count) {
      changeTo(most + 1);
      isWider = true;
    }
  };

  return {
    take: slots.take,
    watch: () => {
      const begun = halvings;
      return (isBusy) => {
        // What was sent before the lanes became fewer says nothing of the fewer ones.
        if (isBusy !== null && begun === halvings) note(isBusy);
      };
    },
    most: slots.most,
  };
}
