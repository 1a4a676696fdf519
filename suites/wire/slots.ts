/** Lets so many through at once; the others wait in the order they came. */
export interface Slots {
  /** Resolves when a slot is free; the function it gives frees it again. */
  readonly take: () => Promise<() => void>;
}

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  const give = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const take = async (): Promise<() => void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return give;
  };
  return { take };
}
