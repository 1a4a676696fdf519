/** What is searched for. */
export interface Needle {
  readonly label: string;
  readonly bytes: Buffer;
  /** How much of it must stand in a text, in pieces of `shortestPiece` or more, for these to be found; 1 is all of it. */
  readonly share: number;
}

/** A needle that has a gram, by its place among those that are found in pieces, and how often. */
export interface Owner {
  readonly needle: number;
  readonly times: number;
}

/** Bytes that are looked up at once: a gram. */
const gramSize = 4;

/** A shorter piece stands in any text by chance, in bytes. */
export const shortestPiece = 8;

/** Up to this length, in bytes, a needle is compared whole; a longer one is found by its pieces. */
const longestCompared = 64;

export const gramsIn = (length: number): number => Math.max(0, length - gramSize + 1);

/** The bytes that so many grams in a row cover. */
export const coveredBy = (grams: number): number => grams + gramSize - 1;

/** The gram that ends at a place; a bound of the text is for the caller to mind. */
export const gramAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at - 3] ?? 0) << 24) |
  ((bytes[at - 2] ?? 0) << 16) |
  ((bytes[at - 1] ?? 0) << 8) |
  (bytes[at] ?? 0);

const gramsOf = (bytes: Uint8Array): Int32Array =>
  Int32Array.from({ length: gramsIn(bytes.length) }, (_, at) => gramAt(bytes, at + gramSize - 1));

/** Bits that tell for each gram whether it may be one of some: most others are none. */
interface Sieve {
  readonly bits: Uint8Array;
  readonly shift: number;
}

/** For so many grams, of which each has so many bits that no other one need share. */
function createSieve(grams: number): Sieve {
  const size = Math.min(24, Math.max(10, Math.ceil(Math.log2(grams * 16 + 1))));
  return { bits: new Uint8Array(2 ** (size - 3)), shift: 32 - size };
}

const bitOf = ({ shift }: Sieve, gram: number): number => Math.imul(gram, 0x9e3779b1) >>> shift;

function put(sieve: Sieve, gram: number): void {
  const bit = bitOf(sieve, gram);
  sieve.bits[bit >>> 3] = (sieve.bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
}

/** The next place at which a gram may end, in steps from another; -1 where there is none. One look at each. */
export function nextGram(sieve: Sieve, bytes: Uint8Array, from: number, step: number): number {
  const { bits } = sieve;
  for (let at = from; at < bytes.length; at += step) {
    const bit = bitOf(sieve, gramAt(bytes, at));
    if ((((bits[bit >>> 3] ?? 0) >>> (bit & 7)) & 1) === 1) return at;
  }
  return -1;
}

/** Which needles have which four bytes. */
export function createIndex(needles: readonly Needle[]) {
  const isWhole = ({ share, bytes }: Needle): boolean => share === 1 && bytes.length <= longestCompared;
  const [compared, pieced] = [needles.filter(isWhole), needles.filter((needle) => !isWhole(needle))];
  /** Only every so many places of a text are looked at: no piece fits in between. */
  const stride = Math.min(gramsIn(shortestPiece), ...compared.map(({ bytes }) => gramsIn(bytes.length)));

  /** The needles that are found in pieces, by each of their grams. */
  const owners = new Map<number, Owner[]>();
  /** Grams that such a needle begins with. */
  const firsts = new Set<number>();
  for (const [needle, { bytes }] of pieced.entries()) {
    const all = gramsOf(bytes);
    const counts = new Map<number, number>();
    for (const gram of all) counts.set(gram, (counts.get(gram) ?? 0) + 1);
    for (const [gram, times] of counts) {
      const known = owners.get(gram);
      if (known) known.push({ needle, times });
      else owners.set(gram, [{ needle, times }]);
    }
    firsts.add(all[0] ?? 0);
  }

  /** Needles to be compared where a gram stands, so many bytes behind their beginning. */
  const begun = new Map<number, { readonly needle: Needle; readonly behind: number }[]>();
  for (const needle of compared)
    for (const [behind, gram] of gramsOf(needle.bytes).subarray(0, stride).entries())
      begun.set(gram, [...(begun.get(gram) ?? []), { needle, behind }]);

  const sieve = createSieve(owners.size + begun.size);
  for (const gram of [...owners.keys(), ...begun.keys()]) put(sieve, gram);
  return { sieve, stride, pieced, owners, firsts, begun };
}

export type Index = ReturnType<typeof createIndex>;
