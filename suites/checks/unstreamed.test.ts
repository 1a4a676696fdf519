import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import type { Template } from '../types/template.ts';
import {
  answered,
  viewOf,
  findingOf,
  judge,
  refused,
  replied,
  result,
  unanswered,
  undecided,
  unsent,
  streamed,
  foundIn,
} from './evidence.fixture.ts';

describe('unstreamed', () => {
  const check = {
    kind: 'unstreamed',
    requirement: 'r',
    protocol: 'chat',
    declined: false,
    probes: ['a', 'b'],
  } as const satisfies Check;
  const declining: Check = { ...check, declined: true, probes: ['a'] };
  const saying = (json: Template) => ({ body: { json } });

  it('passes where what is answered is one document', () => {
    expect(foundIn(check, [refused('a'), answered('b')]).verdict).toBe('pass');
  });

  it('tests nothing where the plan has no such request', () => {
    expect(foundIn({ ...declining, probes: [] }, [answered('b')])).toMatchObject({
      verdict: 'untested',
      code: 'not-selected',
    });
  });

  it.each(undecided)('is undecided where what takes any media type got %s', (_, entry, why) => {
    const checked: Check = { ...check, deciding: 'b' };
    expect(foundIn(checked, [answered('a'), entry('b')])).toMatchObject({
      verdict: 'inconclusive',
      actual: expect.stringMatching(why),
    });
    for (const decided of [answered('b'), refused('b')])
      expect(foundIn(checked, [answered('a'), decided]).verdict).toBe('pass');
    expect(foundIn(checked, [answered('a')]).verdict).toBe('pass');
  });

  it('fails on a stream, and shows it', () => {
    const judgement = judge(check, viewOf('chat', [answered('a'), streamed('b')]));
    expect(judgement.shows).toBe('b');
    expect(findingOf(judgement)).toMatchObject({
      verdict: 'fail',
      message: 'a request without `stream` is answered by a stream, in 1 of 2 replies',
      expected: 'one JSON document',
      actual: expect.stringMatching(/^HTTP 200, text\/event-stream, data: /),
    });
  });

  it('fails where every such request is refused, and a stream that is asked for then is given', () => {
    const checked: Check = { ...check, streamed: ['s'] };
    const sent = { s: { stream: true, body: { json: { stream: true } } } };
    const entries = [refused('a'), refused('b')];
    expect(foundIn(checked, [...entries, streamed('s')], sent)).toMatchObject({
      verdict: 'fail',
      message: 'a valid value is refused',
      actual: expect.stringMatching(/^HTTP 400/),
    });
    for (const last of [refused('s'), unsent('s')])
      expect(foundIn(checked, [...entries, last], sent).verdict).toBe('inconclusive');
  });

  it('holds a refusal against no stream of another caller', () => {
    const checked: Check = { ...check, streamed: ['s'] };
    const sent = { s: { stream: true, body: { json: { stream: true } } } };
    const entries = [refused('a'), refused('b')].map((entry) => ({
      ...entry,
      request: { ...entry.request, headers: { authorization: 'Bearer $OTHER' } },
    }));
    expect(foundIn(checked, [...entries, streamed('s')], sent).verdict).toBe('inconclusive');
  });

  it('looks at every other request of the plan that says the same of a stream, and at no other', () => {
    const entries = [answered('a'), answered('b'), streamed('c')];
    const declined = { a: saying({ stream: false }), c: saying({ stream: false, temperature: 1 }) };
    expect(foundIn(check, entries, declined).verdict).toBe('pass');
    const judgement = judge(declining, viewOf('chat', entries, declined));
    expect(judgement.shows).toBe('c');
    expect(findingOf(judgement)).toMatchObject({
      verdict: 'fail',
      message: 'a request with `stream` false is answered by a stream, in 1 of 2 replies',
    });
    expect(foundIn(check, entries, { c: saying({}) }).verdict).toBe('fail');
    const elsewhere = { c: { ...saying({}), protocol: 'messages' as const } };
    expect(foundIn(check, entries, elsewhere).verdict).toBe('pass');
  });

  it('reads a probe that may be refused: its stream is a failure, its refusal is not', () => {
    const either = { b: { accept: '*/*', expect: 'either' as const } };
    expect(foundIn(check, [answered('a'), streamed('b')], either).verdict).toBe('fail');
    const refusal = [answered('a'), refused('b', 406)];
    expect(foundIn(check, refusal, either).verdict).toBe('pass');
  });

  it('is not misled by the content type: a document sent as an event stream is one', () => {
    const entry = replied('a', {
      json: result.chat('hello'),
      headers: { 'content-type': 'text/event-stream' },
    });
    expect(foundIn(check, [entry]).verdict).toBe('pass');
  });

  it.each(unanswered)('is inconclusive on %s', (_, entry, why) => {
    expect(foundIn(check, [entry('a')])).toMatchObject({
      verdict: 'inconclusive',
      message: 'no request that would show it was answered',
      actual: expect.stringMatching(why),
    });
  });
});
