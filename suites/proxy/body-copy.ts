/** A body as its bytes came, and which part of it had come when. It can be handed to another thread. */
export interface Gathered {
  /** Its bytes in their order; each page is memory of its own, and the last ones are filled as far as `bytes` tells. */
  readonly pages: readonly Uint8Array<ArrayBuffer>[];
  readonly bytes: number;
  /** How many bytes had come, and when, in milliseconds since the request. */
  readonly arrivals: readonly (readonly [bytes: number, ms: number])[];
}

/** Most bodies fit into the first page. */
const [firstPage, furtherPage] = [4096, 64 * 1024];

/** Arrivals of one body that are kept; beyond, every second one counts as come with the next. */
const maxArrivals = 2_000;

/** Copies what passes: the bytes themselves belong to whoever passes them on. */
export function createGatherer() {
  let pages: Uint8Array<ArrayBuffer>[] = [];
  let free = 0;
  let bytes = 0;
  let arrivals: (readonly [bytes: number, ms: number])[] = [];

  const room = (): Uint8Array => {
    if (free === 0) {
      free = pages.length === 0 ? firstPage : furtherPage;
      pages.push(new Uint8Array(free));
    }
    const page = pages.at(-1) ?? new Uint8Array(0);
    return page.subarray(page.length - free);
  };
  return {
    add: (piece: Uint8Array, ms: number): void => {
      for (let start = 0; start < piece.length; ) {
        const part = room();
        const taken = piece.subarray(start, start + part.length);
        part.set(taken);
        free -= taken.length;
        start += taken.length;
      }
      bytes += piece.length;
      arrivals.push([bytes, ms]);
      const { length } = arrivals;
      if (length > maxArrivals) arrivals = arrivals.filter((_, at) => (length - at) % 2 === 1);
    },
    gathered: (): Gathered => ({ pages, bytes, arrivals }),
    release: (): void => {
      [pages, arrivals, free] = [[], [], 0];
    },
  };
}

const wholeOf = ({ pages, bytes }: Gathered): Buffer => Buffer.concat(pages, bytes);

export function piecesOf(body: Gathered): readonly (readonly [bytes: Buffer, ms: number])[] {
  const whole = wholeOf(body);
  return body.arrivals.map(([end, ms], at) => [whole.subarray(body.arrivals[at - 1]?.[0] ?? 0, end), ms]);
}

export const textOf = (body: Gathered): string => wholeOf(body).toString('utf8');
