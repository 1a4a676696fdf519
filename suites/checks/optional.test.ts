import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import { answered, viewOf, findingOf, judge, refused, undecided } from './evidence.fixture.ts';

const error = 'HTTP 400, application/json, {"error":{"message":"no","code":"bad"}}';

describe('optional', () => {
  const check: Check = {
    kind: 'optional',
    requirement: 'r',
    smallest: ['cell'],
    pairs: [
      { without: 'without', full: 'full' },
      { without: 'less', full: 'more' },
    ],
  };

  it('passes where the smallest request is answered', () => {
    expect(findingOf(judge(check, viewOf('chat', [answered('cell')]))).verdict).toBe('pass');
  });

  it('passes where one of several smallest requests is answered', () => {
    const two: Check = { ...check, smallest: ['other', 'cell'] };
    const view = viewOf('chat', [refused('other'), answered('cell'), answered('full'), refused('without')]);
    expect(findingOf(judge(two, view)).verdict).toBe('pass');
  });

  it('passes where only a fuller request without the parameter is answered', () => {
    const view = viewOf('chat', [refused('cell'), answered('full'), answered('without')]);
    expect(findingOf(judge(check, view)).verdict).toBe('pass');
  });

  it('fails where a fuller request is answered and refused without the parameter', () => {
    const reason = { kind: 'optional-parameter-required', full: 'more' };
    const view = viewOf('chat', [refused('cell'), refused('full'), answered('more'), refused('less')]);
    expect(judge(check, view)).toEqual({
      findings: [{ requirement: 'r', verdict: 'fail', reason, actual: error, exchange: 'less' }],
      shows: 'less',
    });
  });

  it('is inconclusive where no fuller request is answered', () => {
    const view = viewOf(
      'chat',
      ['cell', 'full', 'without', 'more', 'less'].map((id) => refused(id)),
    );
    const message = 'neither the smallest request nor a fuller one is answered';
    expect(findingOf(judge(check, view))).toMatchObject({
      verdict: 'inconclusive',
      message,
      actual: error,
    });
  });

  it.each(undecided)('is inconclusive on %s', (_, entry, why) => {
    const view = viewOf('chat', [refused('cell'), answered('full'), entry('without')]);
    expect(findingOf(judge(check, view))).toMatchObject({
      verdict: 'inconclusive',
      actual: expect.stringMatching(why),
    });
  });
});
