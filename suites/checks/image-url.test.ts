import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import { viewOf, findingOf, judge, replied, unanswered } from './evidence.fixture.ts';

describe('image-url', () => {
  const check: Check = { kind: 'image-url', requirement: 'r', probes: ['a'] };
  const of = (...data: readonly unknown[]) =>
    viewOf('images', [replied('a', { json: { created: 1_790_000_000, data } })]);

  it.each([
    ['a link', { url: 'https://x.test/1.png' }],
    ['more than a url', { url: 'https://x.test/1.png', revised_prompt: 'a circle', b64_json: null }],
    ['a url that can’t be fetched', { url: 'about:blank' }],
  ])('passes on %s', (_, image) => {
    expect(findingOf(judge(check, of(image, image))).verdict).toBe('pass');
  });

  it.each([
    ['no url', { b64_json: 'aGVsbG8=' }, '{"b64_json":"aGVsbG8="}'],
    ['a url that is no string', { url: 7, b64_json: 'aGVsbG8=' }, '7'],
    ['an empty url', { url: '' }, '""'],
    ['a bare string', 'https://x.test/1.png', '"https://x.test/1.png"'],
    ['null', null, 'null'],
  ])('fails on %s', (_, image, actual) => {
    const finding = findingOf(judge(check, of({ url: 'https://x.test/1.png' }, image)));
    const message = 'an image requested as a url has none';
    expect(finding).toEqual({
      requirement: 'r',
      verdict: 'fail',
      exchange: 'a',
      code: 'image-url-missing',
      message,
      pointer: '/data/1/url',
      expected: 'a string that is not empty',
      actual,
    });
  });

  it('fails where only the first image is without one', () => {
    expect(findingOf(judge(check, of({ b64_json: 'AA==' }, { url: 'https://x.test/1.png' })))).toMatchObject({
      verdict: 'fail',
      pointer: '/data/0/url',
    });
  });

  it('is inconclusive on an empty data', () => {
    expect(findingOf(judge(check, of()))).toMatchObject({ verdict: 'inconclusive', actual: 'data is empty' });
  });

  it.each(unanswered)('is inconclusive on %s', (_, entry, why) => {
    const finding = findingOf(judge(check, viewOf('images', [entry('a')])));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'no images in the reply',
      actual: expect.stringMatching(why),
    });
  });
});
