import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import { answered, refused, unanswered, foundIn } from './evidence.fixture.ts';

describe('still-served', () => {
  const check: Check = { kind: 'still-served', requirement: 'r', before: ['before'], after: 'after' };

  it('passes where the control is answered afterwards', () => {
    expect(foundIn(check, [answered('before'), answered('after')]).verdict).toBe('pass');
  });

  it.each(unanswered)('says what was lost, by %s', (_, entry, why) => {
    expect(foundIn(check, [answered('before'), entry('after')])).toMatchObject({
      verdict: 'inconclusive',
      message: expect.stringMatching(/ was answered before (?:no longer is|was not sent again),? after /),
      actual: expect.stringMatching(why),
    });
  });

  it('says of a control that was not sent again no more than that', () => {
    const gone = { id: 'after', unsent: { kind: 'stopped' } } as const;
    expect(foundIn(check, [answered('before'), gone])).toMatchObject({
      message: expect.stringContaining('was not sent again'),
    });
  });

  it('says where there was nothing to lose', () => {
    expect(foundIn(check, [refused('before'), refused('after')])).toMatchObject({
      verdict: 'inconclusive',
      message: 'the request that it is compared with was never answered',
    });
  });
});
