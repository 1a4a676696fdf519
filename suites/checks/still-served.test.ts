import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import { answered, viewOf, findingOf, judge, refused, unanswered } from './evidence.fixture.ts';

describe('still-served', () => {
  const check: Check = { kind: 'still-served', requirement: 'r', before: ['before'], after: 'after' };

  it('passes where the control is answered afterwards', () => {
    expect(findingOf(judge(check, viewOf('chat', [answered('before'), answered('after')]))).verdict).toBe(
      'pass',
    );
  });

  it.each(unanswered)('says what was lost, by %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('chat', [answered('before'), entry('after')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: expect.stringMatching(/ was answered before (?:no longer is|was not sent again),? after /),
      actual: expect.stringMatching(why),
    });
  });

  it('says of a control that was not sent again no more than that', () => {
    const gone = { id: 'after', unsent: { kind: 'stopped' } } as const;
    const finding = findingOf(judge(check, viewOf('chat', [answered('before'), gone])));
    expect(finding).toMatchObject({ message: expect.stringContaining('was not sent again') });
  });

  it('says where there was nothing to lose', () => {
    const finding = findingOf(judge(check, viewOf('chat', [refused('before'), refused('after')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'the request that it is compared with was never answered',
    });
  });
});
