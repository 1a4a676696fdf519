import { textBytes, headBytes } from './decoded.ts';

/** An encoding that writes a few bytes as a few digits of a base; the first is the highest. */
export type Alphabet = ReturnType<typeof alphabet>;

/** @param digits those of a group, which stand for `size` bytes */
function alphabet(base: number, digits: number, size: number, ...sets: readonly string[]) {
  const values = new Int8Array(256).fill(-1);
  for (const set of sets) for (const [value, char] of [...set].entries()) values[char.charCodeAt(0)] = value;
  const begins = (firsts: Uint8Array): Int8Array => {
    const digitOf = (byte: number): number => Math.floor((byte * 256 ** (size - 1)) / base ** (digits - 1));
    const isFirst = new Array<boolean>(base + 1).fill(false);
    for (const [byte, is] of firsts.entries())
      if (is === 1) isFirst.fill(true, digitOf(byte), digitOf(byte + 1 - 1e-9) + 1);
    return Int8Array.from(values, (value) => (isFirst[value] === true ? 1 : 0));
  };
  return {
    base,
    digits,
    size,
    /** What each character counts; the base itself for one that stands for a group of zeros. */
    values,
    /** For each character whether a group begins with it whose first byte is one of text, of text in ASCII, or of a head. */
    begins: {
      text: begins(textBytes({ isAscii: false })),
      ascii: begins(textBytes({ isAscii: true })),
      head: begins(headBytes),
    },
    /** Whether its characters are most of ASCII. */
    isWide: false as boolean,
    /** Whether each line begins with its length, as one character. */
    hasLengths: false as boolean,
  };
}

const numerals = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const small = letters.toLowerCase();
const row = (first: string, count: number): string =>
  [...Array(count).keys()].map((at) => String.fromCharCode(first.charCodeAt(0) + at)).join('');

/** What ROT13 makes of each byte. */
export const rotated = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[a-z]/i.test(String.fromCharCode(byte)) ? (((byte & 0x1f) + 12) % 26) + 1 + (byte & 0xe0) : byte,
);

/** An alphabet, and the same in ROT13. */
function bothOf(of: Alphabet): readonly Alphabet[] {
  const turned = (table: Int8Array) => Int8Array.from(rotated, (byte) => table[byte] ?? 0);
  const { text, ascii, head } = of.begins;
  const begins = { text: turned(text), ascii: turned(ascii), head: turned(head) };
  return [of, { ...of, values: turned(of.values), begins }];
}

/** Hex and base32, also in ROT13. */
export const smaller = [
  alphabet(16, 2, 1, `${numerals}abcdef`, `${numerals}ABCDEF`),
  ...[letters, small].flatMap((each) => [
    alphabet(32, 8, 5, `${each}234567`),
    alphabet(32, 8, 5, `${numerals}${each.slice(0, 22)}`),
  ]),
].flatMap(bothOf);

/** Base64, also in ROT13: its characters are the same. */
export const bases64 = bothOf(
  alphabet(64, 4, 3, `${letters}${small}${numerals}+/`, `${letters}${small}${numerals}-_`),
);

/** Uuencoding, ascii85, and base85 of RFC 1924 and of ZeroMQ: their characters are most of ASCII, also those of escapes. */
export const wide = [
  { ...alphabet(64, 4, 3, row(' ', 64), `\`${row('!', 63)}`), hasLengths: true },
  alphabet(85, 5, 4, `${row('!', 85)}z`),
  alphabet(85, 5, 4, `${numerals}${letters}${small}!#$%&()*+-;<=>?@^_\`{|}~`),
  alphabet(85, 5, 4, `${numerals}${small}${letters}.-:+=^!/*?&<>()[]{}@%$#`),
].map((each): Alphabet => ({ ...each, isWide: true }));
