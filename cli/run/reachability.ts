import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { NotJudgedError } from '../exit.ts';

/** Milliseconds waited before each try. */
const waits: readonly number[] = [0, 250, 750];

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused, nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'the connection timed out',
};

function open(url: URL): { readonly socket: Socket; readonly ready: string } {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol === 'http:') {
    return { socket: connectTcp({ host, port: Number(url.port || 80) }), ready: 'connect' };
  }
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return {
    socket: connectTls({ host, port: Number(url.port || 443), ...servername }),
    ready: 'secureConnect',
  };
}

/** One try: nothing where the connection came about, else why not. */
function attempt(url: URL, timeoutMs: number, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { socket, ready } = open(url);
    const settle = (problem?: string): void => {
      signal.removeEventListener('abort', stopped);
      socket.destroy();
      resolve(problem);
    };
    const stopped = (): void => settle('stopped');
    signal.addEventListener('abort', stopped, { once: true });
    socket.setTimeout(timeoutMs, () => settle('the connection timed out'));
    socket.once(ready, () => settle());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? '';
      settle(reasons[code] ?? `${error.message || 'no connection'}${code ? ` (${code})` : ''}`);
    });
  });
}

/**
 * Checks whether the target accepts connections: a TCP connection, with TLS for https, in three tries. Gives why it
 * does not; undefined where it does.
 * @param timeoutMs of one try, in milliseconds
 * @throws NotJudgedError where the user stops it
 */
export async function reach(
  baseUrl: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const url = new URL(baseUrl);
  let problem: string | undefined;
  for (const wait of waits) {
    if (!signal.aborted) await sleep(wait, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw new NotJudgedError('stopped before the first request; nothing was written');
    problem = await attempt(url, timeoutMs, signal);
    if (problem === undefined) return undefined;
  }
  return `${problem} (${waits.length} tries); check target.baseUrl, and that the gateway is up`;
}
