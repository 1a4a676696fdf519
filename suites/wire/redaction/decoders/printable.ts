import { createWriter, type Decoder, type Wanted } from '../views.ts';

/** Fewer bytes of text among others may be chance; less counts only where it is all that was decoded. */
export const shortestText = 8;

/** Between all that is decoded, and in none of it. */
const between = 0xff;

/** Of characters that nobody sees, in UTF-8. */
const unseen = [0xc2, 0xad, 0xe2, 0x80, 0x81, 0x8b, 0x8c, 0x8d, 0xa0, 0xef, 0xbb, 0xbf];

const marked = (isAscii: boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => {
    if (unseen.includes(byte)) return 1;
    const isPlain = byte === 0 || (byte >= 0x20 && byte < 0x7f) || (byte >= 9 && byte <= 13);
    return isPlain || (!isAscii && byte >= 0x80 && byte !== between) ? 1 : 0;
  });

const [ascii, any] = [marked(true), marked(false)];

/** Bytes of text that may hold what is looked for, also in UTF-16: 1 for each. */
export const textBytes = ({ isAscii }: Pick<Wanted, 'isAscii'>): Uint8Array => (isAscii ? ascii : any);

/** What of decoded bytes may be text: of a picture, next to nothing. */
export const printable: Decoder = (view, wanted) => {
  const { shortest } = wanted;
  const isText = textBytes(wanted);
  const { bytes } = view;
  const writer = createWriter();
  // No text that counts fits between two looks.
  for (let at = shortest - 1; at < bytes.length; at += shortest) {
    if (isText[bytes[at] ?? 0] === 0) continue;
    let [start, end] = [at, at];
    while (start > 0 && isText[bytes[start - 1] ?? 0] === 1) start -= 1;
    while (end < bytes.length && isText[bytes[end] ?? 0] === 1) end += 1;
    // The last bits of a run need not make a byte.
    const isLast = [end, end + 1].some((behind) => (bytes[behind] ?? between) === between);
    const isAlone = isLast && (bytes[start - 1] ?? between) === between;
    if (end - start >= (isAlone ? shortest : Math.max(shortest, shortestText))) {
      writer.copy(bytes, start, end);
      writer.put(between, end, end);
    }
    at = end - ((end - at) % shortest);
  }
  return writer.length() === 0 ? [] : [writer.view(view, view.kind, view.kind === 'numbers')];
};
