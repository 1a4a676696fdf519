import { describe, expect, it } from 'vitest';
import type { Check } from '../model/case.ts';
import type { Template } from '../model/plan.ts';
import {
  answered,
  viewOf,
  events,
  findingOf,
  judge,
  refused,
  replied,
  result,
  undecided,
} from './evidence.fixture.ts';

const chunk = (content: string) => ({ choices: [{ delta: { content } }] });
const stream = (id: string) => replied(id, { pieces: events([chunk('hello'), '[DONE]']) });
const open = [...undecided, ['a refusal', refused, /^HTTP 400/] as const];

describe('output', () => {
  const check: Check = { kind: 'output', requirement: 'r', protocol: 'chat', probes: ['a', 'b'] };

  it.each([
    ['a result', answered('b')],
    ['a stream', stream('b')],
    ['a result in the shape of another protocol', answered('b', 'messages')],
  ])('passes where one reply carries text, as %s', (_, entry) => {
    expect(judge(check, viewOf('chat', [answered('a', 'chat', ''), entry])).findings).toEqual([
      { requirement: 'r', verdict: 'pass' },
    ]);
  });

  it('fails where every answer is without text', () => {
    const finding = findingOf(
      judge(check, viewOf('chat', [answered('a', 'chat', ''), answered('b', 'chat', '')])),
    );
    expect(finding).toMatchObject({
      verdict: 'fail',
      message: 'no reply carries any text',
      expected: 'text of the assistant',
      actual: expect.stringMatching(/^HTTP 200, application\/json, \{"id"/),
    });
  });

  it('takes white space for no text', () => {
    const blank = ['a', 'b'].map((id) => answered(id, 'chat', ' \n'));
    expect(findingOf(judge(check, viewOf('chat', blank))).verdict).not.toBe('pass');
  });

  it('leaves it open where one answer has no field for text and another has an empty one', () => {
    const odd = replied('a', {
      json: { ...result.chat(''), choices: [{ index: 0, message: { words: 'x' } }] },
    });
    expect(findingOf(judge(check, viewOf('chat', [odd, answered('b', 'chat', '')]))).verdict).toBe(
      'inconclusive',
    );
  });

  it('leaves a text field of another name to its own requirement', () => {
    const json = {
      ...result.chat(''),
      choices: [{ index: 0, message: { role: 'assistant', words: 'hello' }, finish_reason: 'stop' }],
    };
    const finding = findingOf(judge(check, viewOf('chat', [replied('a', { json })])));
    expect(finding).toMatchObject({ verdict: 'inconclusive', message: 'no field that would carry the text' });
  });

  it.each(open)('is left open where the replies are %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('chat', [entry('a'), entry('b')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'nothing was answered',
      actual: expect.stringMatching(why),
    });
  });
});

describe('image-count', () => {
  const check: Check = { kind: 'image-count', requirement: 'r', probe: 'a', count: 2 };

  it('passes on exactly that many', () => {
    expect(findingOf(judge(check, viewOf('images', [answered('a', 'images', '2')]))).verdict).toBe('pass');
  });

  it.each(['0', '1', '3'])('fails on %s', (count) => {
    expect(findingOf(judge(check, viewOf('images', [answered('a', 'images', count)])))).toEqual({
      requirement: 'r',
      verdict: 'fail',
      message: `${count} images for n = 2`,
      pointer: '/data',
      expected: '2 elements',
      actual: `${count} elements`,
    });
  });

  it.each([
    ...open,
    [
      'a result without data',
      (id: string) => replied(id, { json: { created: 1 } }),
      /^data is nothing/,
    ] as const,
  ])('is left open by %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('images', [entry('a')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no images to count',
      actual: expect.stringMatching(why),
    });
  });
});

describe('image-url', () => {
  const check: Check = { kind: 'image-url', requirement: 'r', probe: 'a' };
  const of = (...data: readonly unknown[]) =>
    viewOf('images', [replied('a', { json: { created: 1_790_000_000, data } })]);

  it.each([
    ['a link', { url: 'https://x.test/1.png' }],
    ['more than a url', { url: 'https://x.test/1.png', revised_prompt: 'a circle', b64_json: null }],
    ['a url that can’t be fetched', { url: 'about:blank' }],
  ])('passes on %s', (_, image) => {
    expect(findingOf(judge(check, of(image, image))).verdict).toBe('pass');
  });

  it.each([
    ['no url', { b64_json: 'aGVsbG8=' }, 'nothing'],
    ['a url that is no string', { url: 7, b64_json: 'aGVsbG8=' }, '7'],
    ['a bare string', 'https://x.test/1.png', 'nothing'],
    ['null', null, 'nothing'],
  ])('fails on %s', (_, image, actual) => {
    const finding = findingOf(judge(check, of({ url: 'https://x.test/1.png' }, image)));
    const message = 'an image asked for as a url has none';
    expect(finding).toEqual({
      requirement: 'r',
      verdict: 'fail',
      message,
      pointer: '/data/1/url',
      expected: 'a string',
      actual,
    });
  });

  it('fails where only the first image is without one', () => {
    expect(findingOf(judge(check, of({ b64_json: 'AA==' }, { url: 'https://x.test/1.png' })))).toMatchObject({
      verdict: 'fail',
      pointer: '/data/0/url',
    });
  });

  it('is left open by an empty data', () => {
    expect(findingOf(judge(check, of()))).toMatchObject({ verdict: 'inconclusive', actual: 'data is empty' });
  });

  it.each(open)('is left open by %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('images', [entry('a')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no image to look at',
      actual: expect.stringMatching(why),
    });
  });
});

