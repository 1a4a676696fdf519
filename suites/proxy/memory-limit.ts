/** Room for all bodies that are under way or wait to be judged, counted across threads. */
export interface Room {
  /** Takes so many bytes; false where there are not so many. */
  readonly take: (bytes: number) => boolean;
  readonly give: (bytes: number) => void;
}

/** Bytes of all bodies together. */
const most = 48 * 1024 * 1024;

/** Memory of a room of which nothing is taken; threads share it. */
export const emptyRoom = (): SharedArrayBuffer => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

export function roomIn(memory: SharedArrayBuffer): Room {
  const used = new Int32Array(memory);
  return {
    take: (bytes) => {
      const before = Atomics.add(used, 0, bytes);
      if (before + bytes <= most) return true;
      Atomics.sub(used, 0, bytes);
      return false;
    },
    give: (bytes) => void Atomics.sub(used, 0, bytes),
  };
}
