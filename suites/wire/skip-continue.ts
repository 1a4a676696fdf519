import type { Socket } from 'node:net';
import buildConnector from 'undici/lib/core/connect.js';
import { openTunnel, type HttpProxy } from './proxy.ts';

type Connector = ReturnType<typeof buildConnector>;

/** An interim reply with 100, at the beginning of what came. */
const interim = /^HTTP\/1\.[01] 100[ \r].*?\r\n\r\n/s;
/** More than this, in bytes, is not looked at for the end of one. */
const interimBytes = 1024;
/** So many before one reply are skipped: more may have no end. */
const mostInterim = 10;

/**
 * Takes 100 Continue out of what a socket reads before a reply. A target may send it unasked (RFC 9110, section 15.2),
 * and undici breaks such a connection off.
 */
function skipContinue(socket: Socket): Socket {
  const [read, write] = [socket.read.bind(socket), socket.write.bind(socket)];
  let left = 0;
  return Object.assign(socket, {
    write: (...given: Parameters<typeof write>) => {
      left = mostInterim;
      return write(...given);
    },
    read: (size?: number) => {
      let chunk: Buffer | null = read(size);
      while (chunk !== null && left > 0) {
        const [skipped] = interim.exec(chunk.toString('latin1', 0, interimBytes)) ?? [];
        if (skipped === undefined) left = 0;
        else {
          left -= 1;
          chunk = skipped.length < chunk.length ? chunk.subarray(skipped.length) : read(size);
        }
      }
      return chunk;
    },
  });
}

/**
 * Connects as undici does, within so many milliseconds, to sockets that skip 100 Continue.
 * @param tunnelTo the proxy behind which an origin is reached; undefined where it is reached directly
 */
export function connector(timeoutMs: number, tunnelTo: (origin: string) => HttpProxy | undefined): Connector {
  const connect = buildConnector({ timeout: timeoutMs });
  return (options, callback) => {
    const finish = (...[error, socket]: Parameters<typeof callback>): void =>
      error === null ? callback(null, skipContinue(socket)) : callback(error, null);
    const proxy = tunnelTo(new URL(`${options.protocol}//${options.host}`).origin);
    if (proxy === undefined) return connect(options, finish);
    openTunnel(proxy, `${options.hostname}:${options.port || 443}`, timeoutMs).then(
      (httpSocket) => connect({ ...options, httpSocket }, finish),
      (error: Error) => callback(error, null),
    );
  };
}
