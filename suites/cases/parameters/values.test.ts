import { beforeEach, describe, expect, it } from 'vitest';
import { type Parameter, parameters } from '../../../spec/openapi.ts';
import { requirements } from '../../../spec/requirements.ts';
import { families, groups, protocols } from '../../../spec/vocabulary.ts';
import type { Template } from '../../types/template.ts';
import { createCaseBuilder } from '../builder/case-builder.ts';
import { type Built, built } from '../cases.fixture.ts';
import { validValues } from './valid-values.ts';
import { valuesFarOutside, valuesNotAllowed, valuesOutside } from './wrong-values.ts';
import { valuesOfWrongType } from './wrong-types.ts';
import { fullDepth } from '../../types/profile.ts';

const builder = createCaseBuilder({ families, groups, rateLimited: false }, 1, fullDepth);

/** A parameter that the document does not have. */
const made = (more: Partial<Parameter>): Parameter => ({
  name: 'warmth',
  slug: 'warmth',
  types: ['number'],
  required: false,
  sections: ['4.3'],
  ...more,
});

const number = made({ minimum: -2, maximum: 2 });
const integer = made({ types: ['integer'], minimum: 3, maximum: 8 });
const choice = made({ types: ['string'], allowed: ['low', 'high'] });
const message = { role: 'user', content: 'Reply with the word hello.' };

const valuesOf = (list: readonly { readonly value: unknown }[]) => list.map(({ value }) => value);

