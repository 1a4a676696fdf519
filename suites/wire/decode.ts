import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type BrotliDecompress,
  type Gunzip,
  type Inflate,
} from 'node:zlib';

/** Undoes a content-encoding as the bytes come. */
export interface Decoder {
  /** Takes bytes that came at `ms`. */
  readonly write: (bytes: Buffer, ms: number) => void;
  /** All has come: calls `done` once all is decoded. */
  readonly end: (done: () => void) => void;
  /** Drops whatever is not decoded yet. */
  readonly stop: () => void;
}

/** What a decoder hands on: decoded bytes with the time their encoded form came, or why it can't go on. */
export interface Sink {
  readonly bytes: (bytes: Buffer, ms: number) => void;
  readonly undecodable: (why: string) => void;
}

type Inflater = Gunzip | Inflate | BrotliDecompress;

/** The codings that the suite asks for, by name. Deflate comes with and without the zlib header. */
const codings: Readonly<Record<string, (first: number) => Inflater>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: (first) => ((first & 0x0f) === 0x08 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
};

export const acceptEncoding = 'gzip, deflate, br';

function inflating(open: (first: number) => Inflater, name: string, sink: Sink): Decoder {
  const queue: (readonly [Buffer, number])[] = [];
  let inflater: Inflater | undefined;
  let busy = false;
  let now = 0;
  let ended: (() => void) | undefined;

  // One chunk at a time, so that what comes out is known to belong to what went in.
  const pump = (): void => {
    const next = busy ? undefined : queue.shift();
    if (next !== undefined && inflater !== undefined) {
      busy = true;
      now = next[1];
      inflater.write(next[0], () => {
        busy = false;
        pump();
      });
    } else if (!busy && ended !== undefined) inflater?.end();
  };
  const start = (first: number): Inflater =>
    open(first)
      .on('data', (bytes: Buffer) => sink.bytes(bytes, now))
      .on('error', (error) => sink.undecodable(`content-encoding ${name}: ${error.message}`))
      .on('end', () => ended?.());

  return {
    write: (bytes, ms) => {
      if (bytes.length === 0) return;
      inflater ??= start(bytes[0] ?? 0);
      queue.push([bytes, ms]);
      pump();
    },
    end: (done) => {
      ended = done;
      // A reply without a body may still name a coding.
      if (inflater === undefined) done();
      else pump();
    },
    stop: () => {
      queue.length = 0;
      inflater?.destroy();
    },
  };
}

/** The decoder for a content-encoding header, or null where the suite did not ask for such a coding. */
export function createDecoder(contentEncoding: string | null, sink: Sink): Decoder | null {
  const name = (contentEncoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') {
    return { write: sink.bytes, end: (done) => done(), stop: () => undefined };
  }
  const open = codings[name];
  return open === undefined ? null : inflating(open, name, sink);
}
