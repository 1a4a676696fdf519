import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import type { Exchange } from '../types/exchange.ts';
import {
  answered,
  viewOf,
  events,
  findingOf,
  judge,
  refusals,
  refused,
  replied,
  streamed,
  undecided,
} from './evidence.fixture.ts';

const error = 'HTTP 400, application/json, {"error":{"message":"no","code":"bad"}}';

describe('served', () => {
  const check: Check = { kind: 'served', requirement: 'r', probes: ['a', 'b'] };

  it('passes where one probe is answered, and shows that one', () => {
    const judgement = judge(check, viewOf('chat', [refused('a'), answered('b')]));
    expect(judgement).toEqual({ findings: [{ requirement: 'r', verdict: 'pass' }], shows: 'b' });
  });

  it('takes a stream for output', () => {
    const pieces = events([{ choices: [{ delta: { content: 'hello' } }] }]);
    expect(findingOf(judge(check, viewOf('chat', [replied('a', { pieces })]))).verdict).toBe('pass');
  });

  it('fails where all probes are refused', () => {
    const judgement = judge(check, viewOf('chat', [refused('a'), refused('b')]));
    expect(judgement).toEqual({
      findings: [
        {
          requirement: 'r',
          verdict: 'fail',
          reason: { kind: 'valid-request-refused' },
          actual: error,
          exchange: 'a',
        },
      ],
      shows: 'a',
    });
  });

  it.each(refusals)('takes %s for a refusal', (_, entry) => {
    expect(findingOf(judge(check, viewOf('chat', [entry('a'), entry('b')]))).verdict).toBe('fail');
  });

  it.each(undecided.slice(0, -1))('is inconclusive on %s beside a refusal', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('chat', [refused('a'), entry('b')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no conclusive reply',
      actual: expect.stringMatching(why),
    });
  });

  it('is inconclusive where one was refused, and the run ended before another was asked', () => {
    const why = { kind: 'budget-spent', budget: 'generations', limit: 1, used: 1 } as const;
    const evidence = viewOf('chat', [refused('a'), { id: 'b', unsent: why }]);
    expect(findingOf(judge(check, evidence)).verdict).toBe('inconclusive');
  });

  it('fails where one is refused, and another stands in for nothing', () => {
    const evidence = viewOf('chat', [refused('a'), { id: 'b', unsent: { kind: 'stand-in-not-needed' } }]);
    expect(findingOf(judge(check, evidence)).verdict).toBe('fail');
  });

  it('is inconclusive where nothing was sent', () => {
    const finding = findingOf(judge(check, viewOf('chat', [], { a: {}, b: {} })));
    expect(finding).toMatchObject({ verdict: 'inconclusive', actual: 'not sent' });
  });

  it('fails only where something else of its kind is answered, if it names that', () => {
    const relative: Check = { kind: 'served', requirement: 'r', probes: ['a'], prerequisites: ['other'] };
    const open = judge(relative, viewOf('chat', [refused('a'), refused('other')]));
    expect(findingOf(open)).toMatchObject({
      verdict: 'inconclusive',
      message: 'none of the requests that it is compared with is answered',
      actual: error,
    });
    expect(findingOf(judge(relative, viewOf('chat', [refused('a'), answered('other')]))).verdict).toBe(
      'fail',
    );
    const two: Check = { ...relative, prerequisites: ['none', 'other'] };
    const entries = [refused('a'), refused('none'), answered('other')];
    expect(findingOf(judge(two, viewOf('chat', entries))).verdict).toBe('fail');
  });

  it('counts a fuller request only where no smallest one of the protocol is answered', () => {
    const roomy: Check = {
      kind: 'served',
      requirement: 'r',
      probes: ['a'],
      fallback: { probes: ['full'], smallest: ['a', 'other'], streams: ['s'] },
    };
    const alone = judge(roomy, viewOf('chat', [refused('a'), refused('other'), answered('full')]));
    expect(alone).toEqual({ findings: [{ requirement: 'r', verdict: 'pass' }], shows: 'full' });
    const beside = judge(roomy, viewOf('chat', [refused('a'), answered('other'), answered('full')]));
    expect(findingOf(beside)).toMatchObject({ verdict: 'fail', message: 'a valid request is refused' });
    const refusals = [refused('a'), refused('other'), refused('full')];
    const verdict = (entry: Exchange): string =>
      findingOf(judge(roomy, viewOf('chat', [...refusals, entry], { s: { stream: true } }))).verdict;
    expect(verdict(streamed('s'))).toBe('pass');
    const unreadable = replied('s', { pieces: [['no event', 10]] });
    const others = [refused('s'), replied('s', { status: 503 }), unreadable];
    expect(others.map(verdict)).toEqual(['fail', 'fail', 'fail']);
  });
});
