import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createRedactor } from '../wire/redaction/redact.ts';
import { createGatherer } from './observe.ts';
import type { Passed } from './observe.ts';
import { decoded } from './recorded-exchange.ts';

const text = 'data: {"a":1}\n\n'.repeat(2_000);
const cut = { kind: 'cut', detail: 'the connection ended within the reply' } as const;

/** A reply that came in pieces of 100 bytes, one each millisecond. */
function passed(bytes: Buffer, coding: string, end: Passed['end'] = { kind: 'complete' }): Passed {
  const [sent, received] = [createGatherer(), createGatherer()];
  for (let start = 0; start < bytes.length; start += 100)
    received.add(bytes.subarray(start, start + 100), start / 100);
  return {
    ...{ head: { method: 'POST', path: '/v1/responses', headers: [] }, sent: sent.gathered() },
    ...{ status: 200, headers: ['Content-Encoding', coding], received: received.gathered(), end },
    ...{ startedAt: '', headersMs: 0, endMs: 1_000, stallMs: 0, taken: 0 },
  };
}

async function read(from: Passed) {
  const found = await decoded(from);
  if (typeof found === 'string') return found;
  const { text: body, arrivals } = found.collected.body(createRedactor([]));
  return { ending: found.ending, body, lastMs: arrivals.at(-1)?.[1] };
}

it('a reply is recorded without its coding, with the times of its encoded bytes', async () => {
  const whole = { ending: { kind: 'complete' }, body: text };
  expect(await read(passed(Buffer.from(text), 'identity'))).toEqual({ ...whole, lastMs: 299 });
  const bytes = gzipSync(text);
  const lastMs = Math.floor(bytes.length / 100);
  expect(await read(passed(bytes, 'gzip'))).toEqual({ ...whole, lastMs });
});

it('an encoded reply that the gateway cuts is one that was cut, with what can be read of it', async () => {
  const bytes = gzipSync(text, { level: 0 });
  const found = await read(passed(bytes.subarray(0, 20_000), 'gzip', cut));
  expect(found).toMatchObject({ ending: cut, body: expect.stringMatching(/^data: \{"a":1\}\n/) });
});

it.each([
  ['encoded in another way than it says', passed(Buffer.from(text), 'gzip'), 'undecodable'],
  ['in a coding that is not read', passed(Buffer.from(text), 'zstd'), 'other-coding'],
  ['of more than 4 MB when it is decoded', passed(gzipSync(Buffer.alloc(40_000_000)), 'gzip'), 'too-large'],
])('a reply %s is told so', async (_, from, result) => {
  const found = await read(from);
  expect(typeof found === 'string' ? found : found.ending.kind).toBe(result);
});
