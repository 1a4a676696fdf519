import { describe, expect, it } from 'vitest';
import { fail, inconclusive, untested } from '../checks/shared/findings.ts';
import { reportedFinding } from './judge-case.ts';

describe('a finding in the report', () => {
  it('of a failure has its reason as a code and in words, and where it is seen', () => {
    const reason = { kind: 'not-refused', rule: '`model` is required' } as const;
    const outcome = fail(reason, 'HTTP 200', { pointer: '/id', exchange: 'e' });
    expect(reportedFinding({ requirement: 'r', ...outcome })).toEqual({
      requirement: 'r',
      verdict: 'fail',
      code: 'not-refused',
      message: 'answered with output',
      expected: 'a refusal: `model` is required',
      actual: 'HTTP 200',
      pointer: '/id',
      exchange: 'e',
    });
  });

  it('of a failure that some replies show says how many do, and which', () => {
    const replies = { broken: [{ id: 'e', attempt: 0 }], kept: [{ id: 'f', attempt: 0 }] };
    const separation = { traits: [{ kind: 'streamed' }], alike: [], having: 1 } as const;
    const finding = reportedFinding({ requirement: 'r', ...fail('no-stream', 'x'), replies, separation });
    expect(finding).toMatchObject({
      message: expect.stringMatching(/, in 1 of 2 replies, the only one in a stream$/),
      replies: { failed: 1, of: 2, condition: 'the only one in a stream' },
    });
    expect(reportedFinding({ requirement: 'r', ...fail('no-stream', 'x'), replies })).toMatchObject({
      replies: { failed: 1, of: 2 },
    });
  });

  it('that is inconclusive says what was seen, and whether it gates', () => {
    const outcome = inconclusive('too-fast', 'text in 2 events', 'too-fast');
    expect(reportedFinding({ requirement: 'r', ...outcome })).toEqual({
      requirement: 'r',
      verdict: 'inconclusive',
      code: 'too-fast',
      message: 'the text came too fast to tell whether it is passed on as it is made',
      expected: 'evidence that decides it',
      actual: 'text in 2 events',
      nonGating: 'too-fast',
    });
  });

  it.each([inconclusive('not-run'), untested('not-needed')])(
    'of which nothing was seen says its reason in place of that: %j',
    (outcome) => {
      const { message, actual } = reportedFinding({ requirement: 'r', ...outcome });
      expect(actual).toBe(message);
    },
  );
});
