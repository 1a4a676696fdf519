import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import {
  answered,
  viewOf,
  findingOf,
  judge,
  refused,
  replied,
  result,
  unanswered,
  streamed,
} from './evidence.fixture.ts';

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
      message: 'the reply is not a chat completion',
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

  it('is inconclusive on a stream that nobody asked for', () => {
    expect(findingOf(judge(check, viewOf('chat', [streamed('a')])))).toMatchObject({
      verdict: 'inconclusive',
      message: 'a stream came unrequested',
    });
  });

  it.each(unanswered)('is inconclusive on %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('chat', [entry('a')])));
    expect(finding).toMatchObject({ verdict: 'inconclusive', actual: expect.stringMatching(why) });
  });
});
