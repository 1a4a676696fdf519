import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { hostOf, proxyFor } from './proxy.ts';

export type Scheme = 'http' | 'https';

/** Longest wait for the other scheme, in milliseconds. */
const longestMs = 5_000;

const tells = (socket: Socket, until: (tell: (isSo: boolean) => void) => void): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (isSo: boolean): void => {
      socket.destroy();
      resolve(isSo);
    };
    socket.setTimeout(longestMs, () => settle(false));
    socket.on('error', () => settle(false));
    socket.on('close', () => settle(false));
    until(settle);
  });

/** Whether a handshake comes about, whoever the certificate is of: nothing is sent. */
function speaksTls(url: URL): Promise<boolean> {
  const host = hostOf(url);
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket = connectTls({ host, port: Number(url.port || 80), rejectUnauthorized: false, ...servername });
  return tells(socket, (tell) => socket.once('secureConnect', () => tell(true)));
}

/** Whether a request without credentials gets a reply of HTTP. */
function speaksHttp(url: URL): Promise<boolean> {
  const socket = connectTcp({ host: hostOf(url), port: Number(url.port || 443) });
  return tells(socket, (tell) => {
    socket.once('connect', () =>
      socket.write(`HEAD / HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`),
    );
    socket.once('data', (bytes: Buffer) => tell(bytes.toString('latin1', 0, 5) === 'HTTP/'));
  });
}

/** The other scheme than that of an address, where it is spoken there; undefined where it is not. */
export async function otherSchemeAt(baseUrl: string): Promise<Scheme | undefined> {
  const url = new URL(baseUrl);
  // A proxy in between would answer for the target.
  if (proxyFor(url) !== undefined) return undefined;
  if (url.protocol === 'http:') return (await speaksTls(url)) ? 'https' : undefined;
  return (await speaksHttp(url)) ? 'http' : undefined;
}
