import { describe, expect, it } from 'vitest';
import type { Exchange, Unsent } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { answered, findingOf, judge, refused, streamed, viewOf } from './evidence.fixture.ts';
import { readsIn } from './registry.ts';
import type { Check } from '../types/checks/check.ts';

const [otter, heron, lynx] = ['OTTER-11111', 'HERON-22222', 'LYNX-33333'] as const;
const check: Check = { kind: 'own-context', requirement: 'r', probes: [], words: [otter, heron, lynx] };

/** An exchange whose request has a text, and whose reply has another. */
const talk = (id: string, asked: string, said: string): Exchange => ({
  ...answered(id, 'responses', said),
  request: {
    method: 'POST',
    url: 'http://gateway.test/v1',
    headers: {},
    body: JSON.stringify({ input: asked }),
  },
});
const chainedTo = (exchange: string): Partial<PlannedRequest> => ({
  body: { json: { previous_response_id: { $: 'reply', exchange, pointer: '/id' } } },
});
const found = (
  entries: readonly (Exchange | Unsent)[],
  requests: Readonly<Record<string, Partial<PlannedRequest>>> = {},
) => findingOf(judge(check, viewOf('responses', entries, requests)));

describe('own-context', () => {
  it('passes where each reply shows the words of its own request, once or again', () => {
    const entries = [
      talk('a', `It is ${otter}.`, otter),
      talk('b', `It is ${heron}.`, `${heron}, yes ${heron}`),
    ];
    expect(found(entries)).toEqual({ requirement: 'r', verdict: 'pass' });
  });

  it('fails where two replies are swapped', () => {
    expect(found([talk('a', `It is ${otter}.`, heron), talk('b', `It is ${heron}.`, otter)])).toEqual({
      requirement: 'r',
      verdict: 'fail',
      code: 'reply-of-another',
      message: `the reply shows ${heron}, which another request holds (b) and its own does not`,
      expected: 'a reply to its own request',
      actual: heron,
      exchange: 'a',
    });
  });

  it('fails where a cache gives the reply of an earlier request', () => {
    const entries = [talk('a', `It is ${otter}.`, otter), talk('b', `It is ${heron}.`, otter)];
    expect(found(entries)).toMatchObject({ verdict: 'fail', exchange: 'b' });
  });

  it('fails where a request without a chain is answered from memory, in whatever spelling', () => {
    const entries = [talk('a', `It is ${otter}.`, 'OK'), talk('b', 'What is it?', 'It is otter 11111.')];
    expect(found(entries)).toMatchObject({ verdict: 'fail', exchange: 'b' });
  });

  it('fails where one conversation knows the words of another', () => {
    const entries = [
      talk('a', `It is ${otter}.`, 'OK'),
      talk('b', `It is ${heron}.`, 'OK'),
      talk('b2', 'What is it?', otter),
    ];
    expect(found(entries, { b2: chainedTo('b') })).toMatchObject({ verdict: 'fail', exchange: 'b2' });
  });

  it('passes along a chain, and leaves the branches of one conversation to their own case', () => {
    const entries = [
      talk('a', `It is ${otter}.`, 'OK'),
      talk('b', `It is now ${heron}.`, 'OK'),
      talk('c', 'Thanks.', otter),
      talk('d', 'What is it?', `${otter}, or ${heron}`),
    ];
    expect(found(entries, { b: chainedTo('a'), c: chainedTo('a'), d: chainedTo('c') }).verdict).toBe('pass');
  });

  it('passes where a word stands in no request: nothing shows whose it is', () => {
    expect(found([talk('a', `It is ${otter}.`, `${otter} ${lynx}`)]).verdict).toBe('pass');
  });

  it('does not take the reply that stands for a request for its own', () => {
    const entries = [talk('first', `It is ${otter}.`, 'OK'), talk('row', 'What is it?', otter)];
    const single = { callers: [{ family: 'general', group: 'default' }], standsFor: ['row'] } as const;
    expect(found(entries, { row: chainedTo('first'), single }).verdict).toBe('pass');
  });

  it('depends on the model where no reply shows the word that it was asked for', () => {
    expect(found([talk('a', `It is ${otter}.`, 'OK')])).toMatchObject({
      verdict: 'inconclusive',
      code: 'no-word-shown',
      nonGating: 'model-behaviour',
    });
  });

  it.each([
    ['nothing is answered', [refused('a')]],
    ['nothing with a word is answered', [streamed('a')]],
  ])('does not depend on the model where %s: it said nothing', (_, entries) => {
    const finding = found(entries);
    expect(finding).toMatchObject({ verdict: 'inconclusive', code: 'no-word-shown' });
    expect(finding).not.toHaveProperty('nonGating');
  });

  it('reads every request of the plan', () => {
    expect(readsIn(check, viewOf('chat', [refused('a'), refused('b')]).plan)).toEqual(['a', 'b']);
  });
});
