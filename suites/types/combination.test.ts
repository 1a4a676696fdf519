import { describe, expect, it } from 'vitest';
import { type Combination, combinedBody, type Setting } from './combination.ts';
import { partId, partOf } from './combination-parts.ts';
import type { PlannedRequest } from './plan.ts';

const setting = (factor: string, more: Partial<Setting>): Setting => ({
  factor,
  description: factor,
  requirements: [],
  ...more,
});
const greeting = { role: 'user', content: 'Hi' };
const stream = setting('stream', { fields: { stream: true } });
const warm = setting('warm', { fields: { temperature: 0, top_k: 1 } });
const system = setting('system', { turns: [{ role: 'system', content: 'The word is OTTER-1.' }] });
const history = setting('history', { turns: [greeting, { role: 'assistant', content: 'OTTER-1' }] });
const scripts = setting('scripts', { replaces: [{ text: 'OTTER-1', by: 'OTTER-1-мир' }] });
const long = setting('length', { preface: 'Long text.' });
const list = setting('list', { isListed: true });

const combination: Combination = {
  base: { model: { $: 'model' } },
  content: 'messages',
  isListed: true,
  question: 'What is the word?',
  settings: [stream, warm, system, history, scripts, long],
};
const asked = { role: 'user', content: 'What is the word?' };

describe('the body of a combination', () => {
  it('has the members, the turns and the texts of all its settings, in their order', () => {
    expect(combinedBody(combination, combination.settings)).toEqual({
      model: { $: 'model' },
      messages: [
        { role: 'system', content: 'The word is OTTER-1-мир.' },
        greeting,
        { role: 'assistant', content: 'OTTER-1-мир' },
        { role: 'user', content: 'Long text. What is the word?' },
      ],
      stream: true,
      temperature: 0,
      top_k: 1,
    });
  });

  it('is the base and the question without any', () => {
    expect(combinedBody(combination, [])).toEqual({ model: { $: 'model' }, messages: [asked] });
  });

  it.each([
    ['a text where nothing asks for a list', [], 'What is the word?'],
    ['a list where a setting does', [list], [asked]],
    ['a list where a setting has turns', [setting('turns', { turns: [greeting] })], [greeting, asked]],
  ])('holds %s', (_, settings, input) => {
    const either = { ...combination, content: 'input', isListed: false };
    expect(combinedBody(either, settings)).toEqual({ model: { $: 'model' }, input });
  });

  it('leaves a hole for what only the run can tell', () => {
    const chained = setting('chain', { fields: { previous: { $: 'reply', exchange: 'a', pointer: '/id' } } });
    expect(combinedBody(combination, [chained, scripts])).toMatchObject({
      previous: { $: 'reply', exchange: 'a', pointer: '/id' },
    });
  });
});

describe('a part of a combination', () => {
  const request: PlannedRequest = {
    id: 'chat.combination.1',
    protocol: 'chat',
    method: 'POST',
    path: '/v1/chat/completions',
    callers: [{ family: 'general', group: 'default' }],
    credential: { form: 'right' },
    version: 'declared',
    accept: 'application/json, */*;q=0.5',
    contentType: 'application/json',
    body: { json: combinedBody(combination, combination.settings) },
    combination,
    stream: true,
    expect: 'answer',
    stage: 'lanes',
    billed: 1,
    when: [{ kind: 'answered', any: ['chat.plain'] }],
  };

  it('is the same request with these settings alone, sent at once', () => {
    const { combination: _, ...whole } = request;
    expect(partOf(request, ['warm', 'length'])).toEqual({
      ...whole,
      id: 'chat.combination.1.part.warm+length',
      accept: 'application/json',
      body: { json: combinedBody(combination, [warm, long]) },
      stream: false,
      when: [],
    });
    expect(partOf(request, ['stream']).stream).toBe(true);
  });

  it('is the whole with all of them, and the question with none', () => {
    const all = combination.settings.map(({ factor }) => factor);
    expect(partOf(request, all).body).toEqual(request.body);
    expect(partOf(request, [])).toMatchObject({
      id: partId('chat.combination.1', []),
      body: { json: { messages: [asked] } },
    });
    expect(partId('a', [])).toBe('a.part.nothing');
  });

  it('is of a combination only', () => {
    const { combination: _, ...plain } = request;
    expect(() => partOf(plain, [])).toThrow('chat.combination.1 is no combination');
  });
});
