import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../spec/vocabulary.ts';
import { readReply } from '../reading/reply.ts';
import { type Usage, usageOf } from './usage.ts';

const asked: Usage = { input: 20, output: 1, images: 0, hdImages: 0 };
const threeImages: Usage = { ...asked, output: 0, images: 3 };

function answer(text: string, protocol: Protocol, of: Usage = asked) {
  const body = { text, encoding: 'utf8', bytes: text.length, arrivals: [] } as const;
  const reading = readReply(
    { response: { status: 200, headers: [], body }, ending: { kind: 'complete' } },
    protocol,
  );
  if (reading.kind !== 'result' && reading.kind !== 'stream') throw new Error(`read as ${reading.kind}`);
  return usageOf(reading, protocol, of);
}
const chat = (usage: unknown) =>
  JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'one two three' } }], usage });
const sse = (...events: readonly unknown[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

describe('what an answer is billed by', () => {
  it('is what it reports, under the names of either vendor', () => {
    expect(answer(chat({ prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 }), 'chat')).toEqual({
      usage: { ...asked, input: 7, output: 5 },
      isEstimated: false,
    });
    const message = {
      content: [{ type: 'text', text: 'one' }],
      usage: { input_tokens: 0, output_tokens: 9 },
    };
    expect(answer(JSON.stringify(message), 'messages').usage).toEqual({ ...asked, input: 0, output: 9 });
  });

  it.each([[undefined], [null], ['much'], [{ prompt_tokens: '7', completion_tokens: -1 }]])(
    'is counted by its text and its prompt where it reports %j',
    (usage) => {
      expect(answer(chat(usage), 'chat')).toEqual({ usage: { ...asked, output: 3 }, isEstimated: true });
    },
  );

  it('is counted in the part that it does not report', () => {
    expect(answer(chat({ completion_tokens: 50 }), 'chat')).toEqual({
      usage: { ...asked, output: 50 },
      isEstimated: true,
    });
  });

  it('is the largest that the events of a stream report, which count up', () => {
    const stream = sse(
      { type: 'message_start', message: { content: [], usage: { input_tokens: 11, output_tokens: 1 } } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'one two' } },
      { type: 'message_delta', usage: { output_tokens: 6 } },
    );
    expect(answer(stream, 'messages')).toEqual({
      usage: { ...asked, input: 11, output: 6 },
      isEstimated: false,
    });
    const responses = sse(
      { type: 'response.output_text.delta', delta: 'one' },
      { type: 'response.completed', response: { usage: { input_tokens: 4, output_tokens: 2 } } },
    );
    expect(answer(responses, 'responses').usage).toEqual({ ...asked, input: 4, output: 2 });
  });

  it('of images is how many came, at the quality that was asked for', () => {
    const images = JSON.stringify({ created: 1, data: [{ url: 'a' }, { url: 'b' }] });
    expect(answer(images, 'images', threeImages)).toEqual({
      usage: { ...threeImages, images: 2 },
      isEstimated: false,
    });
    const hd = { ...threeImages, images: 0, hdImages: 3 };
    expect(answer(images, 'images', hd).usage).toEqual({ ...hd, hdImages: 2 });
    expect(answer(chat(undefined), 'chat', { ...threeImages, images: 1 }).usage.images).toBe(1);
  });
});
