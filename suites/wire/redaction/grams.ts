import {
  coveredBy,
  createIndex,
  gramsIn,
  type Index,
  keyAt,
  type Needle,
  shortestPiece,
} from './gram-index.ts';
import { folded } from './views.ts';

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

/** A place where a needle stands, or a piece of one. */
export type Hit = Run | Begun;

/** Searches texts for all needles at once, in a time that depends on the length of the text alone. */
export interface Grams {
  /** @param isCut whether the text may break off within a needle: then its beginning at the end is found, too */
  readonly scan: (bytes: Uint8Array, isCut: boolean) => readonly Hit[];
  readonly label: (hit: Hit) => string;
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

/** What of needles stands in a text: pieces, and beginnings of those that are compared whole. */
function partsIn({ owners, begun, stride, mayFind, find }: Index, bytes: Uint8Array): readonly Hit[] {
  const slotAt = (at: number): number => find(keyAt(bytes, at));
  const parts: Hit[] = [];
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

/** Where the first of so many letters and digits stands, of which the last one stands at a place. */
function signsBack(bytes: Uint8Array, last: number, count: number): number {
  let at = last;
  for (let left = count - 1; left > 0 && at > 0; ) {
    at -= 1;
    if (folded[bytes[at] ?? 0] !== 0) left -= 1;
  }
  return at;
}

/** The same in the letters and digits of a text, in lower case, whatever stands between them. */
function foldedPartsIn({ mayFind, find }: Index, bytes: Uint8Array): readonly Hit[] {
  const parts: Hit[] = [];
  let [key, start, end] = [0, 0, 0];
  let slots: number[] = [];
  const close = (): void => {
    if (coveredBy(slots.length) >= shortestPiece) parts.push({ start, end, slots });
    slots = [];
  };
  for (let at = 0; at < bytes.length; at += 1) {
    const sign = folded[bytes[at] ?? 0] ?? 0;
    if (sign === 0) continue;
    key = (key << 8) | sign;
    const slot = mayFind(key) ? find(key) : -1;
    if (slot >= 0) {
      if (slots.length === 0) start = signsBack(bytes, at, coveredBy(1));
      slots.push(slot);
      end = at + 1;
    } else if (slots.length > 0) close();
  }
  // Behind its last letter a text may break off, too.
  end = bytes.length;
  close();
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

/** @param isFolded whether needles are letters and digits in lower case, and looked for in those of a text */
export function createGrams(needles: readonly Needle[], isFolded: boolean): Grams {
  const index = createIndex(needles, !isFolded);
  const { owners, pieced, firsts } = index;
  const partsOf = isFolded ? foldedPartsIn : partsIn;

  const scan: Grams['scan'] = (bytes, isCut) => {
    const parts = needles.length === 0 ? [] : partsOf(index, bytes);
    if (parts.length === 0) return [];
    const scales = createScales(index);
    for (const part of parts) if ('slots' in part) scales.add(part);
    scales.close();
    return parts.filter((part) => {
      const isCutHere = isCut && part.end === bytes.length;
      return 'slots' in part
        ? scales.isEnough(part) || (isCutHere && firsts.has(part.slots[0] ?? -1))
        : isCutHere || part.end - part.start === part.needle.bytes.length;
    });
  };

  const label: Grams['label'] = (hit) => {
    if ('needle' in hit) return hit.needle.label;
    const counts = new Map<number, number>();
    for (const slot of hit.slots)
      for (const { needle } of owners.get(slot) ?? []) counts.set(needle, (counts.get(needle) ?? 0) + 1);
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
