import { describe, expect, it } from 'vitest';
import type { Exchange } from '../types/exchange.ts';
import type { Check } from '../types/checks/check.ts';
import {
  answered,
  viewOf,
  events,
  findingOf,
  judge,
  refused,
  replied,
  undecided,
  unsent,
  foundIn,
} from './evidence.fixture.ts';

const error = 'HTTP 400, application/json, {"error":{"message":"no","code":"bad"}}';

describe('accepted', () => {
  const check: Check = { kind: 'accepted', requirement: 'r', probe: 'probe', controls: ['probe', 'control'] };

  it('passes where the probe is answered, whatever the control says', () => {
    expect(foundIn(check, [answered('probe'), refused('control')]).verdict).toBe('pass');
  });

  it('fails where the probe is refused and a control is answered', () => {
    expect(foundIn(check, [refused('probe'), answered('control')])).toEqual({
      requirement: 'r',
      verdict: 'fail',
      code: 'valid-value-refused',
      message: 'a valid value is refused',
      expected: 'a reply with output, as the request control gets',
      actual: error,
      exchange: 'probe',
    });
  });

  it.each([
    ['answered', answered('other'), 'fail'],
    ['not sent', unsent('other'), 'fail'],
    ['refused', refused('other'), 'untested'],
  ] as const)('blames a value where it is refused elsewhere: that is %s', (_, other, verdict) => {
    const view = viewOf('chat', [refused('probe'), answered('control'), other]);
    expect(findingOf(judge({ ...check, parts: ['other'] }, view)).verdict).toBe(verdict);
  });

  const withBody = (exchange: Exchange, body: object): Exchange => ({
    ...exchange,
    request: { ...exchange.request, body: JSON.stringify(body) },
  });
  it.each([
    ['without the value', { temperature: 1 }, 'untested'],
    ['with it', { top_p: 1 }, 'fail'],
  ] as const)(
    'is no fault of the value only where a smaller request %s is refused, too',
    (_, part, verdict) => {
      const view = viewOf('chat', [
        withBody(refused('probe'), { top_p: 1, temperature: 1 }),
        withBody(answered('control'), { temperature: 1, stream: false }),
        withBody(refused('smaller'), part),
      ]);
      expect(findingOf(judge(check, view)).verdict).toBe(verdict);
    },
  );

  it.each([
    ['answered', answered('other'), 'inconclusive'],
    ['refused', refused('other'), 'untested'],
    ['not sent', unsent('other'), 'untested'],
  ] as const)(
    'has nothing to judge where it was not sent, and the same elsewhere is %s: that is %s',
    (_, other, verdict) => {
      const view = viewOf('chat', [unsent('probe', { kind: 'recalled-before' }), answered('control'), other]);
      expect(findingOf(judge({ ...check, parts: ['other'] }, view)).verdict).toBe(verdict);
    },
  );

  it('is inconclusive where text came on Messages in place of events: it may be the stream', () => {
    const text = replied('probe', { text: 'hello' });
    const verdict = (protocol: 'messages' | 'chat', stream: boolean, entry = text) => {
      const entries = [entry, answered('control', protocol)];
      return findingOf(judge(check, viewOf(protocol, entries, { probe: { stream } }))).verdict;
    };
    expect(verdict('messages', true)).toBe('inconclusive');
    expect(verdict('messages', true, replied('probe', { text: '"hello"' }))).toBe('inconclusive');
    expect(verdict('messages', false)).toBe('fail');
    expect(verdict('chat', true)).toBe('fail');
    expect(verdict('messages', true, replied('probe', { status: 400, text: 'hello' }))).toBe('fail');
  });

  it('passes where a stream was asked for and came, whatever that lacks', () => {
    const empty = replied('probe', { pieces: events(['[DONE]']) });
    const verdict = (stream: boolean) =>
      foundIn(check, [empty, answered('control')], { probe: { stream } }).verdict;
    expect([verdict(true), verdict(false)]).toEqual(['pass', 'fail']);
  });

  it.each([
    ['answered', answered('after'), 'fail'],
    ['refused', refused('after', 500), 'inconclusive'],
    ['not sent', unsent('after'), 'fail'],
  ] as const)('with the control %s at the end, gives a refusal its due', (_, after, verdict) => {
    const view = viewOf('chat', [refused('probe'), answered('control'), after]);
    const finding = findingOf(judge({ ...check, after: 'after' }, view));
    expect(finding.verdict).toBe(verdict);
    if (finding.verdict === 'inconclusive')
      expect(finding.message).toBe(
        'the request that it is compared with was answered before, and no longer is',
      );
  });

  const later = (exchange: Exchange): Exchange => ({
    ...exchange,
    timing: { ...exchange.timing, startedAt: '2026-11-20T12:00:09.000Z' },
  });
  it.each([
    ['none of them is answered', refused('other'), 'inconclusive'],
    ['one of them is answered', answered('other'), 'fail'],
  ] as const)('counts what the caller sends afterwards: %s', (_, other, verdict) => {
    const view = viewOf('chat', [
      refused('probe'),
      answered('control'),
      later(refused('last')),
      later(other),
    ]);
    expect(findingOf(judge(check, view)).verdict).toBe(verdict);
  });

  it('counts nothing that has what it has and its control has not: that is no control of it', () => {
    const chained = { input: 'a', previous_response_id: 'r' };
    const view = viewOf('chat', [
      withBody(refused('probe'), chained),
      withBody(answered('control'), { input: 'a' }),
      later(withBody(refused('last'), { ...chained, stream: true })),
    ]);
    expect(findingOf(judge(check, view)).verdict).toBe('fail');
  });

  it('counts what has nothing that it has not before anything else: an answer to another input shows less', () => {
    const view = viewOf('chat', [
      withBody(refused('probe'), { input: 'a', previous_response_id: 'r' }),
      withBody(answered('control'), { input: 'b' }),
      later(withBody(refused('last'), { input: 'a' })),
      later(withBody(answered('other'), { input: ['a'] })),
    ]);
    expect(findingOf(judge(check, view)).verdict).toBe('inconclusive');
  });

  it('is inconclusive where the control is refused, too: the probe is no control of itself', () => {
    expect(foundIn(check, [refused('probe'), refused('control')])).toMatchObject({
      verdict: 'inconclusive',
      message:
        'refused, and no valid request that differs in one thing is answered: the refusal proves nothing',
      actual: error,
    });
  });

  it.each(undecided)('is inconclusive on %s', (_, entry, why) => {
    expect(foundIn(check, [entry('probe'), answered('control')])).toMatchObject({
      verdict: 'inconclusive',
      message: 'no conclusive reply',
      actual: expect.stringMatching(why),
    });
  });

  it.each(undecided)('is inconclusive where the control is %s', (_, entry) => {
    expect(foundIn(check, [refused('probe'), entry('control')]).verdict).toBe('inconclusive');
  });
});
