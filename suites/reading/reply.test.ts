import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { Ending } from '../types/reasons/exchange-reasons.ts';
import { readReply } from './reply.ts';
import { replyText } from './text.ts';

interface Literal {
  readonly status?: number;
  readonly type?: string;
  readonly ending?: Ending;
}

function seen(content: unknown, { status = 200, type = 'application/json', ending }: Literal = {}) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const bytes = Buffer.byteLength(text);
  const body = { text, encoding: 'utf8', bytes, arrivals: [[bytes, 5]] } as const;
  const headers = [['content-type', type]] as const;
  return { response: { status, headers, body }, ending: ending ?? ({ kind: 'complete' } as const) };
}

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const results: Readonly<Record<Protocol, Readonly<Record<string, unknown>>>> = {
  chat: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'g-large',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage,
  },
  responses: {
    id: 'resp_1',
    object: 'response',
    error: null,
    status: 'completed',
    output: [
      { type: 'reasoning', summary: [] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
    ],
    output_text: 'Hello',
  },
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 3, output_tokens: 2 },
  },
  images: { created: 1_700_000_000, data: [{ url: 'https://gateway.example.com/1.png' }] },
};
const all = Object.keys(results) as Protocol[];

describe('a result', () => {
  it.each(all)('of %s is one, with its text', (protocol) => {
    const reading = readReply(seen(results[protocol]), protocol);
    expect(reading).toMatchObject({ kind: 'result', shape: protocol });
    expect(replyText(reading, protocol)).toBe(protocol === 'images' ? '' : 'Hello');
  });

  it.each(all)('of %s stays one with any field missing, renamed, null or of a wrong type', (protocol) => {
    const result = results[protocol];
    for (const name of Object.keys(result)) {
      const { [name]: value, ...rest } = result;
      for (const changed of [undefined, null, 7, 'x', [], {}, true]) {
        const json = changed === undefined ? rest : { ...rest, [name]: changed };
        // An error beside it, or a type that says so, is no fault of a field.
        if (name === 'error') continue;
        expect(readReply(seen(json), protocol).kind, `${name}: ${JSON.stringify(changed)}`).toBe('result');
      }
      const renamed = { ...rest, [`${name}_`]: value };
      expect(readReply(seen(renamed), protocol).kind, `${name} renamed`).toBe('result');
    }
  });

  it.each([
    ['messages', { content: [{ type: 'text', text: 'Hello' }] }],
    ['messages', { content: 'Hello', role: 'assistant' }],
    // A model may say nothing.
    ['messages', { content: [{ text: '' }] }],
    ['responses', { output_text: 'Hello' }],
    ['chat', { choices: [{ message: { content: [{ type: 'text', text: 'Hello' }] } }] }],
    ['images', { created: 1, data: [{ b64_json: 'AAAA' }] }],
  ] as const)('of %s may be as bare as the interface shows it', (protocol, json) => {
    expect(readReply(seen(json), protocol)).toMatchObject({ kind: 'result', shape: protocol });
  });

  it.each(['chat', 'responses', 'images'] as const)(
    'of %s that comes twice is a result with something behind it, and no stream',
    (protocol) => {
      const text = JSON.stringify(results[protocol]);
      expect(readReply(seen(text + text), protocol)).toMatchObject({
        kind: 'result',
        trail: text.slice(0, 200).trim(),
      });
    },
  );

  it('of chat with a delta in each choice is an event of a stream', () => {
    const chunk = { choices: [{ index: 0, delta: { content: 'Hi' }, message: { role: 'assistant' } }] };
    expect(readReply(seen(`${JSON.stringify(chunk)}\n${JSON.stringify(chunk)}`), 'chat').kind).toBe('stream');
  });

  it('counts whatever the status, unless that is retryable', () => {
    for (const status of [201, 302, 400, 401, 404, 500]) {
      expect(readReply(seen(results.chat, { status }), 'chat').kind).toBe('result');
    }
    expect(readReply(seen(results.chat, { status: 503 }), 'chat').kind).toBe('transient');
  });

  it('of another endpoint is generated output as well', () => {
    for (const protocol of all) {
      const other = all.find((each) => each !== protocol) ?? protocol;
      expect(readReply(seen(results[other]), protocol)).toMatchObject({ kind: 'result', shape: other });
    }
    const wrapped = { code: 0, message: 'ok', data: results.chat };
    expect(readReply(seen(wrapped), 'chat')).toMatchObject({ kind: 'result', shape: 'chat' });
  });

  it.each([
    { code: 'SUCCESS', message: 'request handled' },
    { code: 0, message: 'ok' },
    { code: 200, msg: 'OK' },
    { code: 20_000, msg: 'success' },
    { status: 'success', success: true },
    { error: null, errors: [] },
    { error: {} },
    { error: { code: null, message: '', param: 0, details: [] } },
    { error: '' },
    { error: false },
    { detail: 'cached', reason: 'cache hit' },
  ])('may say that all is well: %j', (more) => {
    const bare = { content: [{ text: 'Hello' }] };
    expect(readReply(seen({ ...more, ...bare }), 'messages').kind).toBe('result');
    for (const protocol of all) {
      expect(readReply(seen({ ...results[protocol], ...more }), protocol).kind).toBe('result');
    }
  });

  it.each([
    { code: 'SUCCESS', message: 'request handled' },
    { code: 20_000, msg: 'success' },
    { error: {}, errors: [] },
  ])('may say so where its images have a layout of their own: %j', (more) => {
    const json = { ...more, created: 1, data: [{ image: { bytes: 'AAAA' } }] };
    expect(readReply(seen(json), 'images')).toMatchObject({ kind: 'result', shape: 'images' });
  });

  it('of images may have a word beside each of them, or an error in place of one', () => {
    const image = { image: { bytes: 'AAAA' }, message: 'drawn' };
    expect(readReply(seen({ created: 1, data: [image] }), 'images').kind).toBe('result');
    expect(readReply(seen({ created: 1, data: [image, { error: 'no' }] }), 'images').kind).toBe('result');
    const json = { ...results.images, data: [{ error: 'no' }, { url: 'https://gateway.example.com/1.png' }] };
    expect(readReply(seen(json, { status: 400 }), 'images').kind).toBe('result');
  });

  it('with generated text counts even beside an error', () => {
    const json = { ...results.chat, error: { message: 'temperature out of range' } };
    expect(readReply(seen(json), 'chat').kind).toBe('result');
  });
});

