import { describe, expect, it } from 'vitest';
import { viewOf } from '../checks/evidence.fixture.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { isOfRightfulCaller, wronglyAnswered } from './wrongly-answered.ts';

const planned = (more: Partial<PlannedRequest>): PlannedRequest => {
  const request = viewOf('responses', [], { asked: more }).request('asked');
  if (request === undefined) throw new Error('nothing was planned');
  return request;
};

describe('what was wrong with a request that was answered', () => {
  it.each([
    ['no credential', { credential: { form: 'none' } }, 'without-valid-token'],
    ['an invented token', { credential: { form: 'invalid', token: 'x' } }, 'without-valid-token'],
    [
      'a token that is almost right',
      { credential: { form: 'near-miss', how: 'last' } },
      'without-valid-token',
    ],
    [
      'the right token under another scheme',
      { credential: { form: 'header', name: 'authorization', value: 'Basic {token}' } },
      'other-form-of-token',
    ],
    [
      'the right token with something behind it',
      { credential: { form: 'header', name: 'authorization', value: 'Bearer {token}-1' } },
      'without-valid-token',
    ],
    [
      'the right token beside an invented one',
      { credential: { form: 'conflicting', token: 'x' } },
      'other-form-of-token',
    ],
    ['no version', { version: 'absent' }, 'version-header'],
    [
      'a model that is unsupported',
      { callers: [{ family: 'multimodal', group: 'default' }] },
      'unsupported-family',
    ],
    ['a value out of its range', { callers: [{ family: 'general', group: 'default' }] }, 'outside-contract'],
  ] as const)('%s', (_, more, kind) => {
    expect(wronglyAnswered(planned(more), 'r', undefined).kind).toBe(kind);
  });

  it('is told by its endpoint and the sentence that it breaks, with one full stop at the end of the cause', () => {
    expect(wronglyAnswered(planned({}), '`input` is required.', undefined)).toMatchObject({
      endpoint: 'POST /v1/responses',
      what: '`input` is required',
    });
  });

  it('is no form of the token where a request without any credential is answered as well', () => {
    const basic = { form: 'header', name: 'authorization', value: 'Basic {token}' } as const;
    expect(
      wronglyAnswered(planned({ credential: basic }), 'r', planned({ credential: { form: 'none' } })),
    ).toEqual({ kind: 'without-valid-token', endpoint: 'POST /v1/responses', what: 'no credential' });
  });
});

describe('whether whoever sends a request may be served these models', () => {
  const behind = { form: 'header', name: 'authorization', value: 'Bearer {token}-1' } as const;
  it.each([
    ['a token with something behind it', behind, 'general', 'default', true],
    ['a token that is almost right', { form: 'near-miss', how: 'last' }, 'general', 'default', false],
    ['no credential', { form: 'none' }, 'general', 'default', false],
    [
      'a model on another endpoint than that of its group',
      { form: 'right' },
      'conversational',
      'third-party-client',
      true,
    ],
    ['a model of another group', { form: 'right' }, 'conversational', 'coding-tool', false],
  ] as const)('%s', (_, credential, family, group, is) => {
    expect(isOfRightfulCaller(planned({ credential, callers: [{ family, group }] }))).toBe(is);
  });
});
