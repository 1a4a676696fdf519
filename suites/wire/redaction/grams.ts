import {
  coveredBy,
  createIndex,
  gramsIn,
  type Index,
  gramAt,
  nextGram,
  type Needle,
  shortestPiece,
} from './gram-index.ts';
import { folded } from './views.ts';

/** Bytes in a row of which each four stand in a needle, with these. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly grams: readonly number[];
}

/** A needle that begins at a place, and stands there so far. */
interface Begun {
  readonly start: number;
  readonly end: number;
  readonly needle: Needle;
}

/** A place where a needle stands, or a piece of one. */
export type Hit = Run | Begun;

/** So many bytes in a row are never chance, however much longer their needle is. */
const longestChance = 48;

/** How many bytes of a needle stand at a place, from its beginning. */
function lengthAt({ bytes: wanted }: Needle, bytes: Uint8Array, start: number): number {
  let length = 0;
  while (length < wanted.length && bytes[start + length] === wanted[length]) length += 1;
  return length;
}

/** What of needles stands in a text: pieces, and beginnings of those that are compared whole. */
function partsIn({ sieve, stride, owners, begun }: Index, bytes: Uint8Array): readonly Hit[] {
  const parts: Hit[] = [];
  let runEnd = 0;
  const next = (from: number): number => nextGram(sieve, bytes, from, stride);
  for (let at = next(coveredBy(1) - 1); at >= 0; at = next(at + stride)) {
    const gram = gramAt(bytes, at);
    for (const { needle, behind } of begun.get(gram) ?? []) {
      const start = at - coveredBy(1) + 1 - behind;
      const length = start < 0 ? 0 : lengthAt(needle, bytes, start);
      if (length >= Math.min(shortestPiece, needle.bytes.length))
        parts.push({ start, end: start + length, needle });
    }
    if (at < runEnd || !owners.has(gram)) continue;
    let first = at;
    while (first > coveredBy(1) - 1 && owners.has(gramAt(bytes, first - 1))) first -= 1;
    const grams: number[] = [];
    for (runEnd = first; runEnd < bytes.length; runEnd += 1) {
      const each = gramAt(bytes, runEnd);
      if (!owners.has(each)) break;
      grams.push(each);
    }
    const start = first - coveredBy(1) + 1;
    if (runEnd - start >= shortestPiece) parts.push({ start, end: runEnd, grams });
  }
  return parts;
}

/** Puts the letters and digits of a text one after another, in lower case, and counts them. */
function putLetters(bytes: Uint8Array, into: Uint8Array): number {
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const letter = folded[bytes[at] ?? 0] ?? 0;
    into[length] = letter;
    if (letter !== 0) length += 1;
  }
  return length;
}

/** Where they are put; it is as long as the longest text so far. */
let room = Buffer.alloc(4096);

/** Hits in the letters and digits of a text as hits in that text; they are in the order of their beginnings. */
function placedIn(bytes: Uint8Array, hits: readonly Hit[]): readonly Hit[] {
  let [at, letters] = [0, 0];
  /** Where the letter with this number stands, counted from 0. */
  const placeOf = (number: number): number => {
    for (; at < bytes.length; at += 1) {
      if (folded[bytes[at] ?? 0] === 0) continue;
      if (letters === number) break;
      letters += 1;
    }
    return at;
  };
  return hits.map((hit) => {
    if (hit.start < letters) [at, letters] = [0, 0];
    const start = placeOf(hit.start);
    return { ...hit, start, end: placeOf(hit.end - 1) + 1 };
  });
}

/** Weighs the pieces of needles in one text, and tells which needles stand there with enough of them. */
function createScales({ pieced, owners }: Index) {
  const seen = new Set<number>();
  const weights = new Map<number, number>();
  const accepted = new Set<number>();
  const weigh = (gram: number): void => {
    if (seen.has(gram)) return;
    seen.add(gram);
    for (const { needle, times } of owners.get(gram) ?? [])
      weights.set(needle, (weights.get(needle) ?? 0) + times);
  };
  const has = (gram: number, wanted: number): boolean =>
    owners.get(gram)?.some(({ needle }) => needle === wanted) ?? false;
  const add = ({ grams }: Run): void => {
    for (const gram of grams) weigh(gram);
    const some = grams.slice(0, gramsIn(longestChance));
    if (some.length < gramsIn(longestChance)) return;
    for (const { needle } of owners.get(some[0] ?? -1) ?? [])
      if (!accepted.has(needle) && some.every((gram) => has(gram, needle))) accepted.add(needle);
  };
  const close = (): void => {
    for (const [needle, weight] of weights) {
      const { share = 1, bytes = [] } = pieced[needle] ?? {};
      if (weight >= share * gramsIn(bytes.length)) accepted.add(needle);
    }
  };
  const isEnough = ({ grams }: Run): boolean =>
    owners.get(grams[0] ?? -1)?.some(({ needle }) => accepted.has(needle)) ?? false;
  return { add, close, isEnough };
}

/** Searches texts for all needles at once, in a time that depends on the text alone. `isFolded`: letters and digits in lower case. */
export function createGrams(needles: readonly Needle[], isFolded: boolean) {
  const index = createIndex(needles);
  const { owners, pieced, firsts } = index;

  const hitsIn = (bytes: Uint8Array, isCut: boolean): readonly Hit[] => {
    const parts = partsIn(index, bytes);
    if (parts.length === 0) return [];
    const scales = createScales(index);
    for (const part of parts) if ('grams' in part) scales.add(part);
    scales.close();
    return parts.filter((part) => {
      const isCutHere = isCut && part.end === bytes.length;
      return 'grams' in part
        ? scales.isEnough(part) || (isCutHere && firsts.has(part.grams[0] ?? -1))
        : isCutHere || part.end - part.start === part.needle.bytes.length;
    });
  };
  /** @param isCut whether the text may break off within a needle: then its beginning at the end is found, too */
  const scan = (bytes: Uint8Array, isCut: boolean): readonly Hit[] => {
    if (needles.length === 0) return [];
    if (!isFolded) return hitsIn(bytes, isCut);
    if (room.length < bytes.length) room = Buffer.alloc(2 * bytes.length);
    const hits = hitsIn(room.subarray(0, putLetters(bytes, room)), isCut);
    return hits.length === 0 ? [] : placedIn(bytes, hits);
  };

  const label = (hit: Hit): string => {
    if ('needle' in hit) return hit.needle.label;
    const counts = new Map<number, number>();
    for (const gram of hit.grams)
      for (const { needle } of owners.get(gram) ?? []) counts.set(needle, (counts.get(needle) ?? 0) + 1);
    const length = (needle: number): number => pieced[needle]?.bytes.length ?? 0;
    const [best] = [...counts].sort((a, b) => b[1] - a[1] || length(a[0]) - length(b[0]));
    return pieced[best?.[0] ?? 0]?.label ?? '';
  };

  return {
    scan,
    label,
    /** A text of fewer bytes holds nothing; infinite where there are no needles. */
    shortest: Math.min(
      ...needles.map(({ share, bytes }) => Math.min(longestChance, Math.ceil(share * bytes.length))),
    ),
  };
}
