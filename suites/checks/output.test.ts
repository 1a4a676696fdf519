import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import {
  answered,
  viewOf,
  findingOf,
  judge,
  replied,
  result,
  unanswered,
  streamed,
} from './evidence.fixture.ts';

describe('output', () => {
  const check: Check = { kind: 'output', requirement: 'r', protocol: 'chat', probes: ['a', 'b'] };

  it.each([
    ['a result', answered('b')],
    ['a stream', streamed('b')],
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
      message: 'no reply of this endpoint carries any text, streamed or not',
      expected: 'text of the assistant',
      actual: expect.stringMatching(/^HTTP 200, application\/json, \{"id"/),
    });
  });

  it('takes white space for no text', () => {
    const blank = ['a', 'b'].map((id) => answered(id, 'chat', ' \n'));
    expect(findingOf(judge(check, viewOf('chat', blank))).verdict).not.toBe('pass');
  });

  it('is inconclusive where one answer has no field for text and another has an empty one', () => {
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

  it.each(unanswered)('is inconclusive where the replies are %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('chat', [entry('a'), entry('b')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no request that would show it was answered',
      actual: expect.stringMatching(why),
    });
  });
});
