/** The first of so many places in order from which on something is so; their number where it is so of none. */
export function firstFrom(places: number, isSo: (place: number) => boolean): number {
  let [low, high] = [0, places];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