describe('a refusal', () => {
  const error = { message: 'Invalid token', type: 'new_api_error', param: '', code: '' };
  it.each([
    { error },
    { type: 'error', error },
    { error: 'Invalid token' },
    { code: 401, message: 'Unauthorized', data: null },
    { code: 'invalid_api_key', message: 'Unauthorized' },
    { success: false, message: 'no' },
    { detail: [{ loc: ['body', 'model'], msg: 'field required' }] },
    { detail: 'Not authenticated' },
    { error, choices: [] },
    { error, created: 1, data: [] },
    { error, created: 1, data: null },
    { error, usage },
    { object: 'error', message: 'no such model' },
    { object: 'response', status: 'failed', error, output: [] },
    { type: 'error', content: [{ type: 'text', text: 'Invalid token' }] },
    { isError: true, content: [{ type: 'text', text: 'Invalid token' }] },
    { message: 'Unauthorized' },
    { code: 'invalid_api_key', content: [{ type: 'text', text: 'Invalid token' }] },
    { code: '401', message: 'Unauthorized', content: [{ type: 'text', text: 'Invalid token' }] },
    { errors: [{ message: 'no' }], content: [{ type: 'text', text: 'Invalid token' }] },
    [{ error: { code: 400, message: 'API key not valid', status: 'INVALID_ARGUMENT' } }],
    {
      choices: null,
      created: 1,
      object: '',
      usage: { total_tokens: 0 },
      base_resp: { status_code: 2013, status_msg: 'invalid params' },
    },
    { object: 'chat.completion', choices: [{ error: { code: 400 }, message: { content: '' } }] },
    { error, data: [{ id: 'g', object: 'model', url: 'https://docs.example.com' }] },
  ])('is an error object, on whatever status: %j', (json) => {
    for (const protocol of all) {
      for (const status of [200, 400, 401, 500]) {
        expect(readReply(seen(json, { status }), protocol)).toEqual({
          kind: 'refusal',
          form: 'error-json',
          json,
        });
      }
    }
  });

  it.each([
    { message: 'Too many tokens', usage: { used_tokens: 9, limit_tokens: 9 } },
    { message: 'no', kind: 'auth', created: 1_700_000_000 },
    { type: 'message', level: 'error', message: 'no' },
    { id: 'msg_1', reason: 'no such model' },
    { object: 'chat.completion', choices: [] },
    { object: 'response', output: [] },
    { created: 1, data: [] },
    { data: [{ title: 'Errors', url: 'https://docs.example.com' }] },
    { created: 1, data: [{ error: 'n must be 1 to 10' }] },
    { created: 1, data: [{ title: 'n', hint: 'must be 1 to 10' }] },
    { status: 'rejected', content: [{ type: 'text', text: 'bad temperature' }] },
  ])('has the status of an error and nothing that was generated: %j', (json) => {
    for (const protocol of all) {
      expect(readReply(seen(json, { status: 400 }), protocol)).toMatchObject({ kind: 'refusal', json });
    }
  });

  it.each([
    ['chat', { message: 'Too many tokens', usage: { used_tokens: 9, limit_tokens: 9 } }],
    ['images', { message: 'no', kind: 'auth', created: 1_700_000_000 }],
    ['images', { message: 'no', data: [{ title: 'Errors', url: 'https://docs.example.com' }] }],
    ['chat', { data: [{ title: 'Errors', url: 'https://docs.example.com' }] }],
    ['messages', { type: 'message', level: 'error', message: 'no' }],
    ['images', { created: 1, data: [{ error: 'n must be 1 to 10' }] }],
    ['images', { created: 1, data: [{ message: 'n must be 1 to 10', code: 7 }] }],
    ['chat', { status: 'rejected', content: [{ type: 'text', text: 'bad temperature' }] }],
  ] as const)('of %s says in words what is wrong, whatever the status: %j', (protocol, json) => {
    expect(readReply(seen(json), protocol)).toMatchObject({ kind: 'refusal', json });
  });

  it.each([
    ['empty', '', 'text/plain', 401],
    ['empty', ' \n', 'application/json', 200],
    ['text', 'Invalid token', 'text/plain', 401],
    ['text', '{"error": "cut', 'application/json', 400],
    ['html', '<!DOCTYPE html><title>403</title>', 'text/plain', 403],
    ['html', 'Forbidden', 'text/html; charset=utf-8', 403],
    ['redirect', '', 'text/html', 302],
    ['redirect', '<html>Moved</html>', 'text/html', 308],
    ['other-json', '{}', 'application/json', 200],
    ['other-json', '"no"', 'application/json', 400],
    ['other-json', 'null', 'application/json', 400],
    ['other-json', '{"object":"list","data":[{"id":"g-large"}]}', 'application/json', 200],
    ['other-json', '{"content":"Unauthorized"}', 'application/json', 403],
  ])('has the form %s: %j', (form, text, type, status) => {
    for (const protocol of all) {
      expect(readReply(seen(text, { status, type }), protocol)).toMatchObject({ kind: 'refusal', form });
    }
  });

  it.each([
    ['error-stream', 'event: error\ndata: {"type":"error","error":{"message":"no"}}\n\n'],
    ['error-stream', 'data: {"error":{"message":"no"}}\n\ndata: [DONE]\n\n'],
    ['error-stream', 'data: {"choices":[],"error":{"message":"no"}}\n\n'],
    ['error-stream', '{"error":"no"}\n{"error":"no"}\n'],
    ['error-stream', 'data: {"code":401,"message":"Unauthorized"}\n\n'],
    ['error-stream', 'data: {"type":"response.failed","response":{"error":{"code":"x"}}}\n\n'],
    ['empty-stream', 'data: [DONE]\n\n'],
    ['other-stream', 'data: Unauthorized\n\n'],
    ['other-stream', 'data: {"hello":1}\n\n'],
  ])('may be a stream without output (%s): %j', (form, text) => {
    for (const protocol of all) {
      expect(readReply(seen(text), protocol)).toMatchObject({ kind: 'refusal', form });
    }
  });
});

