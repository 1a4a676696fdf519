import { describe, expect, it } from 'vitest';
import { answered, refused, replied, streamed, viewOf } from '../checks/evidence.fixture.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { deadEndpoints, streamlessEndpoints } from './dead-endpoints.ts';

const invented: Partial<PlannedRequest> = {
  credential: { form: 'invalid', token: 'sk-invented' },
  expect: 'refusal',
};
const absent = { error: { message: 'nothing here' } };
const badToken = { error: { message: 'bad token' } };

describe('an endpoint that answers no valid request', () => {
  it('is absent where an invented token gets the same words', () => {
    const view = viewOf('chat', [refused('valid', 404, absent), refused('invented', 404, absent)], {
      invented,
    });
    expect(deadEndpoints(view).get('chat')).toEqual({
      kind: 'endpoint-absent',
      protocol: 'chat',
      refusals: ['valid'],
    });
  });

  it('does not take the token where that status is for credentials', () => {
    const view = viewOf('chat', [refused('valid', 401, badToken), refused('invented', 401, badToken)], {
      invented,
    });
    expect(deadEndpoints(view).get('chat')?.kind).toBe('token-not-accepted');
  });

  it('only does not answer where an invented token is told something else', () => {
    const view = viewOf('chat', [refused('valid', 400), refused('invented', 401, badToken)], { invented });
    expect(deadEndpoints(view).get('chat')?.kind).toBe('endpoint-unanswered');
  });

  it('is none where one valid request is answered, or none is refused', () => {
    expect(deadEndpoints(viewOf('chat', [refused('valid'), answered('other')])).size).toBe(0);
    expect(deadEndpoints(viewOf('chat', [replied('valid', { status: 503, text: 'later' })])).size).toBe(0);
  });
});

describe('an endpoint that gives no stream', () => {
  const stream: Partial<PlannedRequest> = { stream: true };

  const whole: Partial<PlannedRequest> = { stage: 'discovery' };

  it('answers the same without one', () => {
    const view = viewOf('chat', [refused('stream'), answered('whole')], { stream, whole });
    expect(streamlessEndpoints(view)).toEqual([{ protocol: 'chat', refusals: ['stream'] }]);
  });

  it('is not told of where the smallest request is refused as well, and a larger one is answered', () => {
    const entries = [refused('whole'), refused('stream'), answered('larger')];
    expect(streamlessEndpoints(viewOf('chat', entries, { stream, whole }))).toEqual([]);
  });

  it('is not told of where nothing is answered, where a stream came, or where one may have come', () => {
    const later = replied('later', { status: 503, text: 'later' });
    for (const others of [[], [answered('whole'), streamed('given')], [answered('whole'), later]]) {
      const entries = [refused('stream'), ...others];
      expect(
        streamlessEndpoints(viewOf('chat', entries, { stream, whole, given: stream, later: stream })),
      ).toEqual([]);
    }
  });
});
