import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import {
  answered,
  viewOf,
  judge,
  replied,
  result,
  unanswered,
  streamed,
  foundIn,
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
    expect(foundIn(check, [answered('a', 'chat', ''), answered('b', 'chat', '')])).toMatchObject({
      verdict: 'fail',
      message: 'no reply of this endpoint carries any text, streamed or not',
      expected: 'text of the assistant',
      actual: expect.stringMatching(/^HTTP 200, application\/json, \{"id"/),
    });
  });

  it('takes white space for no text', () => {
    const blank = ['a', 'b'].map((id) => answered(id, 'chat', ' \n'));
    expect(foundIn(check, blank).verdict).not.toBe('pass');
  });

  it('is inconclusive where one answer has no field for text and another has an empty one', () => {
    const odd = replied('a', {
      json: { ...result.chat(''), choices: [{ index: 0, message: { words: 'x' } }] },
    });
    expect(foundIn(check, [odd, answered('b', 'chat', '')]).verdict).toBe('inconclusive');
  });

  it('leaves a text field of another name to its own requirement', () => {
    const json = {
      ...result.chat(''),
      choices: [{ index: 0, message: { role: 'assistant', words: 'hello' }, finish_reason: 'stop' }],
    };
    expect(foundIn(check, [replied('a', { json })])).toMatchObject({
      verdict: 'inconclusive',
      message: 'no field that would carry the text',
    });
  });

  it.each(unanswered)('is inconclusive where the replies are %s', (_, entry, why) => {
    expect(foundIn(check, [entry('a'), entry('b')])).toMatchObject({
      verdict: 'inconclusive',
      message: 'no request that would show it was answered',
      actual: expect.stringMatching(why),
    });
  });
});
