import type { Exchange, Reply } from '../model/exchange.ts';
import { fingerprintOf } from '../reading/transient.ts';
import type { Credentials } from './credentials.ts';
import type { Observed } from './observe.ts';

/** Several values of one header, joined as HTTP joins them. */
function joined(pairs: readonly (readonly [name: string, value: string])[]): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(values);
}

/** An exchange as it is recorded: credentials masked wherever they stand, in the request and in the reply. */
export function recordedExchange(
  id: string,
  observed: Observed,
  baseUrl: string,
  credentials: Credentials,
): Exchange {
  const { head, sent, status, collected, startedAt, headersMs, endMs, stallMs } = observed;
  const sentHeaders = credentials.headers(head.headers, 'request');
  const url = baseUrl + credentials.path(head.path);
  const replyHeaders = credentials.headers(observed.headers, 'reply');
  // Behind all headers: a reply may repeat what the request has brought.
  const redactor = credentials.redactor();
  const clean = (pairs: typeof sentHeaders): typeof sentHeaders =>
    pairs.map(([name, value]) => [redactor.text(name), redactor.text(value)]);
  const response: Reply | null =
    status === null ? null : { status, headers: clean(replyHeaders), body: collected.body(redactor) };
  const ending =
    'detail' in observed.ending
      ? { ...observed.ending, detail: redactor.text(observed.ending.detail) }
      : observed.ending;
  const body = sent.length === 0 ? null : redactor.text(sent.toString('utf8'));
  return {
    id,
    request: { method: head.method, url: redactor.text(url), headers: joined(clean(sentHeaders)), body },
    response,
    ending,
    timing: { startedAt, headersMs, endMs, stallMs },
    attempts: [
      {
        status,
        ending,
        fingerprint: fingerprintOf({ response }),
        bytes: response?.body.bytes ?? 0,
        startedAt,
        ms: endMs,
        waitedMs: 0,
      },
    ],
  };
}
