import { constants, type InflateRaw, inflateRawSync } from 'node:zlib';
import { type Decoder, type View, createWriter, type Wanted } from '../views.ts';

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

/** What gzip and zlib begin with, and how many bytes stand before and behind what is compressed. */
const heads = [
  { head: [0x1f, 0x8b, 0x08], before: 10, behind: 8 },
  ...[0x01, 0x5e, 0x9c, 0xda].map((level) => ({ head: [0x78, level], before: 2, behind: 4 })),
];

/** Whether two bytes, as one number, are what such begins with. */
export const isHead = (bytes: number): boolean =>
  heads.some(({ head: [first = 0, second = 0] }) => (bytes & 0xffff) === first * 256 + second);

/** The first bytes of these: 1 for each. */
export const headBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  heads.some(({ head: [first] }) => first === byte) ? 1 : 0,
);

/** Beginnings in one text that are tried at most. */
export const mostTried = 50;

/** Bytes that come of one at most. */
const mostBytes = 256 * 1024;

/** What stands between all that is decoded. */
export const end = Buffer.alloc(8, 0xff);

const options = { maxOutputLength: mostBytes, finishFlush: constants.Z_SYNC_FLUSH, info: true };

/** What comes of it, and the engine that tells how much it took; the types of Node know the bytes alone. */
const inflated = (bytes: Buffer): { readonly buffer: Buffer; readonly engine: InflateRaw } =>
  inflateRawSync(bytes, options) as unknown as { buffer: Buffer; engine: InflateRaw };

/** Where something compressed may begin, with how much stands around it: behind what stands between all that is decoded. */
function* beginnings({ bytes, kind }: View) {
  for (const { head, ...around } of heads)
    for (let at = bytes.indexOf(head[0] ?? 0); at >= 0; at = bytes.indexOf(head[0] ?? 0, at + 1)) {
      const isFirst = at === 0 || kind === 'numbers' || bytes[at - 1] === end[0];
      if (isFirst && head.every((byte, behind) => bytes[at + behind] === byte)) yield { at, ...around };
    }
}

/** What is compressed in what was decoded. */
export const compressed: Decoder = (view) => {
  const views: View[] = [];
  let tried = 0;
  for (const { at, before, behind } of beginnings(view)) {
    tried += 1;
    if (tried > mostTried) break;
    const stop = view.bytes.indexOf(end, at);
    try {
      // Without its checksum: what stands behind may have become a part of it.
      const whole = view.bytes.subarray(at, stop < 0 ? view.bytes.length : stop);
      const { buffer, engine } = inflated(whole.subarray(before));
      const length = Math.min(whole.length, before + engine.bytesWritten + behind);
      views.push({ bytes: buffer, kind: view.kind, place: () => view.place(at, at + length) });
    } catch {
      // Then it only begins like that.
    }
  }
  return views;
};