describe('the values of a parameter that is new in the document', () => {
  it('stand on each bound and between them', () => {
    expect(valuesOf(validValues(builder, 'chat', number))).toEqual([-2, -0.6, 2]);
    expect(valuesOf(validValues(builder, 'chat', integer))).toEqual([3, 4, 8]);
  });

  it('stand just outside each bound', () => {
    expect(valuesOf(valuesOutside(number))).toEqual([-2.01, 2.01]);
    expect(valuesOf(valuesOutside(integer))).toEqual([2, 9]);
    expect(valuesOf(valuesOutside(made({ minimum: 0 })))).toEqual([-0.01]);
    expect(valuesOf(valuesOutside(made({ types: ['integer'], minimum: 1 })))).toEqual([0, -1]);
    expect(valuesOf(valuesOutside(made({ maximum: 1 })))).toEqual([1.01]);
    expect(valuesOutside(made({}))).toEqual([]);
  });

  it('stand far outside each bound, each with the one a step outside it', () => {
    const described = (parameter: Parameter) =>
      valuesFarOutside(parameter).map(({ slug, value, unless }) => [slug, value, unless]);
    expect(described(number)).toEqual([
      ['far-below', -42, '-2.01'],
      ['far-above', 42, '2.01'],
    ]);
    expect(described(integer)).toEqual([
      ['far-below', -47, '2'],
      ['far-above', 58, '9'],
    ]);
    expect(described(made({ minimum: 0 }))).toEqual([['far-below', -10, '-0.01']]);
    expect(described(made({ maximum: 1 }))).toEqual([['far-above', 11, '1.01']]);
    expect(described(made({}))).toEqual([]);
  });

  it('are every allowed one, one that is not, and one that is nearly the last of them', () => {
    expect(valuesOf(validValues(builder, 'chat', choice))).toEqual(['low', 'high']);
    expect(valuesOf(valuesNotAllowed(builder, choice)).slice(0, 2)).toEqual([
      builder.data.notAllowed,
      'higi',
    ]);
    const neighbours = valuesNotAllowed(builder, made({ allowed: ['b', 'a'] }));
    expect(neighbours.map(({ slug }) => slug)).not.toContain('near');
    expect(valuesNotAllowed(builder, number)).toEqual([]);
  });

  it('are those that a lax comparison with the allowed ones takes', () => {
    const lax = valuesNotAllowed(builder, choice).filter(({ unless }) => unless === 'other');
    expect(lax.map(({ slug, value }) => [slug, value])).toEqual([
      ['case', 'LOW'],
      ['blanks', ' low '],
      ['shorter', 'lo'],
      ['joined', 'low,high'],
      ['empty', ''],
    ]);
    const odd = valuesNotAllowed(builder, made({ allowed: ['7', ''] }));
    expect(odd.map(({ slug }) => slug)).toEqual(['other', 'near', 'blanks', 'joined']);
    const alone = valuesNotAllowed(builder, made({ allowed: ['low'] }));
    expect(alone.map(({ slug }) => slug)).not.toContain('joined');
  });

  it.each([
    ['a number', number, { string: '0', boolean: true, array: [0], object: { value: 0 }, empty: '' }],
    [
      'an integer',
      integer,
      { string: '3', fraction: 3.5, boolean: true, array: [3], object: { value: 3 }, empty: '' },
    ],
    [
      'a string',
      choice,
      { number: 42, boolean: true, array: ['low'], object: { value: 'low' }, false: false },
    ],
    [
      'a boolean',
      made({ types: ['boolean'] }),
      { string: 'true', word: 'false', number: 1, array: [true], object: { value: true }, zero: 0 },
    ],
    [
      'an array',
      made({ types: ['array'], required: true }),
      {
        string: JSON.stringify([message]),
        number: 42,
        boolean: true,
        object: { 0: message },
        null: null,
        single: message,
      },
    ],
    [
      'a string or an array',
      made({ types: ['string', 'array'] }),
      { number: 42, boolean: true, object: { 0: message }, single: message, false: false },
    ],
  ])('of %s are one of each other type, resembling the right one', (_, parameter, wrong) => {
    const cases = valuesOfWrongType(builder, parameter);
    expect(Object.fromEntries(cases.map(({ slug, value }) => [slug, value]))).toEqual(wrong);
  });

  it('are null only where the parameter is required, and false only where it is not', () => {
    const slugs = (parameter: Parameter) => valuesOfWrongType(builder, parameter).map(({ slug }) => slug);
    expect(slugs(choice)).not.toContain('null');
    expect(slugs({ ...choice, required: true })).toEqual(['number', 'boolean', 'array', 'object', 'null']);
    expect(slugs({ ...number, required: true })).not.toContain('empty');
    expect(slugs(made({ types: ['object'] }))).not.toContain('empty');
  });

  it.each([number, integer, choice, made({ types: ['array'] }), made({ types: ['boolean'] })])(
    'wait for a plainer one that there is',
    (parameter) => {
      for (const values of [
        valuesOfWrongType(builder, parameter),
        valuesNotAllowed(builder, parameter),
        [...valuesOutside(parameter), ...valuesFarOutside(parameter)],
      ]) {
        const plain = values.filter(({ unless }) => unless === undefined).map(({ slug }) => slug);
        expect(values.filter(({ unless }) => unless !== undefined && !plain.includes(unless))).toEqual([]);
      }
    },
  );

  it.each([number, integer, choice])('have a slug of their own, and words', (parameter) => {
    const values = [
      ...validValues(builder, 'chat', parameter),
      ...valuesOutside(parameter),
      ...valuesFarOutside(parameter),
      ...valuesOfWrongType(builder, parameter),
    ];
    expect(new Set(values.map(({ slug }) => slug)).size).toBe(values.length);
    for (const { description } of values) expect(description).not.toBe('');
  });
});

