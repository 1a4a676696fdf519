import type { Ending } from '../types/reasons/exchange-reasons.ts';
import { ProxyRefused } from './proxy.ts';

/** Bound of all headers of a reply together, in bytes. */
export const headerBytes = 64 * 1024;

interface Failure {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** What a thrown thing says of itself; an aggregate (several addresses tried) says it in its first part. */
export function failureOf(error: unknown): Failure {
  const { name, code, message, errors } = (error ?? {}) as Partial<Failure> & { errors?: unknown[] };
  const first = Array.isArray(errors) && errors.length > 0 ? failureOf(errors[0]) : undefined;
  return {
    name: String(name ?? ''),
    code: String(code ?? first?.code ?? ''),
    message: String(message || first?.message || error),
  };
}

/** How far a reply had come: not at all, into its head, past it. */
export type Reached = 'nothing' | 'head' | 'body';

/** Whether what came is no HTTP, as opposed to HTTP that ends early. */
function isGarbled({ name, code, message }: Failure, reached: Reached): boolean {
  // Undici gives its parser's reasons as text only.
  if (message.includes('Invalid EOF state')) return false;
  // Before the body it means two lengths that contradict each other.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return reached !== 'body';
  return name === 'HTTPParserError' || /^bad (?:response|upgrade)$/.test(message);
}

const unknownAuthority = 'its certificate is of an unknown authority; NODE_EXTRA_CA_CERTS names one to trust';

/** What is wrong with a certificate, by the code of the error. */
export const certificateFaults: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; NODE_EXTRA_CA_CERTS names one to trust',
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

/** What undici and OpenSSL mean, in words for those who don't know them. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/^bad response$/, 'the reply begins with 100 Continue, which was not asked for'],
  [/^bad upgrade$/, 'the reply changes to another protocol, which was not asked for'],
  [/wrong version number|packet length too long/, 'TLS: the target speaks no TLS at this port'],
  [/no application protocol/, 'TLS: the target speaks no HTTP/1.1'],
  [/does not match the HTTP\/1\.1 protocol/, 'what came is not HTTP/1.1'],
];

/** How an attempt ended that the transport gave up. */
export function endingOf(error: unknown, reached: Reached): Ending {
  const failure = failureOf(error);
  const { code, message } = failure;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { kind: 'oversize', bound: 'header-bytes', limit: headerBytes };
  }
  const meaning = certificateFaults[code] ?? meanings.find(([pattern]) => pattern.test(message))?.[1];
  const detail = meaning ?? (message.includes(code) ? message : `${message} (${code})`);
  if (error instanceof ProxyRefused) return { kind: 'unreachable', detail, proxyStatus: error.proxyStatus };
  if (isGarbled(failure, reached)) return { kind: 'garbled', detail };
  return { kind: reached === 'nothing' ? 'unreachable' : 'cut', detail };
}
