import { groupBy } from '../../spec/group-by.ts';
import type { Exchange, Reply } from '../types/exchange.ts';
import type { Ending } from '../types/reasons/exchange-reasons.ts';
import { fingerprintOf } from '../reading/transient.ts';
import { type Collector, createCollector } from '../wire/collect.ts';
import { createDecoder } from '../wire/decode.ts';
import type { Credentials } from './credentials.ts';
import { piecesOf, textOf, bodyBounds, type Passed } from './observe.ts';
import { headerValue } from './headers.ts';

/** A reply's body without its coding, and how the exchange ended. */
interface Decoded {
  readonly collected: Collector;
  readonly ending: Ending;
}

/** Arrivals of one body that are recorded. */
const maxArrivals = 2_000;

/** Undoes the coding of a reply; or why it is not recorded. */
export function decoded({ headers, received, end }: Passed): Promise<Decoded | 'too-large' | 'other-coding'> {
  return new Promise((resolve) => {
    const collected = createCollector(bodyBounds.reply, maxArrivals);
    const decoder = createDecoder(headerValue(headers, 'content-encoding') ?? null, {
      bytes: (bytes, ms) => {
        if (collected.add(bytes, ms)) return;
        resolve('too-large');
        decoder?.stop();
      },
      // What broke off is no whole coding either.
      undecodable: (detail) =>
        resolve({ collected, ending: end.kind === 'complete' ? { kind: 'undecodable', detail } : end }),
    });
    if (decoder === null) {
      resolve('other-coding');
      return;
    }
    for (const [bytes, ms] of piecesOf(received)) decoder.write(bytes, ms);
    decoder.end(() => resolve({ collected, ending: end }));
  });
}

/** Several values of one header, joined as HTTP joins them. */
const joined = (pairs: readonly (readonly [name: string, value: string])[]): Record<string, string> =>
  Object.fromEntries(
    [...groupBy(pairs, ([name]) => name)].map(([name, all]) => [
      name,
      all.map(([, value]) => value).join(', '),
    ]),
  );

/** An exchange as it is recorded, with credentials masked wherever they stand; undefined where they are too many. */
export function recordedExchange(
  id: string,
  passed: Passed & Decoded,
  baseUrl: string,
  credentials: Credentials,
  isReplyId: (id: string) => boolean,
): Exchange | undefined {
  const { head, status, collected, startedAt, headersMs, endMs, stallMs } = passed;
  const sent = passed.sent.bytes === 0 ? null : textOf(passed.sent);
  const shown = credentials.request(head.headers, head.path, sent ?? '', isReplyId);
  const { redactor } = shown;
  if (redactor === undefined) return undefined;
  const clean = (pairs: typeof shown.headers): typeof shown.headers =>
    pairs.map(([name, value]) => [redactor.text(name), redactor.text(value)]);
  const replyHeaders = clean(credentials.reply(passed.headers));
  const response: Reply | null =
    status === null ? null : { status, headers: replyHeaders, body: collected.body(redactor) };
  const { ending: asItWas } = passed;
  const ending = 'detail' in asItWas ? { ...asItWas, detail: redactor.text(asItWas.detail) } : asItWas;
  const fingerprint = fingerprintOf({ response });
  const bytes = response?.body.bytes ?? 0;
  return {
    id,
    request: {
      method: head.method,
      url: redactor.text(baseUrl + shown.path),
      headers: joined(clean(shown.headers)),
      body: sent === null ? null : redactor.text(shown.body),
    },
    response,
    ending,
    timing: { startedAt, headersMs, endMs, stallMs },
    attempts: [{ status, ending, fingerprint, bytes, startedAt, ms: endMs, waitedMs: 0 }],
  };
}
