import type { Ending } from '../model/exchange.ts';

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

/**
 * How an attempt ended that the transport gave up.
 *
 * @param began whether any of the reply had come
 */
export function endingOf(error: unknown, began: boolean): Ending {
  const { name, code, message } = failureOf(error);
  const detail = message.includes(code) ? message : `${message} (${code})`;
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    return { kind: 'oversize', detail: 'the headers are larger than the bound' };
  }
  if (name === 'HTTPParserError' || message === 'bad response') return { kind: 'garbled', detail };
  return { kind: began ? 'cut' : 'unreachable', detail };
}