describe('a stream', () => {
  const chunk = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;

  it('is one of its protocol with the text joined', () => {
    const reading = readReply(seen(`${chunk('Hel')}${chunk('lo')}data: {"choices":[]}\n\n`), 'chat');
    expect(reading).toMatchObject({ kind: 'stream', text: 'Hello', shape: 'chat' });
  });

  it.each([
    ['chat', 'data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n'],
    ['messages', 'data: {"type":"message_start","message":{"content":[]}}\n\n'],
  ] as const)('of %s that begins and ends in an error is a refusal', (protocol, text) => {
    for (const error of ['event: error\ndata: {"text":"no"}\n\n', 'data: {"error":{"message":"no"}}\n\n']) {
      const reading = readReply(seen(`${text}${error}`), protocol);
      expect(reading).toMatchObject({ kind: 'refusal', form: 'error-stream' });
    }
  });

  it('counts as output although an error follows the text', () => {
    expect(readReply(seen(`${chunk('Hel')}data: {"error":{"message":"lost"}}\n\n`), 'chat')).toMatchObject({
      kind: 'stream',
      text: 'Hel',
    });
  });

  it.each([
    ['chat', 'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n'],
    ['chat', 'data: {"object":"chat.completion.chunk","options":[]}\n\n'],
    ['chat', 'data: {"choices":[{"delta":{"content":"Hel\n\n'],
    ['responses', 'data: {"type":"response.created","response":{"error":null}}\n\n'],
    ['messages', 'event: message_start\ndata: {"type":"message_start","message":{"content":[]}}\n\n'],
  ] as const)('of %s without text is still one: %j', (protocol, text) => {
    expect(readReply(seen(text), protocol)).toMatchObject({ kind: 'stream', text: '', shape: protocol });
  });

  it.each([
    ['its own result in an event', { response: { output: [{ content: [{ text: 'Hello' }] }] } }],
    ['an event of its own type', { type: 'response.created', response: {} }],
  ])('of responses is none of another protocol where it has %s', (_what, event) => {
    const done = { type: 'text.done', text: 'Hello' };
    const text = [done, event].map((each) => `data: ${JSON.stringify(each)}\n\n`).join('');
    expect(readReply(seen(text), 'responses')).toMatchObject({
      kind: 'stream',
      text: '',
      shape: 'responses',
    });
  });

  it('of another protocol is output, but not text of this one', () => {
    const event = { type: 'response.output_text.delta', delta: 'Hello' };
    const reading = readReply(seen(`data: ${JSON.stringify(event)}\n\n`), 'chat');
    expect(reading).toMatchObject({ kind: 'stream', text: '', shape: 'responses' });
    expect(replyText(reading, 'chat')).toBe('Hello');
  });

  it('of messages in a shape of its own is one, where several events add to its text', () => {
    const text = 'data: {"t":"Hel"}\n\ndata: {"t":"lo"}\n\n';
    expect(readReply(seen(text), 'messages')).toMatchObject({ kind: 'stream', text: 'Hello' });
    expect(readReply(seen('data: Hel\n\ndata: lo\n\n'), 'messages')).toMatchObject({ text: 'Hello' });
    expect(readReply(seen(text, { status: 400 }), 'messages').kind).toBe('refusal');
    expect(readReply(seen(`${text}data: {"error":"no"}\n\n`), 'messages').kind).toBe('refusal');
    expect(readReply(seen(text), 'chat')).toMatchObject({ kind: 'refusal', form: 'other-stream' });
  });

  it.each([
    ['empty-stream', '', 'text/event-stream; charset=utf-8', 0, 0],
    ['empty-stream', ': wait\n\n', 'text/event-stream', 0, 0],
    ['empty-stream', 'data: [DONE]\n\n', 'text/plain', 0, 0],
    ['other-stream', 'data: {"hello":1}\n\n', 'text/event-stream', 1, 0],
    ['other-stream', '{"hello":1}\n{"hello":2}\n', 'application/json', 2, 0],
    ['other-stream', 'hello', 'text/event-stream', 0, 1],
  ])(
    'without known output (%s) refuses, and is there to be judged as a stream: %j',
    (form, text, type, events, problems) => {
      for (const protocol of all) {
        const reading = readReply(seen(text, { type }), protocol);
        expect(reading).toMatchObject({ kind: 'refusal', form });
        const stream = reading.kind === 'refusal' ? reading.stream : undefined;
        expect([stream?.events.length, stream?.problems.length]).toEqual([events, problems]);
      }
    },
  );

  it.each([
    ['error-stream', 'data: {"error":"no"}\n\n', 'text/event-stream', 200],
    ['empty', '', 'text/plain', 200],
    ['empty', '', 'text/event-stream', 204],
    ['empty', '', 'text/event-stream', 401],
    ['empty-stream', 'data: [DONE]\n\n', 'text/event-stream', 401],
    ['html', '<html>no</html>', 'text/event-stream', 200],
    ['text', 'Unauthorized', 'text/plain', 200],
  ])('is none (%s) where a refusal is all that it may be: %j', (form, text, type, status) => {
    for (const protocol of all) {
      const reading = readReply(seen(text, { type, status }), protocol);
      expect(reading).toMatchObject({ kind: 'refusal', form });
      expect('stream' in reading).toBe(false);
    }
  });

  it.each<[Protocol, unknown, string]>([
    ['responses', { type: 'response.output_text.delta', delta: 'hello' }, 'stream'],
    ['messages', { type: 'content_block_delta', delta: { type: 'text_delta', text: 'hello' } }, 'stream'],
    ['chat', { choices: [{ index: 0, delta: { content: 'hello' } }] }, 'stream'],
    ['responses', { type: 'response.failed' }, 'refusal'],
    ['messages', { type: 'content_blocked' }, 'refusal'],
  ])('of %s may be one event, where that brings text: %j', (protocol, event, kind) => {
    const reply = seen(event, { type: 'text/event-stream' });
    const reading = readReply(reply, protocol, { isStreamed: true });
    expect(reading.kind).toBe(kind);
    expect(readReply(reply, protocol).kind).not.toBe('stream');
    if (kind === 'stream') expect(replyText(reading, protocol)).toBe('hello');
  });

  it.each([
    ['is the word that was asked for', 'hello', 'stream'],
    ['is anything else', 'No such model.', 'refusal'],
  ])('of messages may be one event in a shape of its own, where its text %s', (_what, content, kind) => {
    const text = `data: ${JSON.stringify({ message: { role: 'assistant', content }, done: false })}\n\n`;
    const prompt = () => '["Reply with the word hello."]';
    expect(readReply(seen(text, { type: 'text/event-stream' }), 'messages', { prompt }).kind).toBe(kind);
  });

  it('of one whole result is output', () => {
    expect(
      readReply(seen(`data: ${JSON.stringify(results.chat)}\n\ndata: [DONE]\n\n`), 'chat'),
    ).toMatchObject({
      kind: 'stream',
      shape: 'chat',
    });
  });
});

