import { createWriter, type Decoder, type View } from '../views.ts';

// Escapes of URL, JSON, JavaScript, Python, Go, HTML, Markdown and UTF-7, and characters that nobody sees.

const [percent, backslash, ampersand, plus, letterU, quote] = [0x25, 0x5c, 0x26, 0x2b, 0x75, 0x22];

/** How often one escape may stand in another. */
const mostTimes = 8;

/** What a backslash and a letter or a mark stand for; 0 where more belongs to it, or nothing. */
const simple = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  const control = { n: 10, r: 13, t: 9, b: 8, f: 12, v: 11, a: 7 }[char];
  return control ?? (/[!-$'-/:-@[-`{-~]/.test(char) ? byte : 0);
});

const named: Readonly<Record<string, number>> = { amp: 0x26, lt: 0x3c, gt: 0x3e, quot: 0x22, apos: 0x27 };

/** Bytes at which something else may begin that is not what it looks like. */
const isSpecial = new Uint8Array(256);
for (const byte of [0, percent, ampersand, plus, 0xc2, 0xe2, 0xef]) isSpecial[byte] = 1;

/** Zero-width characters, the soft hyphen and the byte order mark, as bytes of UTF-8. */
const unseen: readonly number[] = [0xc2ad, 0xe2808b, 0xe2808c, 0xe2808d, 0xe281a0, 0xefbbbf];

/** An escape: its length, and the bytes or the character that it stands for; without both it is left out. */
interface Escape {
  readonly length: number;
  readonly byte?: number;
  readonly code?: number;
}

/** Digits of a base at a place of the text; -1 where there are others. */
function digitsAt(text: string, from: number, count: number, base = 16): number {
  const digits = text.slice(from, from + count);
  const value = /^[0-9a-fA-F]+$/.test(digits) && digits.length === count ? Number.parseInt(digits, base) : -1;
  return Number.isNaN(value) ? -1 : value;
}

/** As many digits as the forms of an escape have, and what they are. */
function numeric(text: string, from: number, count: number, as: 'byte' | 'code'): Escape | undefined {
  const value = digitsAt(text, from, count);
  return value < 0 ? undefined : { length: from + count, [as]: value };
}

/** @param text what stands from the backslash on, a few characters */
function afterBackslash(text: string): Escape | undefined {
  const [, second = '', third] = text;
  if (second === 'x') return numeric(text, 2, 2, 'byte');
  if (second === 'u' && third === '{') {
    const [whole = '', digits = ''] = /^\\u\{([0-9a-fA-F]{1,6})\}/.exec(text) ?? [];
    return whole === '' ? undefined : { length: whole.length, code: Number.parseInt(digits, 16) };
  }
  if (second === 'u') {
    const high = digitsAt(text, 2, 4);
    const low = text.slice(6, 8) === '\\u' ? digitsAt(text, 8, 4) : -1;
    const isPair = (high & 0xfc00) === 0xd800 && low >= 0 && (low & 0xfc00) === 0xdc00;
    if (isPair) return { length: 12, code: 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff) };
    return high < 0 ? undefined : { length: 6, code: high };
  }
  if (second === 'U') return numeric(text, 2, 8, 'code');
  const [octal] = /^\\[0-3]?[0-7]{1,2}/.exec(text) ?? [];
  return octal === undefined ? undefined : { length: octal.length, byte: Number.parseInt(octal.slice(1), 8) };
}

