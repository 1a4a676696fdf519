import { describe, expect, it } from 'vitest';
import { replied, silent } from '../checks/evidence.fixture.ts';
import type { Exchange } from '../types/exchange.ts';
import { modelSent, replyWords } from './reply-words.ts';

const sent = (text: string, headers: Exchange['request']['headers'] = {}, body = '{"model":"m-large"}') => {
  const exchange = replied('a', { status: 401, text });
  return { ...exchange, request: { method: 'POST', url: 'http://gateway.test/v1/chat', headers, body } };
};

describe('the words of a reply', () => {
  it.each([
    ['a model that is repeated', sent('no m-large here'), sent('no other here', {}, '{"model":"other"}')],
    [
      'a token that is repeated',
      sent('bad key sk-abc', { authorization: 'Bearer sk-abc' }),
      sent('bad key tok', { 'x-api-key': 'tok' }),
    ],
    ['a token that is masked', sent('bad key sk-m****xyz'), sent('bad key ********')],
    ['the path', sent('nothing at /v1/chat'), sent('nothing at http://gateway.test/v1/chat')],
    ['an id', sent('no (request 2026a-b)'), sent('no (request 7f)')],
  ])('are the same without %s', (_, one, other) => {
    expect(replyWords(one)).toBe(replyWords(other));
  });

  it('differ by status, and by what is said', () => {
    const words = [sent('no'), sent('never'), replied('b', { status: 403, text: 'no' })].map(replyWords);
    expect(new Set(words).size).toBe(3);
  });

  it('differ by a number that is named a code, and by no other', () => {
    const told = (body: object) => replyWords(sent(JSON.stringify(body)));
    expect(told({ code: 1002, waits: 3 })).toBe(told({ code: 1002, waits: 17 }));
    expect(told({ error: { err_code: '1002' } })).not.toBe(told({ error: { err_code: '1004' } }));
  });

  it('are how it ended where none came', () => {
    expect(replyWords(silent('a', { kind: 'garbled', detail: 'not HTTP' }))).toBe('garbled');
  });
});

it.each([
  ['{"model":"m"}', 'm'],
  ['{"model":7}', undefined],
  ['{"model":""}', undefined],
  ['[]', undefined],
  ['{"model":"m"', undefined],
])('the model that %s names is %s', (body, model) => {
  expect(modelSent(sent('', {}, body))).toBe(model);
});