describe('an outcome that proves nothing', () => {
  it.each([408, 425, 429, 502, 503, 504, 520, 530])('is status %i', (status) => {
    expect(readReply(seen({ error: 'later' }, { status }), 'chat')).toMatchObject({
      kind: 'transient',
      transient: { cause: 'status', status },
    });
  });

  it.each<Ending>([
    { kind: 'cut', detail: 'closed' },
    { kind: 'garbled', detail: 'no HTTP' },
    { kind: 'timeout', afterMs: 100 },
    { kind: 'oversize', bound: 'body', limit: 9 },
  ])('is a reply that ended as %j', (ending) => {
    expect(readReply(seen(results.chat, { ending }), 'chat')).toMatchObject({
      kind: 'transient',
      transient: { cause: ending.kind },
    });
  });

  it('is no reply at all', () => {
    const none = { response: null, ending: { kind: 'unreachable', detail: 'ECONNREFUSED' } } as const;
    expect(readReply(none, 'chat')).toEqual({
      kind: 'transient',
      transient: { cause: 'unreachable', detail: 'ECONNREFUSED' },
    });
  });
});

describe('a document of more values than are read', () => {
  it('proves nothing, and is not parsed', () => {
    const many = (count: number) => `{"object":"chat.completion","choices":[${'{},'.repeat(count)}{}]}`;
    expect(readReply(seen(many(100_000)), 'chat').kind).toBe('result');
    expect(readReply(seen(many(200_000)), 'chat')).toEqual({
      kind: 'transient',
      transient: { cause: 'too-complex', bound: 'values', limit: 300_000 },
    });
  });

  it('proves nothing either where it is a stream of more events', () => {
    const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n';
    expect(readReply(seen(chunk.repeat(9_999)), 'chat').kind).toBe('stream');
    expect(readReply(seen(chunk.repeat(10_001)), 'chat')).toEqual({
      kind: 'transient',
      transient: { cause: 'too-complex', bound: 'events', limit: 10_000 },
    });
  });

  it('proves nothing either where it is nested deeper than is looked at', () => {
    const deep = (levels: number) =>
      `{"object":"chat.completion","choices":[],"more":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(readReply(seen(deep(100)), 'chat').kind).toBe('result');
    expect(readReply(seen(deep(5000)), 'chat')).toMatchObject({
      kind: 'transient',
      transient: { cause: 'too-complex', bound: 'levels', limit: 200 },
    });
  });

  it('is none where the commas stand in its strings', () => {
    const drawing = `data:image/svg+xml,${'M0,0,'.repeat(200_000)}\\"`;
    const json = { ...results.images, data: [{ url: drawing }] };
    expect(readReply(seen(json), 'images').kind).toBe('result');
  });

  it('is none where it is no JSON', () => {
    expect(readReply(seen(','.repeat(400_000), { status: 400 }), 'chat')).toMatchObject({ kind: 'refusal' });
  });
});