describe('chat-completion', () => {
  const check: Check = { kind: 'chat-completion', requirement: 'r', probe: 'a', again: ['b'] };

  it('passes on a chat completion, however its content holds the image', () => {
    const text = '![circle](data:image/png;base64,AAAA)';
    expect(findingOf(judge(check, viewOf('chat', [answered('a', 'chat', text)]))).verdict).toBe('pass');
  });

  it.each([
    ['its object', { object: 'chat.completion', data: [{ url: 'https://x.test/1.png' }] }],
    ['its choices', { choices: [], data: [{ url: 'https://x.test/1.png' }] }],
  ])('knows one by %s alone: its fields are judged elsewhere', (_, json) => {
    expect(findingOf(judge(check, viewOf('chat', [replied('a', { json })]))).verdict).toBe('pass');
  });

  it('fails on an image result', () => {
    const finding = findingOf(judge(check, viewOf('chat', [answered('a', 'images')])));
    expect(finding).toMatchObject({
      verdict: 'fail',
      message: 'the reply is no chat completion',
      expected: 'a chat completion',
    });
  });

  it.each([
    ['the only reply', []],
    ['each of two', [answered('b', 'chat', '')]],
    ['the one that is answered', [refused('b')]],
  ])('fails on a blank content in %s', (_, others) => {
    const view = viewOf('chat', [answered('a', 'chat', ' \n'), ...others]);
    expect(findingOf(judge(check, view))).toMatchObject({
      verdict: 'fail',
      message: 'the content of the chat completion is blank, and holds no image',
      pointer: '/choices/0/message/content',
    });
  });

  it('passes where one of two replies has a content: a model may fail to draw', () => {
    const entries = [answered('a', 'chat', ''), answered('b', 'chat', '![circle](x.png)')];
    expect(findingOf(judge(check, viewOf('chat', entries))).verdict).toBe('pass');
  });

  it('leaves a content that is no string to its own requirement', () => {
    const json = {
      ...result.chat(''),
      choices: [{ index: 0, message: { role: 'assistant', content: null } }],
    };
    expect(findingOf(judge(check, viewOf('chat', [replied('a', { json })]))).verdict).toBe('pass');
  });

  it('is left open by a stream that nobody asked for', () => {
    expect(findingOf(judge(check, viewOf('chat', [stream('a')])))).toMatchObject({
      verdict: 'inconclusive',
      message: 'a stream came unasked',
    });
  });

  it.each(open)('is left open by %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('chat', [entry('a')])));
    expect(finding).toMatchObject({ verdict: 'inconclusive', actual: expect.stringMatching(why) });
  });
});

describe('unstreamed', () => {
  const check = {
    kind: 'unstreamed',
    requirement: 'r',
    protocol: 'chat',
    declined: false,
    probes: ['a', 'b'],
  } as const satisfies Check;
  const declining: Check = { ...check, declined: true, probes: ['a'] };
  const saying = (json: Template) => ({ body: { json, cut: false } });

  it('passes where what is answered is one document', () => {
    expect(findingOf(judge(check, viewOf('chat', [refused('a'), answered('b')]))).verdict).toBe('pass');
  });

  it('fails on a stream, and shows it', () => {
    const judgement = judge(check, viewOf('chat', [answered('a'), stream('b')]));
    expect(judgement.shows).toBe('b');
    expect(findingOf(judgement)).toMatchObject({
      verdict: 'fail',
      message: 'a request without `stream` is answered by a stream',
      expected: 'one JSON document',
      actual: expect.stringMatching(/^HTTP 200, text\/event-stream, data: /),
    });
  });

  it('looks at every other request of the plan that says the same of a stream, and at no other', () => {
    const entries = [answered('a'), answered('b'), stream('c')];
    const declined = { a: saying({ stream: false }), c: saying({ stream: false, temperature: 1 }) };
    expect(findingOf(judge(check, viewOf('chat', entries, declined))).verdict).toBe('pass');
    const judgement = judge(declining, viewOf('chat', entries, declined));
    expect(judgement.shows).toBe('c');
    expect(findingOf(judgement)).toMatchObject({
      verdict: 'fail',
      message: 'a request with `stream` false is answered by a stream',
    });
    expect(findingOf(judge(check, viewOf('chat', entries, { c: saying({}) }))).verdict).toBe('fail');
    const elsewhere = { c: { ...saying({}), protocol: 'messages' as const } };
    expect(findingOf(judge(check, viewOf('chat', entries, elsewhere))).verdict).toBe('pass');
  });

  it('is not misled by the content type: a document sent as an event stream is one', () => {
    const entry = replied('a', {
      json: result.chat('hello'),
      headers: { 'content-type': 'text/event-stream' },
    });
    expect(findingOf(judge(check, viewOf('chat', [entry]))).verdict).toBe('pass');
  });

  it.each(open)('is left open by %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('chat', [entry('a')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'nothing was answered',
      actual: expect.stringMatching(why),
    });
  });
});
