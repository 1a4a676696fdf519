import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import { answered, viewOf, findingOf, judge, replied, unanswered } from './evidence.fixture.ts';

describe('image-count', () => {
  const check: Check = { kind: 'image-count', requirement: 'r', probes: ['a'], count: 2 };

  it('passes on exactly that many', () => {
    expect(findingOf(judge(check, viewOf('images', [answered('a', 'images', '2')]))).verdict).toBe('pass');
  });

  it.each(['0', '1', '3'])('fails on %s', (count) => {
    expect(findingOf(judge(check, viewOf('images', [answered('a', 'images', count)])))).toEqual({
      requirement: 'r',
      verdict: 'fail',
      exchange: 'a',
      code: 'image-count',
      message: `${count} image${count === '1' ? '' : 's'} for n = 2`,
      pointer: '/data',
      expected: '2 elements',
      actual: `${count} element${count === '1' ? '' : 's'}`,
    });
  });

  it('asks for one at least where n is left out', () => {
    const { count: _, ...leftOut } = check;
    const found = (images: string) =>
      findingOf(judge(leftOut, viewOf('images', [answered('a', 'images', images)])));
    expect(found('1').verdict).toBe('pass');
    expect(found('4').verdict).toBe('pass');
    expect(found('0')).toMatchObject({
      verdict: 'fail',
      message: '0 images where n is left out',
      expected: 'at least 1 element',
    });
  });

  it.each([
    ...unanswered,
    [
      'a result without data',
      (id: string) => replied(id, { json: { created: 1 } }),
      /^data is no value/,
    ] as const,
  ])('is inconclusive on %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('images', [entry('a')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no images in the reply',
      actual: expect.stringMatching(why),
    });
  });
});