describe('the cases of the parameters of the document', () => {
  let plan: Built;
  let bodies: ReadonlyMap<string, Template | undefined>;
  beforeEach(() => {
    plan = built({ families, groups, rateLimited: false });
    bodies = new Map(plan.requests.map(({ id, body }) => [id, body?.json]));
  });
  const excluded = new Set(
    requirements().flatMap(({ id, excluded: reason }) => (reason === undefined ? [] : [id])),
  );
  const all = protocols.flatMap((protocol) =>
    parameters(protocol).map((parameter) => [protocol, parameter.slug, parameter] as const),
  );

  it.each(all)(
    '%s, %s: required or optional, each wrong type, each bound, what is not allowed',
    (protocol, slug, parameter) => {
      const ids = new Set(plan.cases.map(({ id }) => id));
      const wanted = [
        parameter.required ? 'required' : 'optional',
        ...valuesOfWrongType(builder, parameter).map((wrong) => `type.${wrong.slug}`),
        ...valuesOutside(parameter).map((outside) => `range.${outside.slug}`),
        ...valuesFarOutside(parameter).map((beyond) => `range.${beyond.slug}`),
        ...validValues(builder, protocol, parameter).map((valid) => `accepted.${valid.slug}`),
        ...valuesNotAllowed(builder, parameter).map((other) => `allowed.${other.slug}`),
      ].filter((aspect) => !excluded.has(`${protocol}.param.${slug}.${aspect.split('.')[0]}`));
      expect(wanted.length).toBeGreaterThan(3);
      expect(wanted.filter((aspect) => !ids.has(`parameters.${protocol}.${slug}.${aspect}`))).toEqual([]);
    },
  );

  it('differ from the plain request in that one parameter', () => {
    const plain = bodies.get('chat.plain');
    expect(bodies.get('chat.temperature.range.2.01')).toEqual({ ...Object(plain), temperature: 2.01 });
    const { messages: _, ...less } = Object(plain);
    expect(bodies.get('chat.messages.missing')).toEqual(less);
  });

  it('send what lies far outside only where a step outside was refused: it may be expensive', () => {
    const beyond = plan.requests.filter(({ id }) => id.includes('.range.far-'));
    expect(beyond.length).toBe(8);
    expect(bodies.get('images.n.range.far-above')).toMatchObject({ n: 100 });
    const waits = (id: string) =>
      plan.requests.find((request) => request.id === id)?.when.find(({ kind }) => kind === 'unanswered');
    expect(beyond.map(({ id }) => waits(id))).not.toContain(undefined);
    expect(waits('images.n.range.far-above')).toEqual({ kind: 'unanswered', all: ['images.n.range.11'] });
    expect(waits('images.n.type.empty')).toEqual({ kind: 'unanswered', all: ['images.n.type.string'] });
    expect(waits('images.size.allowed.case')).toEqual({
      kind: 'unanswered',
      all: ['images.size.allowed.other'],
    });
  });

  it('send a list as input only where no string was answered, as control of the string', () => {
    expect(bodies.get('responses.listed')).toEqual({
      ...Object(bodies.get('responses.plain')),
      input: [{ role: 'user', content: Object(bodies.get('responses.plain')).input }],
    });
    const entry = plan.cases.find(({ id }) => id === 'parameters.responses.input.accepted.plain');
    expect(entry?.check).toMatchObject({ probe: 'responses.plain', controls: ['responses.listed'] });
    expect(entry?.check).not.toHaveProperty('after');
  });

  it.each([
    ['images.n.range.0', 'n', 0],
    ['images.n.range.11', 'n', 11],
    ['messages.temperature.range.1.01', 'temperature', 1.01],
    ['chat.top-p.range.-0.01', 'top_p', -0.01],
    ['images.size.1792x1024', 'size', '1792x1024'],
    ['images.response-format.type.array', 'response_format', ['url']],
    ['images.size.allowed.case', 'size', '256X256'],
    ['images.size.allowed.blanks', 'size', ' 256x256 '],
    ['images.size.allowed.joined', 'size', '256x256,512x512'],
    ['images.response-format.allowed.shorter', 'response_format', 'ur'],
    ['images.quality.allowed.empty', 'quality', ''],
    ['chat.max-tokens.type.empty', 'max_tokens', ''],
    ['messages.system.type.false', 'system', false],
    ['responses.stream.type.zero', 'stream', 0],
    ['chat.messages.type.single', 'messages', { role: 'user', content: 'Reply with the word hello.' }],
  ])('%s is asked with %s = %j', (id, name, value) => {
    expect(bodies.get(id)).toHaveProperty(name, value);
  });
});
