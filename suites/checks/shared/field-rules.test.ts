import { describe, expect, it } from 'vitest';
import { createdProblem, emptyFirstBlock, joinedText } from './field-violations.ts';
import { result } from '../evidence.fixture.ts';
import { fieldViolations } from './field-violations.ts';

describe('created', () => {
  it.each([
    ['the first second that counts', 1e9, false],
    ['a second before', 1e9 - 1, true],
    ['the last second that counts', 1e10 - 1, false],
    ['a second after', 1e10, true],
    ['milliseconds', 1_790_000_000_000, true],
    ['a string, which is another violation', '5', false],
    ['a fraction, which is another violation', 1.5, false],
    ['nothing', undefined, false],
  ])('as %s', (_, created, isProblem) => {
    expect(createdProblem({ created }) !== undefined).toBe(isProblem);
  });

  it.each([[null], ['text'], [7], [[1]]])('is looked for in objects only, not in %j', (json) => {
    expect(createdProblem(json)).toBeUndefined();
    expect(joinedText(json)).toBeUndefined();
  });

  it('is judged where the result of the protocol has one, and once', () => {
    const responses = { ...result.responses('hello'), created: 5 };
    expect([...fieldViolations('responses', responses).keys()]).toEqual([]);
    const chat = fieldViolations('chat', { ...result.chat('hello'), created: 5 });
    expect([...chat.keys()]).toEqual(['chat.result.created']);
    const images = fieldViolations('images', { ...result.images('1'), created: '5' });
    expect([...images.keys()]).toEqual(['images.result.created']);
    expect(images.get('images.result.created')?.actual).toBe('"5"');
  });
});

describe('the first block', () => {
  const text = (said: unknown, type = 'text') => ({ type, text: said });

  it('is failed where it is empty and a later one of its kind has the reply', () => {
    expect(emptyFirstBlock({ content: [text(''), text('hm', 'thinking'), text('hello')] })).toEqual({
      verdict: 'fail',
      reason: { kind: 'first-block-empty', text: '"hello"' },
      pointer: '/content/0/text',
      actual: '""',
    });
    expect(emptyFirstBlock({ content: [{ text: '' }, { text: 'hello' }] })?.reason).toMatchObject({
      text: '"hello"',
    });
  });

  it.each([
    ['has the reply', [text('hello'), text('more')]],
    ['is empty, as is every other', [text(''), text('')]],
    ['is the only one', [text('')]],
    ['is empty, and a block of another kind is not', [text(''), text('hm', 'thinking')]],
    ['has no string, which is another violation', [text(null), text('hello')]],
    ['is no object', ['', text('hello')]],
    ['is followed by what is no block', [text(''), null, 'hello', text(7)]],
    ['is not there', []],
  ])('is left alone where it %s', (_, content) => {
    expect(emptyFirstBlock({ content })).toBeUndefined();
  });

  it.each([[null], ['text'], [[]], [{ content: 'hello' }]])('is not looked for in %j', (json) => {
    expect(emptyFirstBlock(json)).toBeUndefined();
  });
});

describe('output_text', () => {
  const part = (text: unknown, type = 'output_text') => ({ type, text });
  const message = (...content: readonly unknown[]) => ({ type: 'message', role: 'assistant', content });
  const joined = (output_text: unknown, ...output: readonly unknown[]) => joinedText({ output_text, output });

  it('is held against the only text part', () => {
    expect(joined('hello', message(part('hello')))).toBe('kept');
    expect(joined('bye', message(part('hello')))).toEqual({
      verdict: 'fail',
      reason: { kind: 'output-text-differs', text: '"hello"' },
      pointer: '/output_text',
      actual: '"bye"',
    });
  });

  it.each([
    ['a reasoning item with a content of its own', [{ type: 'reasoning', content: [part('hm')] }]],
    ['items that are no objects', [null, 'text', 7]],
    ['a message whose content is no array', [{ type: 'message', content: 'hello' }]],
  ])('is held against it beside %s', (_, others) => {
    expect(joined('hello', ...others, message(part('hello')))).toBe('kept');
  });

  it.each([
    ['hello', 'kept'],
    ['hello\nI may not say more.', undefined],
    ['bye', 'output-text-differs'],
    ['', 'output-text-differs'],
  ])('beside a refusal has the text, and may have more: %j', (output_text, said) => {
    const found = joined(output_text, message(part('hello'), { type: 'refusal', refusal: 'no' }));
    expect(typeof found === 'object' ? found.reason.kind : found).toBe(said);
  });

  it('beside a refusal may lack the white space around the text', () => {
    expect(joined('hello no', message(part('hello\n'), { type: 'refusal', refusal: 'no' }))).toBeUndefined();
  });

  it.each([
    ['no message', [{ type: 'reasoning', content: [part('hello')] }]],
    ['two text parts', [message(part('hel'), part('lo'))]],
    ['two messages', [message(part('hel')), message(part('lo'))]],
    ['a part of another type', [message(part('hello', 'text'))]],
    ['a part whose text is no string', [message(part(7))]],
    ['a part that is no object', [message('hello')]],
    ['a part that is null', [message(null)]],
  ])('is left alone with %s', (_, output) => {
    expect(joined('bye', ...output)).toBeUndefined();
  });

  it('is left alone where it is no string, or output no array', () => {
    expect(joined(7, message(part('hello')))).toBeUndefined();
    expect(joinedText({ output_text: 'hello', output: {} })).toBeUndefined();
  });
});
