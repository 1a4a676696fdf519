/** Room for all bodies that are under way or wait to be judged, counted across threads. */
export type Room = ReturnType<typeof roomIn>;

/** Bytes of all bodies together. */
const most = 48 * 1024 * 1024;

/** Memory of a room of which nothing is taken; threads share it. */
export const emptyRoom = (): SharedArrayBuffer => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

export function roomIn(memory: SharedArrayBuffer) {
  const used = new Int32Array(memory);
  return {
    /** Takes so many bytes; false where there are not so many. */
    take: (bytes: number): boolean => {
      const before = Atomics.add(used, 0, bytes);
      if (before + bytes <= most) return true;
      Atomics.sub(used, 0, bytes);
      return false;
    },
    give: (bytes: number): void => void Atomics.sub(used, 0, bytes),
  };
}
