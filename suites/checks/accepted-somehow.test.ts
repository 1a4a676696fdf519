import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import { answered, viewOf, findingOf, judge, refused } from './evidence.fixture.ts';

const error = 'HTTP 400, application/json, {"error":{"message":"no","code":"bad"}}';

describe('accepted-somehow', () => {
  const check: Check = {
    kind: 'accepted-somehow',
    requirement: 'r',
    probes: ['a', 'b'],
    controls: ['control'],
  };

  it('passes where one spelling is answered', () => {
    const view = viewOf('responses', [
      refused('a'),
      answered('b', 'responses'),
      answered('control', 'responses'),
    ]);
    expect(findingOf(judge(check, view)).verdict).toBe('pass');
  });

  it('fails nothing where none is: the document shows no spelling', () => {
    const view = viewOf('responses', [refused('a'), refused('b'), answered('control', 'responses')]);
    expect(findingOf(judge(check, view))).toEqual({
      requirement: 'r',
      verdict: 'inconclusive',
      code: 'no-known-form-accepted',
      message: 'none of the forms tried is accepted, and the document shows none',
      expected: 'evidence that decides it',
      actual: error,
    });
  });
});
