import fc from 'fast-check';
import type { Exchange, Reply } from '../../suites/types/exchange.ts';
import type { Ending } from '../../suites/types/reasons/exchange-reasons.ts';
import { fingerprintOf } from '../../suites/reading/transient.ts';
import { result } from '../../suites/checks/evidence.fixture.ts';
import type { Protocol } from '../../spec/vocabulary.ts';

/** Values that code which trusts a reply trips over. Made from text: only so is `__proto__` a member like others. */
export const awkward: readonly unknown[] = [
  ...['null', 'true', '0', '-1', '1e308', '""', '"x"', '"\\ud800"', '[]', '{}', '[null]', '[[]]', '[7]'],
  ...['{"toString":1}', '{"valueOf":null,"toString":null}', '{"__proto__":{"x":1}}', '{"constructor":null}'],
  ...['{"length":5}', '{"then":1}', '{"toJSON":1}', '{"0":{"message":7}}', '{"error":{"toString":null}}'],
  `${'['.repeat(150)}${']'.repeat(150)}`,
].map((text) => JSON.parse(text) as unknown);

const names = ['type', 'content', 'message', 'text', 'error', 'data', '__proto__', 'toString', 'length'];

type Path = readonly (string | number)[];

export const pathsIn = (value: unknown, at: Path = []): Path[] =>
  typeof value !== 'object' || value === null
    ? [at]
    : [at, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...at, name]))];

/** The value with another one at a path, or with nothing there. */
export function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.flatMap((inner, i) => {
      const put = String(i) === String(first) ? replaced(inner, rest, by) : inner;
      return put === undefined ? [] : [put];
    });
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === first ? replaced(inner, rest, by) : inner]),
  );
}

const odd = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...awkward) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 1 })) },
);

/** A document of which up to three places hold something else. */
const bent = (document: unknown): fc.Arbitrary<unknown> =>
  fc.array(fc.tuple(fc.nat(), odd), { maxLength: 3 }).map((edits) =>
    edits.reduce<unknown>((value, [place, by]) => {
      const paths = pathsIn(value);
      return replaced(value, paths[place % paths.length] ?? [], by) ?? null;
    }, document),
  );

const chunk = (delta: object) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta }],
});

const streams: Readonly<Record<Protocol, readonly unknown[]>> = {
  chat: [
    chunk({ role: 'assistant' }),
    chunk({ content: 'hel' }),
    chunk({ content: 'lo' }),
    { id: 'c', choices: [], usage: { total_tokens: 3 } },
  ],
  responses: [
    { type: 'response.created', response: { id: 'r' } },
    { type: 'response.output_text.delta', delta: 'hel' },
    { type: 'response.output_text.delta', delta: 'lo' },
    { type: 'response.completed', response: result.responses('hello') },
  ],
  messages: [
    { type: 'message_start', message: { content: [] } },
    { type: 'content_block_start', content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: 'hello' } },
    { type: 'message_stop' },
  ],
  images: [{ type: 'image_generation.completed', b64_json: 'AA==' }],
};

const framings: readonly ((events: readonly unknown[]) => string)[] = [
  (events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
  (events) =>
    `${events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join('')}data: [DONE]\r\n\r\n`,
  (events) => events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  (events) => events.map((event) => JSON.stringify(event)).join(''),
  (events) => JSON.stringify(events),
];

/** What a target may put into a body on an endpoint: near a result, near a stream, or anything. */
const bodyText = (protocol: Protocol): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: bent(result[protocol](protocol === 'images' ? '2' : 'hello')).map(text) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...framings), bent(streams[protocol]))
        .map(([frame, events]) => frame(Array.isArray(events) ? events : [events])),
    },
    { weight: 1, arbitrary: bent({ error: { message: 'no', type: 'invalid', code: 'bad' } }).map(text) },
    { weight: 1, arbitrary: fc.jsonValue().map(text) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  );

const text = (value: unknown): string => JSON.stringify(value) ?? '';

const headers: fc.Arbitrary<Reply['headers']> = fc.constantFrom<Reply['headers']>(
  [['content-type', 'application/json']],
  [['content-type', 'text/event-stream']],
  [['retry-after', 'soon']],
  [],
);

const complete: Ending = { kind: 'complete' };

/** A reply as it may be recorded, with everything around it; the ids are filled in by who plans it. */
export const exchangeFor = (protocol: Protocol): fc.Arbitrary<Omit<Exchange, 'id' | 'request'>> =>
  fc
    .record({
      status: fc.constantFrom(200, 200, 200, 200, 201, 204, 302, 400, 401, 404, 418, 429, 500, 503, 999),
      headers,
      body: bodyText(protocol),
      binary: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      ended: fc.constantFrom<Ending>(
        complete,
        complete,
        complete,
        complete,
        { kind: 'cut', detail: 'closed' },
        { kind: 'timeout', afterMs: 5000 },
        { kind: 'garbled', detail: 'no HTTP' },
      ),
      none: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
      endMs: fc.integer({ min: 0, max: 5000 }),
      arrivals: fc.integer({ min: 0, max: 5 }),
      before: fc.constantFrom(
        [],
        [{ kind: 'confirm-refusal' } as const],
        [
          { kind: 'transient', transient: { cause: 'unreachable', detail: 'closed' } } as const,
          { kind: 'confirm-failure' } as const,
        ],
      ),
    })
    .map(({ status, headers: named, body, binary, ended, none, endMs, arrivals, before }) => {
      const bytes = Buffer.byteLength(body);
      const ending: Ending = none ? { kind: 'unreachable', detail: 'closed' } : ended;
      const attempt = {
        bytes,
        fingerprint: null,
        startedAt: '2026-11-21T09:00:00.000Z',
        ms: endMs,
        waitedMs: 0,
      };
      const reply: Reply = {
        status,
        headers: named,
        body: {
          text: binary ? Buffer.from(body).toString('base64') : Buffer.from(body).toString('utf8'),
          encoding: binary ? 'base64' : 'utf8',
          bytes,
          arrivals: Array.from({ length: arrivals }, (_, i) => [
            Math.ceil((bytes * (i + 1)) / arrivals),
            Math.round((endMs * (i + 1)) / arrivals),
          ]),
        },
      };
      return {
        response: none ? null : reply,
        ending,
        timing: { startedAt: attempt.startedAt, headersMs: none ? null : 1, endMs, stallMs: 0 },
        attempts: [
          ...before.map((retry) => ({ ...attempt, status: 401, ending: complete, retry })),
          {
            ...attempt,
            status: none ? null : status,
            ending,
            fingerprint: none ? null : fingerprintOf({ response: reply }),
          },
        ],
      };
    });