function afterAmpersand(text: string): Escape | undefined {
  const [whole = '', hex, decimal, name = ''] =
    /^&(?:#[xX]([0-9a-fA-F]{1,8});?|#(\d{1,8});?|(amp|lt|gt|quot|apos);)/.exec(text) ?? [];
  if (whole === '') return undefined;
  const code = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : named[name];
  return { length: whole.length, ...(code === undefined ? {} : { code }) };
}

/** A plus of UTF-7, or one character of ASCII that means something else there; base64 may hold the same, and goes on. */
function afterPlus(text: string): Escape | undefined {
  const [whole = '', base64] = /^\+(?:-|(A[A-H][AEIMQUYcgkosw048])(?:-|(?![\w+/=])))/.exec(text) ?? [];
  if (whole === '') return undefined;
  const code = base64 === undefined ? plus : Buffer.from(base64, 'base64').readUInt16BE(0);
  return { length: whole.length, code };
}

/** The longest escape, in characters. */
const longest = 12;

function escapeAt(bytes: Buffer, at: number): Escape | undefined {
  const byte = bytes[at];
  if (byte === 0) return { length: 1 };
  const next = bytes[at + 1] ?? 0;
  if (byte !== undefined && byte >= 0xc2) {
    const length = byte === 0xc2 ? 2 : 3;
    return at + length <= bytes.length && unseen.includes(bytes.readUIntBE(at, length))
      ? { length }
      : undefined;
  }
  const text = bytes.toString('latin1', at, Math.min(bytes.length, at + longest));
  if (byte === backslash) return afterBackslash(text);
  if (byte === ampersand) return afterAmpersand(text);
  if (byte === plus) return afterPlus(text);
  return next === letterU ? numeric(text, 2, 4, 'code') : numeric(text, 1, 2, 'byte');
}

/** Behind the backslashes at a place: where JSON lies in JSON, an escape has several. */
function behindBackslashes(bytes: Buffer, at: number): number {
  let end = at;
  while (bytes[end] === backslash) end += 1;
  return end;
}

/** The escape that begins at a place. Marks between tokens stay as they are, unless they are looked for. */
function meantAt(bytes: Buffer, at: number, hasMarks: boolean): Escape | undefined {
  if (bytes[at] === ampersand && bytes[at + 1] !== 0x23 && !hasMarks) return undefined;
  if (bytes[at] !== backslash) return escapeAt(bytes, at);
  // A mark that is a backslash needs each of them undone in its turn.
  if (hasMarks && bytes[at + 1] === backslash) return { length: 2, byte: backslash };
  const end = behindBackslashes(bytes, at);
  const next = bytes[end] ?? 0;
  if (next === quote && !hasMarks) return undefined;
  const byte = simple[next] ?? 0;
  if (byte !== 0) return { length: end + 1 - at, byte };
  const found = escapeAt(bytes, end - 1);
  return found && { ...found, length: end - 1 - at + found.length };
}

/** The next place at which an escape with a backslash may begin, or another one; the end of the text where there is none. */
function nextSpecial(bytes: Buffer, from: number, kind: 'backslash' | 'other'): number {
  if (kind === 'backslash') {
    const found = bytes.indexOf(backslash, from);
    return found < 0 ? bytes.length : found;
  }
  let at = from;
  while (at < bytes.length && isSpecial[bytes[at] ?? 0] === 0) at += 1;
  return at;
}

/** Each escape of a kind undone once; undefined where there is none. */
function undone(view: View, kind: 'backslash' | 'other', hasMarks: boolean): View | undefined {
  const { bytes } = view;
  let writer: ReturnType<typeof createWriter> | undefined;
  let copied = 0;
  for (let at = nextSpecial(bytes, 0, kind); at < bytes.length; ) {
    const found = meantAt(bytes, at, hasMarks);
    if (found === undefined) {
      at = nextSpecial(bytes, Math.max(at + 1, behindBackslashes(bytes, at)), kind);
      continue;
    }
    writer ??= createWriter();
    writer.copy(bytes, copied, at);
    copied = at + found.length;
    if (found.byte !== undefined) writer.put(found.byte, at, copied);
    else if (found.code !== undefined && found.code <= 0x10ffff)
      for (const each of Buffer.from(String.fromCodePoint(found.code))) writer.put(each, at, copied);
    at = nextSpecial(bytes, copied, kind);
  }
  writer?.copy(bytes, copied, bytes.length);
  return writer?.view(view);
}

/** What a text says once its escapes are undone, step by step: those with a backslash first, which others may stand in. */
export function unescaped(view: View, hasMarks: boolean): readonly View[] {
  const views: View[] = [];
  for (let last: View | undefined = view; last !== undefined && views.length < mostTimes; ) {
    last = undone(last, 'backslash', hasMarks) ?? undone(last, 'other', hasMarks);
    if (last !== undefined) views.push(last);
  }
  return views;
}

/** The next place at which a byte or a line end of quoted-printable stands; -1 where there is none. */
function quotedFrom(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0x3d, from); at >= 0; at = bytes.indexOf(0x3d, at + 1))
    if (/^=(?:[0-9a-fA-F]{2}|\r?\n)/.test(bytes.toString('latin1', at, at + 3))) return at;
  return -1;
}

/** So much of a text around what is quoted is read with it, in bytes: no line is longer. */
const aroundQuoted = 128;

/** Quoted-printable: its bytes, and lines that go on; what is far from both says nothing else. */
export const quotedPrintable: Decoder = (view) => {
  const { bytes } = view;
  const first = quotedFrom(bytes, 0);
  if (first < 0) return [];
  const writer = createWriter();
  let copied = 0;
  for (let at = first; at >= 0; at = quotedFrom(bytes, copied)) {
    if (at - copied > 2 * aroundQuoted) {
      // Nothing stands in both.
      if (copied > 0) writer.copy(bytes, copied, copied + aroundQuoted);
      writer.put(0xff, at - aroundQuoted, at - aroundQuoted);
      copied = at - aroundQuoted;
    }
    writer.copy(bytes, copied, at);
    const text = bytes.toString('latin1', at, at + 3);
    const { length = 0, byte } = numeric(text, 1, 2, 'byte') ?? { length: text.indexOf('\n') + 1 };
    if (byte !== undefined) writer.put(byte, at, at + length);
    copied = at + length;
  }
  writer.copy(bytes, copied, Math.min(bytes.length, copied + aroundQuoted));
  return [writer.view(view)];
};
