/** A share with its 95 % confidence interval, from 0 to 1. */
export interface Share {
  readonly seen: number;
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

/** The quantile of the normal distribution that 95 % lie within, on both sides. */
const z = 1.959964;

/** How often something was seen, with the interval of Wilson, which holds for few and for shares near 0 and 1, too. */
export function shareOf(seen: number, of: number): Share {
  if (of === 0) return { seen, of, low: 0, high: 1 };
  const share = seen / of;
  const scale = 1 + z ** 2 / of;
  const middle = (share + z ** 2 / (2 * of)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  return { seen, of, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
