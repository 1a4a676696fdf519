import { describe, expect, it } from 'vitest';
import { answered, findingOf, judge, refused, replied, result, viewOf } from './evidence.fixture.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Check } from '../types/checks/check.ts';

const check: Check = { kind: 'whole-results', requirement: 'r', probes: ['a'] };
const whole = JSON.stringify(result.chat('hello there'));
const cut = (id: string, text = whole.slice(0, Math.floor(whole.length * 0.8))) =>
  replied(id, { text, headers: { 'content-type': 'application/json' } });

describe('whole-results', () => {
  it('passes where every result is a whole document', () => {
    expect(findingOf(judge(check, viewOf('chat', [answered('a'), answered('b')]))).verdict).toBe('pass');
  });

  it('fails at one sighting where a result ends in the middle, and says how many do', () => {
    const finding = findingOf(judge(check, viewOf('chat', [answered('a'), cut('b'), answered('c')])));
    expect(finding).toMatchObject({ verdict: 'fail', code: 'result-cut', exchange: 'b' });
    expect('message' in finding && finding.message).toContain('in 1 of 3 replies');
  });

  it.each([
    ['the end of another document', '\nnull}'],
    ['another document', '{"usage":{}}'],
    ['text', ' OK'],
  ])('fails where %s stands behind a result', (_, behind) => {
    const trailed = cut('b', whole + behind);
    const finding = findingOf(judge(check, viewOf('chat', [answered('a'), trailed])));
    expect(finding).toMatchObject({ verdict: 'fail', code: 'result-trailed', exchange: 'b' });
  });

  it('takes blanks behind a result for nothing', () => {
    expect(findingOf(judge(check, viewOf('chat', [cut('a', `${whole}\r\n \n`)]))).verdict).toBe('pass');
  });

  it('fails where a retry brought the whole result', () => {
    const { response, attempts } = cut('a');
    const before = attempts.map((attempt) => ({ ...attempt, ...(response ? { response } : {}) }));
    const again = replied('a', { json: result.chat('hello'), before });
    expect(findingOf(judge(check, viewOf('chat', [again]))).verdict).toBe('fail');
  });

  it.each([
    ['an error that is cut', '{"error":{"message":"overloa'],
    ['a page', '<!doctype html><html>'],
    ['an object of something else', '{"hello":"wor'],
  ])('takes %s for no result', (_, text) => {
    expect(findingOf(judge(check, viewOf('chat', [answered('a'), cut('b', text)]))).verdict).toBe('pass');
  });

  it('leaves a reply to the transport that the transport cut', () => {
    const text = whole.slice(0, 50);
    const broken = replied('b', { text, ending: { kind: 'cut', detail: 'closed' } });
    expect(findingOf(judge(check, viewOf('chat', [answered('a'), broken]))).verdict).toBe('pass');
  });

  describe('with a connection that ends within a result', () => {
    const brokenOff = (times: number): Exchange => {
      const broken = replied('b', { text: whole.slice(0, 50), ending: { kind: 'cut', detail: 'closed' } });
      const attempts = Array.from({ length: times }, (_, at) =>
        broken.attempts.map((attempt) => ({ ...attempt, startedAt: `2026-11-20T12:00:0${at}.000Z` })),
      );
      return { ...broken, attempts: attempts.flat() };
    };
    const meanwhile = (id: string): Exchange => {
      const other = answered(id);
      return { ...other, timing: { ...other.timing, startedAt: '2026-11-20T12:00:01.500Z' } };
    };

    it('fails where no outage explains so many attempts, and others are answered between them', () => {
      const finding = findingOf(judge(check, viewOf('chat', [meanwhile('a'), brokenOff(8)])));
      expect(finding).toMatchObject({ verdict: 'fail', code: 'result-broken-off', exchange: 'b' });
    });

    it('passes where an outage may explain it', () => {
      for (const entries of [
        [meanwhile('a'), brokenOff(2)],
        [answered('a'), brokenOff(8)],
      ])
        expect(findingOf(judge(check, viewOf('chat', entries))).verdict).toBe('pass');
    });
  });

  it('is inconclusive where nothing was answered', () => {
    expect(findingOf(judge(check, viewOf('chat', [refused('a')]))).verdict).toBe('inconclusive');
  });
});
