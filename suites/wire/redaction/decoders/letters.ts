import { createWriter, type Decoder } from '../views.ts';

/** More than this between two characters belongs to no list, in bytes. */
const longestGap = 16;

/** Where a list ends. */
const closing = /[\]})\xff]/;

const isQuote = (byte: number | undefined): boolean => byte === 0x22 || byte === 0x27 || byte === 0x60;

/** Whether what ends before a place is the name of a member. */
const isName = (bytes: Buffer, end: number): boolean => bytes[bytes[end] === 0x20 ? end + 1 : end] === 0x3a;

/** How many bytes of UTF-8 begin with one. */
const lengthFrom = (byte: number): number => (byte < 0xc2 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);

/** Lists of single characters in quotes, as arrays of strings print themselves. */
export const letters: Decoder = (view, { shortest }) => {
  const { bytes } = view;
  const writer = createWriter();
  let before = 0;
  for (let at = 0; at + 2 < bytes.length; at += 1) {
    const quote = bytes[at];
    if (!isQuote(quote)) continue;
    const end = at + 1 + lengthFrom(bytes[at + 1] ?? 0);
    if (bytes[end] !== quote || isName(bytes, end + 1)) continue;
    if (at - before > longestGap || closing.test(bytes.toString('latin1', before + 1, at)))
      writer.put(0xff, at, at);
    writer.copy(bytes, at + 1, end);
    at = end;
    before = end;
  }
  return writer.length() < shortest ? [] : [writer.view(view, view.kind, true)];
};
