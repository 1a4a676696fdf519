import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net';
import type { Prepared } from './send.ts';

// For tests: servers on a free loopback port that can be closed at once.

export interface Loopback {
  readonly url: string;
  /** Connections taken so far. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** Listens on a free loopback port; closing it ends every connection. */
export async function listening(server: Server, scheme = 'http'): Promise<Loopback> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  server.on('connection', (socket: Socket) => {
    connections += 1;
    keep(socket);
  });
  // A TLS server has a second socket for each connection.
  server.on('secureConnection', keep);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A server that speaks HTTP. */
export const serveHttp = (listener: RequestListener): Promise<Loopback> =>
  listening(createHttpServer(listener));

/** A server that answers each request on a connection (told by its blank line) as it likes, byte by byte. */
export const serveRaw = (answer: (socket: Socket, request: number) => void): Promise<Loopback> => {
  let requests = 0;
  return listening(
    createNetServer((socket) => {
      socket.on('data', (bytes) => {
        if (!bytes.includes('\r\n\r\n')) return;
        requests += 1;
        answer(socket, requests);
      });
    }),
  );
};

/** How a recorded request shows its credential. */
export const shownCredential = `Bearer \${GATEWAY_TOKEN}`;

/** A request to such a server, with a credential. */
export function prepared(url: string, token: string, more: Partial<Prepared> = {}): Prepared {
  return {
    id: 'case.1',
    credential: 'default',
    model: 'g-large',
    route: 'route',
    timingKind: { name: 'timing', endpoint: 'timing', isAnswerDue: true },
    method: 'POST',
    url: `${url}/v1/responses`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    shownHeaders: { 'content-type': 'application/json', authorization: shownCredential },
    body: '{"model":"g-large"}',
    maxBytes: 1_000_000,
    ...more,
  };
}
