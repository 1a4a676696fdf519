import { describe, expect, it } from 'vitest';
import type { ReplyRule } from '../../spec/extension.ts';
import type { PlannedRequest } from '../types/plan.ts';
import type { Check } from '../types/checks/check.ts';
import {
  answered,
  events,
  findingOf,
  judge,
  refused,
  replied,
  streamed,
  undecided,
  viewOf,
  foundIn,
} from './evidence.fixture.ts';

const check = (rule: ReplyRule): Check => ({
  kind: 'reply-rule',
  requirement: 'r',
  protocol: 'chat',
  rule,
  probes: ['a'],
});
const answer = (id: string, headers: Readonly<Record<string, string>>) =>
  replied(id, { json: { choices: [{ message: { role: 'assistant', content: 'hello' } }] }, headers });
const invalid: Partial<PlannedRequest> = {
  credential: { form: 'invalid', token: 'none' },
  expect: 'refusal',
};

describe('reply-rule', () => {
  it.each([
    ['a status', { of: 'answers', status: [200] }],
    ['a content type', { of: 'answers', contentType: 'application/json' }],
    ['a header', { of: 'every reply', header: 'X-Request-Id', unique: true }],
  ] as const)('passes on %s as stated', (_, rule) => {
    const view = viewOf('chat', [answer('a', { 'x-request-id': '1' }), answer('b', { 'x-request-id': '2' })]);
    expect(findingOf(judge(check(rule), view)).verdict).toBe('pass');
  });

  it.each([
    ['status', { of: 'answers', status: [201] }, 'status 201', 'HTTP 200'],
    [
      'content type',
      { of: 'answers', contentType: 'text/json' },
      'content type text/json',
      'application/json',
    ],
    ['missing header', { of: 'answers', header: 'X-Id' }, 'a header X-Id', 'no X-Id'],
    [
      'repeated header',
      { of: 'answers', header: 'x-request-id', unique: true },
      'a value of x-request-id that no other reply has',
      '1',
    ],
  ] as const)('fails on another %s', (_, rule, expected, actual) => {
    const view = viewOf('chat', [answer('a', { 'x-request-id': '1' }), answer('b', { 'x-request-id': '1' })]);
    expect(findingOf(judge(check(rule), view))).toMatchObject({
      verdict: 'fail',
      code: 'reply-rule-broken',
      message: expect.stringContaining(`a reply (answers) does not have ${expected}`),
      expected,
      actual,
    });
  });

  it('fails where more replies are late than passing outages explain, without the time that we stood still', () => {
    const rule = { of: 'answers', within: 2 } as const;
    const json = { choices: [{ message: { role: 'assistant', content: 'hello' } }] };
    const found = (late: number, stallMs = 0) =>
      foundIn(check(rule), [
        answer('a', {}),
        ...Array.from({ length: 19 }, (_, at) =>
          replied(`b${at}`, { json, ...(at < late ? { endMs: 2100, stallMs } : {}) }),
        ),
      ]);
    expect(found(19)).toMatchObject({
      verdict: 'fail',
      expected: 'its end within 2 s',
      actual: '2.1 s',
    });
    expect(found(1).verdict).toBe('pass');
    expect(found(19, 200).verdict).toBe('pass');
  });

  it('reads the end of a stream', () => {
    const rule = { of: 'streams', terminator: '[DONE]' } as const;
    const found = (entry: ReturnType<typeof streamed>) =>
      foundIn(check(rule), [entry], { a: { stream: true } });
    expect(found(streamed('a')).verdict).toBe('pass');
    const open = replied('a', { pieces: events([{ choices: [{ delta: { content: 'hello' } }] }]) });
    expect(found(open)).toMatchObject({
      verdict: 'fail',
      expected: '[DONE] at the end',
      actual: 'no terminator',
    });
  });

  it('reads the refusal of an invalid token where a right one is answered, and no other refusal', () => {
    const rule = { of: 'invalid tokens', status: [401] } as const;
    const found = (status: number, first = answered('a', 'chat')) =>
      foundIn(check(rule), [first, refused('b', status), refused('c')], { b: invalid });
    expect(found(401).verdict).toBe('pass');
    expect(found(403)).toMatchObject({ verdict: 'fail', actual: 'HTTP 403' });
    expect(found(403, refused('a'))).toMatchObject({ verdict: 'inconclusive' });
  });

  it('reads bodies by their schema, and the types of events', () => {
    const body = { required: ['usage'], properties: { usage: { type: 'object' } } };
    const rule = { of: 'answers', body } as const;
    const found = (more: object) =>
      foundIn(check(rule), [
        replied('a', { json: { choices: [{ message: { role: 'assistant', content: 'hi' } }], ...more } }),
      ]);
    expect(found({ usage: {} }).verdict).toBe('pass');
    expect(found({})).toMatchObject({ verdict: 'fail', expected: 'an object at /usage', pointer: '/usage' });
    expect(found({ usage: 1 })).toMatchObject({
      verdict: 'fail',
      expected: 'an object at /usage',
      actual: '1',
    });
    const typed = (types: readonly string[], of: Partial<ReplyRule>) =>
      foundIn(
        check({ of: 'streams', ...of }),
        [
          replied('a', {
            pieces: events(types.map((type) => ({ type, choices: [{ delta: { content: 'hello' } }] }))),
          }),
        ],
        { a: { stream: true } },
      );
    expect(typed(['one', 'two'], { eventTypes: ['one', 'two'], event: 'two' }).verdict).toBe('pass');
    expect(typed(['one', 'two'], { eventTypes: ['one'] })).toMatchObject({ verdict: 'fail', actual: 'two' });
    const withDelta = { required: ['delta'] };
    expect(typed(['one', 'two'], { body: { required: ['choices'] } }).verdict).toBe('pass');
    expect(typed(['one', 'two'], { body: withDelta, event: 'two' })).toMatchObject({
      verdict: 'fail',
      pointer: 'event 1 /delta',
    });
    expect(typed(['one'], { event: 'two' })).toMatchObject({
      verdict: 'fail',
      expected: 'an event of the type two',
    });
  });

  it.each(undecided)('leaves out what proves nothing: %s', (_, entry) => {
    const rule = { of: 'every reply', header: 'X-Id' } as const;
    expect(foundIn(check(rule), [entry('a')]).verdict).toBe('inconclusive');
    const beside = viewOf('chat', [entry('a'), answer('b', { 'x-id': '1' })]);
    expect(findingOf(judge({ ...check(rule), probes: ['b'] } as Check, beside)).verdict).toBe('pass');
  });
});
