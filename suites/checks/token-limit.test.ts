import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import type { Exchange } from '../types/exchange.ts';
import {
  answered,
  viewOf,
  events,
  findingOf,
  judge,
  refused,
  replied,
  result,
  saying,
  unanswered,
  foundIn,
} from './evidence.fixture.ts';

const words = (count: number): string => Array.from({ length: count }, () => 'otter').join(' ');
const long = answered('long', 'chat', words(100));

/** A chat completion that says how many tokens it took. */
const counted = (id: string, text: string, tokens: unknown) =>
  replied(id, {
    json: { ...result.chat(text), usage: { prompt_tokens: 5, completion_tokens: tokens, total_tokens: 5 } },
  });

/** One word, and a count of which a part is said to be thought. */
const thought = (id: string, tokens: number, reasoning: unknown) => {
  const details = { completion_tokens_details: { reasoning_tokens: reasoning } };
  const usage = { prompt_tokens: 5, completion_tokens: tokens, total_tokens: 5 + tokens, ...details };
  return replied(id, { json: { ...result.chat('otter'), usage } });
};

const check: Extract<Check, { kind: 'token-limit' }> = {
  kind: 'token-limit',
  requirement: 'r',
  protocol: 'chat',
  probes: [
    { exchange: 'one', limit: 1 },
    { exchange: 'sixteen', limit: 16 },
  ],
  control: 'long',
};