describe('a document of megabytes', () => {
  const long = 'QUJD'.repeat(100_000);

  it('of images is kept with the beginning of its strings, and all of its images', () => {
    const reading = readReply(seen({ created: 1, data: [{ b64_json: long }, { url: long }] }), 'images');
    const data = (reading as { json: { data: Record<string, string>[] } }).json.data;
    expect(data.map((image) => Object.entries(image).map(([name, value]) => [name, value.length]))).toEqual([
      [['b64_json', 4096]],
      [['url', 4096]],
    ]);
  });

  it('of text is kept with the beginning of its text and of endless arrays', () => {
    const value = { output_text: long, output: [], extra: Array(20_000).fill(1) };
    const { json } = readReply(seen(value), 'responses') as {
      json: { output_text: string; extra: unknown[] };
    };
    expect(json.output_text === long.slice(0, 65_536)).toBe(true);
    expect(json.extra).toHaveLength(1000);
  });

  it('in an event of a stream is kept with the beginning of its text', () => {
    const event = { choices: [{ delta: { content: long } }] };
    const { stream } = readReply(seen(`data: ${JSON.stringify(event)}\n\n`), 'chat') as {
      stream: { events: readonly { data: typeof event }[] };
    };
    expect(stream.events[0]?.data.choices[0]?.delta.content === long.slice(0, 65_536)).toBe(true);
  });
});
