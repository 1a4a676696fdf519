import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { Env } from '../../fixtures/target/variables.ts';
import buildConnector from 'undici/lib/core/connect.js';

export interface HttpProxy {
  readonly url: URL;
  /** The variable of the environment that names it. */
  readonly variable: string;
}

/** The proxy did not connect: it said so with this status. */
export class ProxyRefused extends Error {
  override readonly name = 'ProxyRefused';
  readonly proxyStatus: number;
  constructor(status: number) {
    super(`the proxy did not connect: HTTP ${status}`);
    this.proxyStatus = status;
  }
}

const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

const portOf = ({ port, protocol }: URL): number => Number(port) || (usualPorts[protocol] ?? 0);

/** The host without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** A variable in lower case goes before the same in upper case; an empty one is not set. */
function variableIn(env: Env, name: string): readonly [name: string, value: string] | undefined {
  for (const each of [name.toLowerCase(), name]) if (env[each]) return [each, env[each]];
  return undefined;
}

function isInSubnet(host: string, entry: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  if (isIP(host) === 0 || isIP(network) === 0 || !/^\d+$/.test(bits)) return false;
  const subnet = new BlockList();
  subnet.addSubnet(network, Math.min(Number(bits), isIP(network) === 6 ? 128 : 32), family(network));
  return subnet.check(host, family(host));
}

/** Whether NO_PROXY names a host as curl reads it: itself, a domain that it is in, a subnet, or `*` for all. */
function isExempt(url: URL, list: string): boolean {
  const host = hostOf(url).toLowerCase();
  return list
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, named = '', port] = /^(.*?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? '' : entry) ?? [];
      const name = (named || entry)
        .toLowerCase()
        .replace(/^\[|\]$/g, '')
        .replace(/^\*?\./, '');
      if (port !== undefined && Number(port) !== portOf(url)) return false;
      return host === name || host.endsWith(`.${name}`) || isInSubnet(host, name);
    });
}

/** The proxy that the environment names for an address, as curl takes it, a loopback one too. Throws UsageError where it is none. */
export function proxyFor(url: URL, env: Env = process.env): HttpProxy | undefined {
  const found = variableIn(env, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (found === undefined || isExempt(url, variableIn(env, 'NO_PROXY')?.[1] ?? '')) return undefined;
  const [variable, value] = found;
  const text = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy === undefined || usualPorts[proxy.protocol] === undefined)
    throw new UsageError(`${variable}: names no proxy of http or https; mend it, or leave it out`);
  return { url: proxy, variable };
}

/** The header by which a proxy knows its user; none where its address names none. */
export function proxyHeaders({ url: { username, password } }: HttpProxy): Record<string, string> {
  if (username === '') return {};
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
}

/** A connection to a host through a proxy, within so many milliseconds. Rejects with `ProxyRefused` where it has none. */
function openTunnel(proxy: HttpProxy, authority: string, timeoutMs: number): Promise<Socket> {
  const { url } = proxy;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send({
      host: hostOf(url),
      port: portOf(url),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyHeaders(proxy) },
      agent: false,
      timeout: timeoutMs,
    });
    request.once('connect', ({ statusCode = 0 }, socket: Socket) => {
      socket.setTimeout(0);
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      reject(new ProxyRefused(statusCode));
    });
    // A proxy that answers a CONNECT as any other request.
    request.once('response', ({ statusCode = 0 }) => {
      request.destroy();
      reject(new ProxyRefused(statusCode));
    });
    request.once('timeout', () => request.destroy(new Error('the proxy did not connect in time')));
    request.once('error', reject);
    request.end();
  });
}

type Connector = ReturnType<typeof buildConnector>;

/** An interim reply with 100, at the beginning of what came. */
const interim = /^HTTP\/1\.[01] 100[ \r].*?\r\n\r\n/s;
/** More than this, in bytes, is not looked at for the end of one. */
const interimBytes = 1024;
/** So many before one reply are skipped: more may have no end. */
const mostInterim = 10;

/** Takes 100 Continue out of what a socket reads before a reply: it may come unasked (RFC 9110), and undici breaks off. */
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

/** Connects as undici does, to sockets that skip 100 Continue. `tunnelTo`: the proxy before an origin; undefined where there is none. */
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
