import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { StopReason } from '../../suites/types/reasons/exchange-reasons.ts';
import { certificateFaults } from '../../suites/wire/ending.ts';
import { otherSchemeAt } from '../../suites/wire/other-scheme.ts';
import { hostOf, proxyFor } from '../../suites/wire/proxy.ts';
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
  ...certificateFaults,
};

const noTls = 'it speaks no TLS at this port';

/** What OpenSSL says of a handshake is for those who know it. */
const failureWords = (code: string, message: string): string =>
  `${/^(ERR_SSL|EPROTO)/.test(code) ? 'the TLS handshake failed' : message || 'no connection'}${code ? ` (${code})` : ''}`;

function open(url: URL): { readonly socket: Socket; readonly ready: string } {
  const host = hostOf(url);
  const at = (usual: number) => ({ host, port: Number(url.port || usual) });
  if (url.protocol === 'http:') return { socket: connectTcp(at(80)), ready: 'connect' };
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return { socket: connectTls({ ...at(443), ...servername }), ready: 'secureConnect' };
}

/** One try: nothing where the connection came about, else why not. */
const attempt = (url: URL, timeoutMs: number, signal: AbortSignal): Promise<string | undefined> =>
  new Promise((resolve) => {
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
      const isNoTls = /wrong version number|packet length too long/.test(error.message);
      settle(isNoTls ? noTls : (reasons[code] ?? failureWords(code, error.message)));
    });
  });

/** Longest wait for a connection, in milliseconds. */
export const longestReachMs = 5_000;

/** What keeps a target from being asked anything. */
export type Unreached = Extract<StopReason, { readonly kind: 'unreachable' | 'wrong-scheme' }>;

/** Why target or proxy take no connection in three tries; undefined where they do. Throws NotJudgedError when stopped. */
export async function reach(
  baseUrl: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Unreached | undefined> {
  const url = new URL(baseUrl);
  const proxy = proxyFor(url);
  let problem: string | undefined;
  for (const wait of waits) {
    if (!signal.aborted) await sleep(wait, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw new NotJudgedError('stopped before the first request; nothing was written');
    problem = await attempt(proxy?.url ?? url, timeoutMs, signal);
    if (problem === undefined) return undefined;
  }
  if (problem === noTls && proxy === undefined) {
    const speaks = await otherSchemeAt(baseUrl);
    if (speaks !== undefined) return { kind: 'wrong-scheme', speaks };
  }
  const where =
    proxy === undefined
      ? 'check target.baseUrl, and that the gateway is up'
      : `it is the proxy that ${proxy.variable} names: check it, or put the host of target.baseUrl into NO_PROXY`;
  return { kind: 'unreachable', detail: `${problem} (${waits.length} tries); ${where}` };
}
