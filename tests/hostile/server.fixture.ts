import { createServer, type Socket } from 'node:net';
import { listening } from '../../suites/wire/loopback.fixture.ts';

/** A request as a hostile target sees it. */
export interface Asked {
  readonly socket: Socket;
  readonly line: string;
  readonly path: string;
  /** The head as it came, request line left out. */
  readonly head: string;
  readonly body: string;
  /** 0 for the first request of all. */
  readonly place: number;
  /** What stands as the credential. */
  readonly credential: string;
}

export interface Hostile {
  readonly url: string;
  /** Requests seen so far. */
  readonly requests: () => number;
  readonly close: () => Promise<void>;
}

const headEnd = '\r\n\r\n';

/** The requests of one connection, one by one. */
function reading(socket: Socket, take: (asked: Omit<Asked, 'place'>) => void): void {
  let seen = '';
  socket.on('data', (bytes) => {
    seen += bytes.toString('latin1');
    for (;;) {
      const at = seen.indexOf(headEnd);
      if (at < 0) return;
      const [line = '', ...lines] = seen.slice(0, at).split('\r\n');
      const head = lines.join('\r\n');
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      const end = at + headEnd.length + length;
      if (seen.length < end) return;
      const body = seen.slice(at + headEnd.length, end);
      seen = seen.slice(end);
      const bearer = /^authorization: *(?:Bearer )?(.*)$/im.exec(head)?.[1];
      const key = /^x-api-key: *(.*)$/im.exec(head)?.[1];
      const credential = (bearer ?? key ?? '').trim();
      take({ socket, line, path: line.split(' ')[1] ?? '', head, body, credential });
    }
  });
}

/** A target that answers each request byte by byte, however it likes. */
export async function hostile(answer: (asked: Asked) => void): Promise<Hostile> {
  let requests = 0;
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    reading(socket, (asked) => {
      answer({ ...asked, place: requests });
      requests += 1;
    });
  });
  const { url, close } = await listening(server);
  return { url, close, requests: () => requests };
}

/** Writes one whole reply and leaves the connection open. */
export function reply(
  { socket }: Pick<Asked, 'socket'>,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
): void {
  const bytes = Buffer.from(body as string);
  const lines = Object.entries({ 'content-type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}content-length: ${bytes.length}\r\n\r\n`,
        'utf8',
      ),
      bytes,
    ]),
  );
}

/** Writes the same bytes as long as somebody takes them. */
export function forever(socket: Socket, bytes: Buffer | string): void {
  const pump = (): void => {
    while (!socket.destroyed && socket.write(bytes));
    if (!socket.destroyed) socket.once('drain', pump);
  };
  pump();
}

/** Writes the next piece every so many milliseconds as long as somebody listens. */
export function drip(socket: Socket, everyMs: number, piece: (place: number) => string): void {
  let place = 0;
  const timer = setInterval(() => {
    if (socket.destroyed) return clearInterval(timer);
    socket.write(piece(place));
    place += 1;
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
}
