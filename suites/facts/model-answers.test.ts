import { expect, test } from 'vitest';
import { answered, refused, viewOf } from '../checks/evidence.fixture.ts';
import type { Exchange } from '../types/exchange.ts';
import { askedTexts, modelAnswers } from './model-answers.ts';

const called = (model: string, exchange: Exchange): Exchange => ({
  ...exchange,
  request: { ...exchange.request, body: JSON.stringify({ model, messages: 'Say one two.' }) },
});

const view = viewOf(
  'chat',
  [
    called('g', answered('a', 'chat', 'One two.')),
    called('g', answered('b', 'chat', 'Two.')),
    called('h', answered('c', 'chat', 'No.')),
    called('g', refused('d')),
    called('g', answered('e', 'chat', 'Hello.')),
  ],
  Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, { says: ['one two'] }])),
);

test('replies to requests for a known text hold it or do not; what is refused or asks for none says nothing', () => {
  expect(askedTexts(view, ['a', 'b', 'c', 'd', 'e'])).toEqual([
    { exchange: 'a', isSaid: true },
    { exchange: 'b', isSaid: false },
    { exchange: 'c', isSaid: false },
  ]);
});

test('they are counted by endpoint and model, and each once however many findings rest on it', () => {
  const asked = askedTexts(view, ['a', 'b', 'c', 'a']);
  expect(modelAnswers(view, [...asked, ...asked])).toEqual([
    { protocol: 'chat', model: 'g', said: ['a'], unsaid: ['b'] },
    { protocol: 'chat', model: 'h', said: [], unsaid: ['c'] },
  ]);
});
