import { constants, type InflateRaw, inflateRawSync } from 'node:zlib';
import type { Decoder, View } from '../views.ts';

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
