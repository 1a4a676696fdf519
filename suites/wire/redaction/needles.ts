import { unescaped } from './decoders/escapes.ts';
import { type Needle, shortestPiece } from './gram-index.ts';
import { isMaskable } from './maskable.ts';

/** A secret with the label that stands in its place. */
export interface Labelled {
  readonly value: string;
  readonly label: string;
}

/** In a row, these may be words and numbers of ordinary text. */
const words = /[A-Z]?[a-z]{5,}|[A-Z]{6,}|\d{6,}/g;

/** Characters beside words from which on nobody writes a token by chance, not even half of it. */
const strangeEnough = 10;

/** Letters and digits, this many of them digits, from which on nobody writes all of a token by chance. */
const [longEnough, digitsEnough] = [12, 4];

/** What must stand there of a token that no text holds by chance. */
const mostOfIt = 0.6;

/** Of a longer one only so much is looked for in base85 and uuencoding, in bytes. */
const longestRendered = 1024;

const signsOf = (value: string): string => value.replace(/[^A-Za-z0-9]/g, '');

const isRandom = (value: string): boolean => signsOf(value).replace(words, '').length >= strangeEnough;

const rot13 = (text: string): string =>
  text.replace(/[a-z]/g, (char) => String.fromCharCode(((char.charCodeAt(0) - 84) % 26) + 97));

/** Letters and digits alone, in lower case: forwards, backwards, and with the alphabet turned by half. */
export function foldedNeedles({ value, label }: Labelled): readonly Needle[] {
  const signs = signsOf(value);
  const isLong = signs.length >= longEnough && signs.replace(/\D/g, '').length >= digitsEnough;
  if (!isLong && !isRandom(value)) return [];
  const plain = signs.toLowerCase();
  return [plain, [...plain].reverse().join(''), rot13(plain)].map((text) => ({
    label,
    bytes: Buffer.from(text),
    share: isRandom(value) ? mostOfIt : 1,
  }));
}

/** A few bytes as digits of a base; the first is the highest. */
function digits(bytes: Buffer, alphabet: string, count: number): string {
  let rest = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  let text = '';
  for (let left = count; left > 0; left -= 1) {
    text = (alphabet[rest % alphabet.length] ?? '') + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const from = (first: string, count: number): string =>
  [...Array(count).keys()].map((at) => String.fromCharCode(first.charCodeAt(0) + at)).join('');

/** Encodings whose alphabet is most of ASCII, so that no text can be searched for them: bytes, digits, alphabet. */
const dense: readonly (readonly [size: number, count: number, alphabet: string])[] = [
  [4, 5, from('!', 85)],
  [4, 5, `0123456789${letters}${letters.toLowerCase()}!#$%&()*+-;<=>?@^_\`{|}~`],
  [4, 5, `0123456789${letters.toLowerCase()}${letters}.-:+=^!/*?&<>()[]{}@%$#`],
  [3, 4, from(' ', 64)],
  [3, 4, `\`${from('!', 63)}`],
];

/** A secret in those, wherever it stands in something larger: what its neighbours do not change. */
function denseForms(secret: Buffer): readonly string[] {
  const bytes = secret.subarray(0, longestRendered);
  return dense.flatMap(([size, count, alphabet]) =>
    [...Array(size).keys()].map((skipped) => {
      const own = bytes.subarray(skipped);
      return [...Array(Math.floor(own.length / size)).keys()]
        .map((at) => digits(own.subarray(at * size, (at + 1) * size), alphabet, count))
        .join('');
    }),
  );
}

/** A shorter piece of a dense encoding stands in any text by chance, in characters. */
const shortestDense = 5;

/** What a secret with escapes in it reads as: they are undone in all that is searched. */
const ownReadings = (bytes: Buffer): readonly Buffer[] =>
  unescaped(
    { bytes, kind: 'text', place: (start, end) => [{ start, end }] },
    { shortest: 1, isAscii: false, hasMarks: true },
  )
    .map((view) => view.bytes)
    .filter((reading) => isMaskable(reading.toString('utf8')));

/**
 * The secret as it is, as its own escapes read, and in the encodings that are not undone.
 * @param all secrets; of those with one label, made of each other, only the first is looked for in these
 */
export function exactNeedles(
  { value, label }: Labelled,
  at: number,
  all: readonly Labelled[],
): readonly Needle[] {
  const bytes = Buffer.from(value, 'utf8');
  const share = isRandom(value) ? mostOfIt : 1;
  const isFirst = all.findIndex((each) => each.label === label) === at;
  const rendered = isFirst ? denseForms(bytes).filter((form) => form.length >= shortestDense) : [];
  return [
    ...[bytes, ...ownReadings(bytes)].map((each) => ({ label, bytes: each, share })),
    // No text holds half of them by chance, and marks in them may be escaped.
    ...rendered.map((form) => ({
      label,
      bytes: Buffer.from(form),
      share: form.length < 2 * shortestPiece ? share : mostOfIt,
    })),
  ];
}
