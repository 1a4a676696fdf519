import type { SentRequest } from '../model/exchange.ts';

/** Headers that curl sets by itself, or that only matter to the connection. */
const own = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'user-agent']);

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Double quotes where a credential is to be filled in from the environment, single ones otherwise. */
const quoted = (text: string): string =>
  /\$\{\w+\}/.test(text) ? `"${text.replace(/["\\`]|\$(?!\{\w+\})/g, '\\$&')}"` : single(text);

/** A command that sends a recorded request again, with each token as an environment variable. */
export function curl({ method, url, headers, body }: SentRequest): string {
  const shown = Object.entries(headers).filter(([name]) => !own.has(name.toLowerCase()));
  const parts = [
    `curl -sS -i --compressed -X ${method} ${single(url)}`,
    ...shown.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${single(body)}`]),
  ];
  return parts.join(' \\\n  ');
}
