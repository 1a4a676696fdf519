import {
  coveredBy,
  createIndex,
  gramsIn,
  type Index,
  keyAt,
  keysOf,
  type Needle,
  shortestPiece,
} from './gram-index.ts';

/** A place where a needle stands, or a piece of one. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  /** The needle that stands there whole; absent for a piece. */
  readonly whole?: Needle;
}

/** Searches texts for all needles at once, in a time that depends on the length of the text alone. */
export interface Grams {
  /** @param isCut whether the text may break off within a needle: then its beginning at the end is found, too */
  readonly scan: (bytes: Uint8Array, isCut: boolean) => readonly Hit[];
  /** The label of what stands at a place. */
  readonly label: (bytes: Uint8Array, hit: Hit) => string;
  /** A text of fewer bytes holds nothing; infinite where there are no needles. */
  readonly shortest: number;
}

/** So many bytes in a row are never chance, however much longer their needle is. */
const longestChance = 48;

/** How many bytes of a needle stand at a place, from its beginning. */
function lengthAt({ bytes: wanted }: Needle, bytes: Uint8Array, start: number): number {
  let length = 0;
  while (length < wanted.length && bytes[start + length] === wanted[length]) length += 1;
  return length;
}

/** Bytes in a row of which each four stand in a needle, with the slots of these. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly slots: readonly number[];
}

/** A needle that begins at a place, and stands there so far. */
interface Begun {
  readonly start: number;
  readonly end: number;
  readonly needle: Needle;
}

/** What of needles stands in a text: pieces, and beginnings of those that are compared whole. */
function partsIn(
  { owners, begun, stride, mayFind, find }: Index,
  bytes: Uint8Array,
): readonly (Run | Begun)[] {
  const slotAt = (at: number): number => find(keyAt(bytes, at));
  const parts: (Run | Begun)[] = [];
  let runEnd = 0;
  for (let at = coveredBy(1) - 1; at < bytes.length; at += stride) {
    const key = keyAt(bytes, at);
    if (!mayFind(key)) continue;
    const slot = find(key);
    if (slot < 0) continue;
    for (const { needle, behind } of begun.get(slot) ?? []) {
      const start = at - coveredBy(1) + 1 - behind;
      const length = start < 0 ? 0 : lengthAt(needle, bytes, start);
      if (length >= Math.min(shortestPiece, needle.bytes.length))
        parts.push({ start, end: start + length, needle });
    }
    if (at < runEnd || !owners.has(slot)) continue;
    let first = at;
    while (first > coveredBy(1) - 1 && owners.has(slotAt(first - 1))) first -= 1;
    const slots: number[] = [];
    for (let each = first; each < bytes.length; each += 1) {
      const next = slotAt(each);
      if (!owners.has(next)) break;
      slots.push(next);
    }
    const start = first - coveredBy(1) + 1;
    const end = start + coveredBy(slots.length);
    if (end - start >= shortestPiece) parts.push({ start, end, slots });
    runEnd = end;
  }
  return parts;
}

/** Weighs the pieces of needles in one text, and tells which needles stand there with enough of them. */
function createScales({ pieced, owners }: Index) {
  const seen = new Set<number>();
  const weights = new Map<number, number>();
  const accepted = new Set<number>();
  const weigh = (slot: number): void => {
    if (seen.has(slot)) return;
    seen.add(slot);
    for (const { needle, times } of owners.get(slot) ?? [])
      weights.set(needle, (weights.get(needle) ?? 0) + times);
  };
  const has = (slot: number, wanted: number): boolean =>
    owners.get(slot)?.some(({ needle }) => needle === wanted) ?? false;
  const add = ({ slots }: Run): void => {
    for (const slot of slots) weigh(slot);
    const some = slots.slice(0, gramsIn(longestChance));
    if (some.length < gramsIn(longestChance)) return;
    for (const { needle } of owners.get(some[0] ?? -1) ?? [])
      if (!accepted.has(needle) && some.every((slot) => has(slot, needle))) accepted.add(needle);
  };
  const close = (): void => {
    for (const [needle, weight] of weights) {
      const { share = 1, bytes = [] } = pieced[needle] ?? {};
      if (weight >= share * gramsIn(bytes.length)) accepted.add(needle);
    }
  };
  const isEnough = ({ slots }: Run): boolean =>
    owners.get(slots[0] ?? -1)?.some(({ needle }) => accepted.has(needle)) ?? false;
  return { add, close, isEnough };
}

export function createGrams(needles: readonly Needle[]): Grams {
  const index = createIndex(needles);
  const { owners, pieced, firsts, find } = index;

  const scan: Grams['scan'] = (bytes, isCut) => {
    const parts = partsIn(index, bytes);
    if (parts.length === 0) return [];
    const hits: Hit[] = [];
    const runs: Run[] = [];
    const scales = createScales(index);
    const isCutAt = (end: number): boolean => isCut && end === bytes.length;
    for (const part of parts) {
      const { start, end } = part;
      if ('slots' in part) {
        runs.push(part);
        scales.add(part);
      } else if (end - start === part.needle.bytes.length || isCutAt(end))
        hits.push({ start, end, whole: part.needle });
    }
    scales.close();
    const found = runs.filter(
      (run) => scales.isEnough(run) || (isCutAt(run.end) && firsts.has(run.slots[0] ?? -1)),
    );
    return [...hits, ...found];
  };

  const label: Grams['label'] = (bytes, { start, end, whole }) => {
    if (whole) return whole.label;
    const counts = new Map<number, number>();
    for (const key of keysOf(bytes.subarray(start, end)))
      for (const { needle } of owners.get(find(key)) ?? []) counts.set(needle, (counts.get(needle) ?? 0) + 1);
    const length = (needle: number): number => pieced[needle]?.bytes.length ?? 0;
    const [best] = [...counts].sort((a, b) => b[1] - a[1] || length(a[0]) - length(b[0]));
    return pieced[best?.[0] ?? 0]?.label ?? '';
  };

  return {
    scan,
    label,
    shortest: Math.min(
      ...needles.map(({ share, bytes }) => Math.min(longestChance, Math.ceil(share * bytes.length))),
    ),
  };
}