describe('token-limit', () => {
  it('passes where the limits are kept and the reply without one is longer', () => {
    const view = viewOf('chat', [counted('one', 'otter', 1), counted('sixteen', words(16), 16), long]);
    expect(findingOf(judge(check, view)).verdict).toBe('pass');
  });

  it('passes by one limit where the model could not keep the other', () => {
    expect(foundIn(check, [refused('one'), counted('sixteen', words(9), 12), long]).verdict).toBe('pass');
  });

  it('fails by the count of tokens, though the text is short', () => {
    const judgement = judge(
      check,
      viewOf('chat', [counted('one', 'otter', 1), counted('sixteen', words(12), 17), long]),
    );
    expect(judgement.shows).toBe('sixteen');
    expect(findingOf(judgement)).toMatchObject({
      verdict: 'fail',
      message: 'more output than max_tokens = 16 allows, in 1 of 2 replies',
      pointer: '/usage/completion_tokens',
      expected: 'at most 16 tokens',
      actual: expect.stringMatching(/^completion_tokens 17: otter otter/),
    });
  });

  it.each([
    ['words', words(100)],
    ['characters without a space', 'x'.repeat(600)],
  ])('fails by far too many %s, whatever the count says', (_, text) => {
    expect(foundIn(check, [counted('one', text, 1), long])).toMatchObject({
      verdict: 'fail',
      message: 'more output than max_tokens = 1 allows',
      expected: 'at most 1 tokens',
    });
  });

  it('fails by a stream alone whose text is far too long', () => {
    const pieces = events([{ choices: [{ delta: { content: words(100) } }] }]);
    const entries = [
      counted('one', 'otter', 1),
      counted('sixteen', words(16), 16),
      replied('streamed', { pieces }),
      long,
    ];
    const probes = [...check.probes, { exchange: 'streamed', limit: 16 }];
    const judgement = judge({ ...check, probes }, viewOf('chat', entries, { streamed: { stream: true } }));
    expect(judgement.shows).toBe('streamed');
    expect(findingOf(judgement)).toMatchObject({
      verdict: 'fail',
      message: 'more output than max_tokens = 16 allows, in a stream, in 1 of 3 replies',
      actual: expect.stringMatching(/^otter otter/),
    });
  });

  it('does not blame a stream that says its text again in each piece: it is long for that', () => {
    const says = (...texts: readonly string[]) =>
      events(texts.map((content) => ({ choices: [{ delta: { content } }] })));
    const verdict = (...texts: readonly string[]) => {
      const probes = [{ exchange: 'streamed', limit: 1 }];
      const entries = [replied('streamed', { pieces: says(...texts) }), long];
      return foundIn({ ...check, probes }, entries).verdict;
    };
    expect(verdict('a', 'a b', 'a b c', 'a b c d')).toBe('inconclusive');
    expect(verdict('a ', 'b ', 'c ', 'd ', 'e ', 'f ', 'g ')).toBe('fail');
  });

  it('fails by the text where the protocol gives no count', () => {
    const messages: Check = { ...check, protocol: 'messages' };
    const entries = [answered('one', 'messages', words(100)), answered('long', 'messages', words(100))];
    const finding = findingOf(judge(messages, viewOf('messages', entries)));
    expect(finding).toMatchObject({ verdict: 'fail', actual: expect.stringMatching(/^otter otter/) });
    expect(finding).not.toHaveProperty('pointer');
  });

  it.each([
    ['a few words in one token', counted('one', 'Quite so', 1)],
    ['no usage', answered('one', 'chat', 'otter')],
    ['a count that is no number', counted('one', 'otter', '1')],
    ['an empty text', counted('one', '', 0)],
    ['a count that holds what was thought and not said', thought('one', 41, 40)],
  ])('does not fail %s', (_, entry) => {
    expect(foundIn(check, [entry, long]).verdict).not.toBe('fail');
  });

  it.each([
    ['leaves too many', 40],
    ['is no number', '41'],
    ['is negative', -1],
  ])('fails by the count where what was thought %s', (_, reasoning) => {
    const view = viewOf('chat', [thought('one', 42, reasoning), long]);
    expect(findingOf(judge(check, view))).toMatchObject({ verdict: 'fail' });
  });

  it.each([
    ['5 words', ' a b\n\nc d e ', 'inconclusive'],
    ['6 words', 'a b c d e f', 'fail'],
    ['40 characters', 'x'.repeat(40), 'inconclusive'],
    ['41 characters', 'x'.repeat(41), 'fail'],
  ] as const)('takes %s for one token or for more', (_, text, verdict) => {
    const entries = [counted('one', text, 1), answered('long', 'chat', 'otter')];
    expect(foundIn(check, entries).verdict).toBe(verdict);
  });

  it.each([
    ['Messages, whose count the interface does not show', 'messages', result.messages('otter')],
    ['an answer with no usage at all', 'chat', { ...result.chat('otter'), usage: null }],
  ] as const)('does not count for %s', (_, protocol, body) => {
    const usage = protocol === 'messages' ? { usage: { completion_tokens: 99 } } : {};
    const entries = [replied('one', { json: { ...body, ...usage } }), answered('long', protocol, words(100))];
    expect(findingOf(judge({ ...check, protocol }, viewOf(protocol, entries))).verdict).toBe('pass');
  });

  it.each(unanswered)(
    'is inconclusive where the request without a limit is %s, and that gates',
    (_, entry, why) => {
      const entries = [counted('one', 'otter', 1), entry('long')];
      const finding = foundIn(check, entries);
      expect(finding).toMatchObject({
        verdict: 'inconclusive',
        message: 'the same request without a limit is not answered',
        actual: expect.stringMatching(why),
      });
      expect(finding).not.toHaveProperty('nonGating');
    },
  );

  it('is inconclusive with a model that had no more to say, which does not gate', () => {
    const entries = [
      counted('one', 'otter', 1),
      counted('sixteen', 'otter', 1),
      answered('long', 'chat', 'otter'),
    ];
    expect(foundIn(check, entries)).toEqual({
      requirement: 'r',
      verdict: 'inconclusive',
      code: 'unlimited-no-longer',
      message: expect.stringMatching(/does not show whether the limit is kept$/),
      expected: 'evidence that decides it',
      actual: 'otter',
      nonGating: 'model-behaviour',
    });
  });

  it('is inconclusive on a prompt that is refused for its length, which does not gate', () => {
    const all = ['one', 'sixteen', 'long'].map((id) => saying(refused(id), 'long text '.repeat(30)));
    const judged = (...entries: readonly Exchange[]) => foundIn(check, entries);
    expect(judged(...all, saying(answered('plain', 'chat'), 'long'))).toMatchObject({
      verdict: 'inconclusive',
      nonGating: 'model-behaviour',
      code: 'long-prompt-refused',
      actual: expect.stringMatching(/^HTTP 400/),
    });
    for (const entries of [all, [...all, saying(refused('plain'), 'long')], all.slice(1)])
      expect(judged(...entries)).not.toHaveProperty('nonGating');
  });

  it.each(unanswered)('is inconclusive on %s', (_, entry, why) => {
    const finding = foundIn(check, [entry('one'), entry('sixteen'), long]);
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no reply with a limit',
      actual: expect.stringMatching(why),
    });
    expect(finding).not.toHaveProperty('nonGating');
  });
});
