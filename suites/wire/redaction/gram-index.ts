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

/** How many grams a text of a length has. */
export const gramsIn = (length: number): number => Math.max(0, length - gramSize + 1);

/** The bytes that so many grams in a row cover. */
export const coveredBy = (grams: number): number => grams + gramSize - 1;

/** The gram that ends at a place; a bound of the text is for the caller to mind. */
export const keyAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at - 3] ?? 0) << 24) |
  ((bytes[at - 2] ?? 0) << 16) |
  ((bytes[at - 1] ?? 0) << 8) |
  (bytes[at] ?? 0);

const keysOf = (bytes: Uint8Array): Int32Array =>
  Int32Array.from({ length: gramsIn(bytes.length) }, (_, at) => keyAt(bytes, at + gramSize - 1));

/** A set of numbers without 0, each with a slot: a look-up takes a few steps of the processor. */
function createTable(most: number) {
  const bits = Math.max(8, Math.ceil(Math.log2(most * 4 + 1)));
  const keys = new Int32Array(2 ** bits);
  const [shift, mask] = [32 - bits, keys.length - 1];
  /** Where a number stands, or may be put. */
  const slotOf = (key: number): number => {
    let slot = Math.imul(key, 0x9e3779b1) >>> shift;
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  };
  const add = (key: number): number => {
    const slot = slotOf(key);
    keys[slot] = key;
    return slot;
  };
  /** Whether a number may be there: one look, and most are not. */
  const mayFind = (key: number): boolean => keys[Math.imul(key, 0x9e3779b1) >>> shift] !== 0;
  return { keys, slotOf, add, mayFind };
}

/**
 * Which needles have which four bytes.
 * @param canCompare whether bytes of a needle stand side by side in a text
 */
export function createIndex(needles: readonly Needle[], canCompare: boolean) {
  const isWhole = ({ share, bytes }: Needle): boolean =>
    canCompare && share === 1 && bytes.length <= longestCompared;
  const [compared, pieced] = [needles.filter(isWhole), needles.filter((needle) => !isWhole(needle))];
  const { keys, slotOf, add, mayFind } = createTable(
    needles.reduce((sum, { bytes }) => sum + bytes.length, 0),
  );
  /** Only every so many places of a text are looked at: no piece fits in between. */
  const stride = Math.min(gramsIn(shortestPiece), ...compared.map(({ bytes }) => gramsIn(bytes.length)));

  /** The needles with a gram, by its slot. */
  const owners = new Map<number, Owner[]>();
  /** Slots of grams that such a needle begins with. */
  const firsts = new Set<number>();
  for (const [needle, { bytes }] of pieced.entries()) {
    const all = keysOf(bytes);
    const counts = new Map<number, number>();
    for (const key of all) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const [key, times] of counts) {
      const slot = add(key);
      const known = owners.get(slot);
      if (known) known.push({ needle, times });
      else owners.set(slot, [{ needle, times }]);
    }
    firsts.add(slotOf(all[0] ?? 0));
  }

  /** Needles to be compared where a gram stands, so many bytes behind their beginning. */
  const begun = new Map<number, { readonly needle: Needle; readonly behind: number }[]>();
  for (const needle of compared)
    for (const [behind, key] of keysOf(needle.bytes).subarray(0, stride).entries()) {
      const slot = add(key);
      begun.set(slot, [...(begun.get(slot) ?? []), { needle, behind }]);
    }
  /** The slot of a gram; -1 where no needle has it. */
  const find = (key: number): number => {
    const slot = slotOf(key);
    return keys[slot] === 0 ? -1 : slot;
  };
  return { pieced, compared, owners, firsts, begun, stride, mayFind, find };
}

export type Index = ReturnType<typeof createIndex>;
