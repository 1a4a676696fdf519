import { constants, gunzipSync, inflateSync } from 'node:zlib';
import type { Decoder, View } from '../views.ts';

/** What gzip and zlib begin with. */
const heads: readonly { readonly head: readonly number[]; readonly expand: typeof gunzipSync }[] = [
  { head: [0x1f, 0x8b, 0x08], expand: gunzipSync },
  ...[0x01, 0x5e, 0x9c, 0xda].map((level) => ({ head: [0x78, level], expand: inflateSync })),
];

/** Whether two bytes, as one number, are what such begins with. */
export const isHead = (bytes: number): boolean =>
  heads.some(({ head: [first = 0, second = 0] }) => (bytes & 0xffff) === first * 256 + second);

/** Beginnings in one text that are tried at most, and bytes that come of one at most. */
const [mostTried, mostBytes] = [50, 256 * 1024];

/** What stands between all that is decoded. */
export const end = Buffer.alloc(8, 0xff);

const options = { maxOutputLength: mostBytes, finishFlush: constants.Z_SYNC_FLUSH };

/** Where something compressed may begin, with what expands it: behind what stands between all that is decoded. */
function* beginnings({ bytes, kind }: View) {
  for (const { head, expand } of heads)
    for (let at = bytes.indexOf(head[0] ?? 0); at >= 0; at = bytes.indexOf(head[0] ?? 0, at + 1)) {
      const isFirst = at === 0 || kind === 'numbers' || bytes[at - 1] === end[0];
      if (isFirst && head.every((byte, behind) => bytes[at + behind] === byte)) yield { at, expand };
    }
}

/** What is compressed in what was decoded. */
export const compressed: Decoder = (view) => {
  const views: View[] = [];
  let tried = 0;
  for (const { at, expand } of beginnings(view)) {
    tried += 1;
    if (tried > mostTried) break;
    const stop = view.bytes.indexOf(end, at);
    const whole = view.bytes.subarray(at, stop < 0 ? view.bytes.length : stop);
    try {
      const bytes = expand(whole, options);
      views.push({ bytes, kind: view.kind, place: () => view.place(at, at + whole.length) });
    } catch {
      // Then it only begins like that.
    }
  }
  return views;
};
