import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../spec/vocabulary.ts';
import { readStream } from './stream.ts';
import { isSilent, textIncrements } from './text.ts';
import { timingOf } from './timing.ts';

type Event = readonly [name: string, data: unknown] | { readonly [member: string]: unknown };

const isNamed = (event: Event): event is readonly [string, unknown] => Array.isArray(event);

/** A stream of events that came 10 ms apart. */
function streamOf(events: readonly Event[]) {
  const pieces = events.map((event) => {
    const [name, data] = isNamed(event) ? event : [null, event];
    return `${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
  });
  let bytes = 0;
  const arrivals = pieces.map((piece, index) => {
    bytes += Buffer.byteLength(piece);
    return [bytes, (index + 1) * 10] as const;
  });
  return readStream({ text: pieces.join(''), encoding: 'utf8', bytes, arrivals });
}

const increments = (protocol: Protocol, ...events: readonly Event[]) =>
  textIncrements(streamOf(events), protocol).map(({ index, atMs, text }) => [index, atMs, text]);

const delta = (content: unknown) => ({ choices: [{ index: 0, delta: { content } }] });

describe('text increments', () => {
  it('of chat are the content of the first delta, where it is text', () => {
    expect(
      increments(
        'chat',
        { choices: [{ delta: { role: 'assistant', content: '' } }] },
        delta('Hel'),
        delta(null),
        delta('lo'),
        { choices: [], usage: { total_tokens: 3 } },
      ),
    ).toEqual([
      [1, 20, 'Hel'],
      [3, 40, 'lo'],
    ]);
  });

  it('of responses are the deltas of output text, and no other text', () => {
    expect(
      increments(
        'responses',
        { type: 'response.created', response: { id: 'resp_1', error: null } },
        { type: 'response.output_text.delta', delta: 'Hello' },
        { type: 'response.reasoning_text.delta', delta: 'hm' },
        { type: 'response.output_text.done', text: 'Hello' },
      ),
    ).toEqual([[1, 20, 'Hello']]);
  });

  it('of messages are read from the usual events', () => {
    expect(
      increments(
        'messages',
        ['message_start', { type: 'message_start', message: { id: 'msg_1', content: [] } }],
        ['content_block_start', { type: 'content_block_start', content_block: { type: 'text', text: '' } }],
        ['ping', { type: 'ping' }],
        [
          'content_block_delta',
          { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'hm' } },
        ],
        ['content_block_delta', { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hel' } }],
        ['content_block_delta', { type: 'content_block_delta', delta: { type: 'text_delta', text: 'lo' } }],
        ['message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn' } }],
        ['message_stop', { type: 'message_stop' }],
      ).map(([, , text]) => text),
    ).toEqual(['Hel', 'lo']);
  });

  it.each([
    [{ delta: 'Hi' }],
    [{ delta: { text: 'Hi' } }],
    [{ type: 'text_delta', text: 'Hi' }],
    [{ content: 'Hi' }],
    [{ type: 'completion', completion: 'Hi' }],
    [{ delta: { content: 'Hi' } }],
    [delta('Hi')],
    [{ type: 'content_block_start', content_block: { type: 'text', text: 'Hi' } }],
  ])('of messages are found in events of any type: %j', (event) => {
    expect(increments('messages', { type: 'ping' }, event)).toEqual([[1, 20, 'Hi']]);
  });

  it('of messages leave out a last event that repeats the whole', () => {
    const events = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'done', text: 'ab' },
    ];
    expect(increments('messages', ...events).map(([, , text]) => text)).toEqual(['a', 'b']);
  });

  it('of messages leave out a last event that repeats several before it, whatever its type', () => {
    const events = ['a', 'b', 'ab'].map((text, i) => ({ type: i < 2 ? 'chunk' : 'result', text }));
    const texts = (...all: readonly Event[]) => increments('messages', ...all).map(([, , text]) => text);
    expect(texts(...events, { type: 'usage', usage: { output_tokens: 2 } })).toEqual(['a', 'b']);
    expect(texts({ type: 'chunk', text: 'a' }, { type: 'result', text: 'a' })).toEqual(['a', 'a']);
    expect(texts(...events, { type: 'chunk', text: 'c' })).toEqual(['a', 'b', 'ab', 'c']);
    const fragment = (text: string) => ({ type: 'content_block_delta', delta: { type: 'text_delta', text } });
    expect(texts(fragment('a'), fragment('b'), fragment('ab'))).toEqual(['a', 'b', 'ab']);
  });

  it.each([
    { detail: { provider: 'azure' } },
    { code: 100, message: 'in progress' },
    { error: { code: null, message: null } },
    { error: { message: 'no more after this' } },
  ])('are there in their own place whatever stands beside them: %j', (more) => {
    const text = { type: 'text_delta', text: 'Hi' };
    expect(increments('chat', { ...delta('Hi'), ...more })).toEqual([[0, 10, 'Hi']]);
    const output = { type: 'response.output_text.delta', delta: 'Hi' };
    expect(increments('responses', { ...output, ...more })).toEqual([[0, 10, 'Hi']]);
    const block = { type: 'content_block_delta', delta: text };
    expect(increments('messages', { ...block, ...more })).toEqual([[0, 10, 'Hi']]);
    expect(increments('chat', ['error', { ...delta('Hi'), ...more }])).toEqual([]);
  });

  it('of messages are found in events of unknown shape, where no known place has any', () => {
    const bare = [{ t: 'Hel' }, { error: { message: 'no' }, t: 'no' }, { t: 'lo' }];
    expect(increments('messages', ...bare).map(([, , text]) => text)).toEqual(['Hel', 'lo']);
    expect(increments('messages', ...bare, { text: 'Hi' }).map(([, , text]) => text)).toEqual(['Hi']);
    expect(increments('messages', { type: 'message_delta', delta: { text: 'Hi' } })).toHaveLength(1);
  });

  it('of other protocols stand where they are stated, and nowhere else', () => {
    expect(increments('chat', { t: 'Hel' }, { t: 'lo' })).toEqual([]);
    expect(increments('responses', { type: 'x', t: 'Hel' }, { type: 'x', t: 'lo' })).toEqual([]);
  });

  it('of messages are none in the known events without text', () => {
    expect(
      increments(
        'messages',
        { type: 'message_start', message: { id: 'msg_1', role: 'assistant', model: 'c-large', content: [] } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'hm' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } },
        { type: 'message_stop' },
      ),
    ).toEqual([]);
  });

  it('are none in an event that is an error', () => {
    expect(
      increments('messages', ['error', { text: 'no' }], { error: { message: 'no' }, text: 'no' }),
    ).toEqual([]);
  });
});

describe('an answer', () => {
  const chat = (message: object) => ({ choices: [{ index: 0, message }] });
  const result = (json: object, protocol: Protocol) =>
    isSilent({ kind: 'result', json, shape: protocol }, protocol);

  it.each<[Protocol, object, boolean]>([
    ['chat', chat({ content: '' }), true],
    ['chat', chat({ content: 'hi' }), false],
    ['chat', chat({}), false],
    ['chat', chat({ content: null }), false],
    ['responses', { output: [], output_text: '' }, true],
    ['responses', { output: [{ type: 'message', content: [{ text: '' }] }] }, true],
    ['responses', { output: [{ type: 'message', content: [{ text: 'hi' }] }], output_text: '' }, false],
    ['messages', { content: [{ type: 'text', text: '' }] }, true],
    ['messages', { content: [] }, true],
    ['messages', { content: [{ type: 'text' }] }, false],
    ['images', { data: [] }, false],
  ])('of %s says nothing where its text is there and empty: %j', (protocol, json, expected) => {
    expect(result(json, protocol)).toBe(expected);
  });

  it.each<[Protocol, readonly Event[], boolean]>([
    ['chat', [delta(''), { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }], true],
    ['chat', [delta('hi')], false],
    ['messages', [{ type: 'message_stop' }], true],
    ['messages', [{ piece: 'some words that may be text' }], false],
  ])('in a stream of %s says nothing where no event may hold text: %j', (protocol, events, expected) => {
    const stream = streamOf(events);
    expect(isSilent({ kind: 'stream', stream, text: '', shape: protocol }, protocol)).toBe(expected);
  });
});

describe('timing', () => {
  it('tells first, last, span, total and count', () => {
    const found = textIncrements(streamOf([delta('a'), delta(''), delta('b'), {}]), 'chat');
    expect(timingOf(found, { endMs: 55.5 })).toEqual({
      firstMs: 10,
      lastMs: 30,
      spanMs: 20,
      totalMs: 55.5,
      count: 2,
      arrivals: 2,
    });
  });

  it('has no first and last where there was no text', () => {
    expect(timingOf([], { endMs: 7 })).toEqual({
      firstMs: null,
      lastMs: null,
      spanMs: 0,
      totalMs: 7,
      count: 0,
      arrivals: 0,
    });
  });
});
