/** 1.96: the quantile of a normal distribution that leaves 2.5 % on either side. */
const z = 1.959_964;

/** The 95 % interval of a share by Wilson, which holds for few trials and for shares near 0 and 1, too. */
export function wilson(hits: number, trials: number): readonly [number, number] {
  if (trials === 0) return [0, 1];
  const share = hits / trials;
  const spread = 1 + (z * z) / trials;
  const middle = share + (z * z) / (2 * trials);
  const reach = z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  return [Math.max(0, (middle - reach) / spread), Math.min(1, (middle + reach) / spread)];
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** `61 of 80 (76.3 %, 65.9 % to 84.2 %)`. */
export function shareOf(hits: number, trials: number): string {
  if (trials === 0) return 'none';
  const [low, high] = wilson(hits, trials);
  return `${hits} of ${trials} (${percent(hits / trials)}, ${percent(low)} to ${percent(high)})`;
}
