import { describe, expect, it } from 'vitest';
import { refused, viewOf } from '../checks/evidence.fixture.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { limitWords } from './limit-words.ts';

const caller = { family: 'conversational', group: 'default' } as const;
const numbered = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${name}.${at}`);
const ofGroup = { error: { message: 'not for the group of this token' } };
const ofValue = { error: { message: 'a wrong value' } };

const spent = numbered('spent', 24);
const cells = numbered('cell', 16);
const elsewhere = numbered('elsewhere', 40);
const values = numbered('value', 300);

const requestsOf = (ids: readonly string[], one: Partial<PlannedRequest>) =>
  Object.fromEntries(ids.map((id) => [id, one]));

const planned: Readonly<Record<string, Partial<PlannedRequest>>> = {
  ...requestsOf(spent, {
    expect: 'limited',
    credential: { form: 'token', token: 'rate-limited' },
    callers: [caller],
  }),
  ...requestsOf(cells, { expect: 'refusal', callers: [caller] }),
  ...requestsOf(elsewhere, { expect: 'refusal', callers: [caller], path: '/v1/chat/completions' }),
  ...requestsOf(values, { expect: 'refusal' }),
};

describe('the words of a limit', () => {
  const isTold = (ofSpent: object, refusedCells = cells, asked = refused('asked', 403, ofSpent)): boolean => {
    const ofSpentTokens = spent.map((id) => refused(id, 403, ofSpent));
    const wrong = [
      ...refusedCells.map((id) => refused(id, 403, ofGroup)),
      ...elsewhere.map((id) => refused(id, 403, { error: 'no such route' })),
      ...values.map((id) => refused(id, 400, ofValue)),
    ];
    return limitWords(viewOf('messages', [...ofSpentTokens, ...wrong, asked], planned)).isTold(asked);
  };

  it('are those that a spent token gets and no wrong request does', () => {
    expect(isTold({ error: { message: 'nothing is left' } })).toBe(true);
  });

  it('are told in another sentence by a code that only a spent token gets', () => {
    const told = (message: string, code: string) => ({ error: { message, code } });
    const ofAccount = refused('asked', 200, told('the account has to wait', 'rate_limit'));
    expect(isTold(told('the token has to wait', 'rate_limit'), cells, ofAccount)).toBe(true);
    expect(isTold(told('the token has to wait', 'slow_down'), cells, ofAccount)).toBe(false);
  });

  it('are none that other tokens are told that their group is not served with, however few these are', () => {
    expect(isTold(ofGroup)).toBe(false);
    expect(isTold(ofGroup, cells.slice(0, 2))).toBe(false);
  });
});
