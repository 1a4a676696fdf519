import { describe, expect, it } from 'vitest';
import { type SchemaName, schemaNames } from './schema-names.ts';
import { validator } from './validators.ts';
import type { Json } from './vocabulary.ts';

const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] };
const choice = { index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' };

const conformant: Readonly<Record<SchemaName, Json>> = {
  ResponsesResult: { id: 'r1', object: 'response', output: [message], output_text: 'hi' },
  OutputMessage: message,
  ResponsesEvent: { type: 'response.created' },
  TextDelta: { type: 'response.output_text.delta', delta: '' },
  MessageResult: { content: [{ text: 'hi' }] },
  ChatCompletion: {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [choice],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  ChatChunk: { choices: [{ delta: { content: 'hi' } }] },
  ImageResult: { created: 1, data: [{}] },
  ImageUrlResult: { created: 1, data: [{ url: 'http://h/1.png' }] },
};

/** What may be left out: the only optional field that the interface shows. */
const optional = new Set(['ChatChunk /choices/0/delta/content']);

const isNode = (value: Json): value is Json[] | { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null;

/** Pointers to every object member below a value. */
function members(value: Json, at = ''): readonly string[] {
  if (!isNode(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => [
    ...(Array.isArray(value) ? [] : [`${at}/${key}`]),
    ...members(child, `${at}/${key}`),
  ]);
}

/** A copy with the value at a pointer replaced, or taken out. */
function changed(value: Json, pointer: string, put: Json | undefined): Json {
  const [, key = '', ...rest] = pointer.split('/');
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, Json>;
  if (rest.length > 0) copy[key] = changed(copy[key] ?? null, `/${rest.join('/')}`, put);
  else if (put === undefined) delete copy[key];
  else copy[key] = put;
  return copy;
}

/** A copy with an unknown field in every object. */
function extended(value: Json): Json {
  if (Array.isArray(value)) return value.map(extended);
  if (!isNode(value)) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, extended(child)]);
  return { ...Object.fromEntries(entries), unknown_field: { any: [1] } };
}

describe.each(schemaNames)('the schema %s', (name) => {
  const fields = members(conformant[name]);

  it('accepts a valid value, also with unknown fields everywhere', () => {
    expect(validator(name)(conformant[name])).toEqual({ valid: true, errors: [] });
    expect(validator(name)(extended(conformant[name]))).toEqual({ valid: true, errors: [] });
  });

  it.each(fields)('treats %s as the interface does when it is missing', (pointer) => {
    const { valid, errors } = validator(name)(changed(conformant[name], pointer, undefined));
    if (optional.has(`${name} ${pointer}`)) expect(errors).toEqual([]);
    else expect(errors.some((error) => pointer.startsWith(error.pointer))).toBe(true);
    expect(valid).toBe(errors.length === 0);
  });

  it.each(fields)('rejects %s of a wrong type, there and nowhere else', (pointer) => {
    const wrong = optional.has(`${name} ${pointer}`) ? [] : null;
    const { valid, errors } = validator(name)(changed(conformant[name], pointer, wrong));
    expect(valid).toBe(false);
    expect(errors).toHaveLength(1);
    expect(pointer.startsWith(errors[0]?.pointer ?? 'none')).toBe(true);
  });

  it.each([null, true, 7, 'text', []])('rejects %j', (value) => {
    expect(validator(name)(value)).toMatchObject({
      valid: false,
      errors: [{ pointer: '', expected: 'an object' }],
    });
  });
});

describe('violations', () => {
  it('are all reported, with pointer, expected and actual', () => {
    const reply = { id: 1, object: 'list', created: 1.5, choices: [{ ...choice, message: {} }], usage: {} };
    expect(validator('ChatCompletion')(reply).errors).toEqual(
      expect.arrayContaining([
        { pointer: '/id', expected: 'a string', keyword: 'type', actual: '1' },
        {
          pointer: '/object',
          expected: '"chat.completion"',
          keyword: 'const',
          actual: '"list"',
        },
        {
          pointer: '/created',
          expected: 'an integer',
          keyword: 'type',
          actual: '1.5',
        },
        { pointer: '/model', expected: 'a string', keyword: 'required' },
        {
          pointer: '/choices/0/message/role',
          expected: '"assistant"',
          keyword: 'required',
        },
        {
          pointer: '/choices/0/message/content',
          expected: 'a string',
          keyword: 'required',
        },
        {
          pointer: '/usage/prompt_tokens',
          expected: 'an integer',
          keyword: 'required',
        },
        {
          pointer: '/usage/completion_tokens',
          expected: 'an integer',
          keyword: 'required',
        },
        {
          pointer: '/usage/total_tokens',
          expected: 'an integer',
          keyword: 'required',
        },
      ]),
    );
    expect(validator('ChatCompletion')(reply).errors).toHaveLength(9);
  });

  it('shorten a long value', () => {
    const [error] = validator('ResponsesEvent')({ type: ['x'.repeat(10_000)] }).errors;
    expect(error?.actual?.length).toBeLessThan(200);
  });

  it('of one call are not changed by the next', () => {
    const first = validator('TextDelta')({});
    validator('TextDelta')(conformant.TextDelta);
    expect(first.errors).toHaveLength(2);
  });
});

describe('freedoms of the interface', () => {
  it.each<[string, SchemaName, Json]>([
    [
      'other output items beside the message',
      'ResponsesResult',
      { ...(conformant.ResponsesResult as object), output: [{ type: 'reasoning' }, 7, message] },
    ],
    [
      'other parts beside the text',
      'OutputMessage',
      { ...message, content: [{ type: 'refusal' }, { type: 'output_text', text: '' }] },
    ],
    [
      'further content blocks of any kind',
      'MessageResult',
      { content: [{ text: '' }, { type: 'tool' }, null] },
    ],
    ['a chunk with no choices', 'ChatChunk', { choices: [] }],
    ['a chunk with an empty delta', 'ChatChunk', { choices: [{ delta: {} }] }],
    ['a chunk with null content', 'ChatChunk', { choices: [{ delta: { content: null } }] }],
    ['any layout of an image element', 'ImageResult', { created: 1, data: ['aGk='] }],
  ])('allow %s', (_, name, value) => {
    expect(validator(name)(value)).toEqual({ valid: true, errors: [] });
  });

  it.each<[string, SchemaName, Json, string]>([
    [
      'output without a message',
      'ResponsesResult',
      { ...(conformant.ResponsesResult as object), output: [{ type: 'reasoning' }] },
      '/output',
    ],
    [
      'a message without a text part',
      'OutputMessage',
      { ...message, content: [{ type: 'text', text: 'hi' }] },
      '/content',
    ],
    ['a message result with no block', 'MessageResult', { content: [] }, '/content'],
    [
      'a completion with no choice',
      'ChatCompletion',
      { ...(conformant.ChatCompletion as object), choices: [] },
      '/choices',
    ],
    ['an image result with no image', 'ImageResult', { created: 1, data: [] }, '/data'],
    [
      'a chunk with content that is a list',
      'ChatChunk',
      { choices: [{ delta: { content: ['hi'] } }] },
      '/choices/0/delta/content',
    ],
  ])('do not allow %s', (_, name, value, pointer) => {
    expect(validator(name)(value).errors.map((error) => error.pointer)).toEqual([pointer]);
  });
});
