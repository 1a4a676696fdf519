import { describe, expect, it } from 'vitest';
import { type Parameter, parameters } from '../../spec/openapi.ts';
import { requirements } from '../../spec/requirements.ts';
import { families, groups, protocols } from '../../spec/vocabulary.ts';
import { createKit } from '../plan/kit.ts';
import { everything, planFor } from '../plan/plan.ts';
import { notAllowedCase, rangeCases, typeCases, validValues } from './parameter-values.ts';

const kit = createKit({ families, groups, rateLimited: false }, 1);

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

const valuesOf = (list: readonly { readonly value: unknown }[]) => list.map(({ value }) => value);

describe('the values of a parameter that is new in the document', () => {
  it('stand on each bound and just inside it', () => {
    expect(valuesOf(validValues(kit, 'chat', number)).sort()).toEqual([-1.99, -2, 0, 1.99, 2]);
    expect(valuesOf(validValues(kit, 'chat', integer))).toEqual([3, 4, 8]);
  });

  it('stand just outside each bound', () => {
    expect(valuesOf(rangeCases(number))).toEqual([-2.01, 2.01]);
    expect(valuesOf(rangeCases(integer))).toEqual([2, 9]);
    expect(valuesOf(rangeCases(made({ minimum: 0 })))).toEqual([-0.01]);
    expect(valuesOf(rangeCases(made({ maximum: 1 })))).toEqual([1.01]);
    expect(rangeCases(made({}))).toEqual([]);
  });

  it('are every allowed one, and one that is not', () => {
    expect(valuesOf(validValues(kit, 'chat', choice))).toEqual(['low', 'high']);
    expect(valuesOf(notAllowedCase(kit, choice))).toEqual([kit.data.notAllowed]);
    expect(notAllowedCase(kit, number)).toEqual([]);
  });

  it.each([
    ['a number', number, { string: '0', boolean: true, array: [0], object: { value: 0 } }],
    ['an integer', integer, { string: '3', fraction: 3.5, boolean: true, array: [3], object: { value: 3 } }],
    ['a string', choice, { number: 42, boolean: true, array: ['low'], object: { value: 'low' } }],
    [
      'a boolean',
      made({ types: ['boolean'] }),
      { string: 'true', number: 1, array: [true], object: { value: true } },
    ],
    [
      'a string or an array',
      made({ types: ['string', 'array'] }),
      { number: 42, boolean: true, object: { value: expect.anything() } },
    ],
  ])('of %s are one of each other type, resembling the right one', (_, parameter, wrong) => {
    const cases = typeCases(kit, parameter);
    expect(Object.fromEntries(cases.map(({ slug, value }) => [slug, value]))).toEqual(wrong);
  });

  it('are null only where the parameter is required', () => {
    expect(typeCases(kit, choice).map(({ slug }) => slug)).not.toContain('null');
    expect(typeCases(kit, { ...choice, required: true }).at(-1)).toMatchObject({ slug: 'null', value: null });
  });

  it.each([number, integer, choice])('have a slug of their own, and words', (parameter) => {
    const values = [
      ...validValues(kit, 'chat', parameter),
      ...rangeCases(parameter),
      ...typeCases(kit, parameter),
    ];
    expect(new Set(values.map(({ slug }) => slug)).size).toBe(values.length);
    for (const { words } of values) expect(words).not.toBe('');
  });
});

describe('the cases of the parameters of the document', () => {
  const plan = planFor({ families, groups, rateLimited: false }, 1, everything);
  const ids = new Set(plan.cases.map(({ id }) => id));
  const excluded = new Set(
    requirements().flatMap(({ id, excluded: reason }) => (reason === undefined ? [] : [id])),
  );
  const all = protocols.flatMap((protocol) =>
    parameters(protocol).map((parameter) => [protocol, parameter.slug, parameter] as const),
  );
  const bodies = new Map(plan.requests.map(({ id, body }) => [id, body?.json]));

  it.each(all)(
    '%s, %s: required or optional, each wrong type, each bound, what is not allowed',
    (protocol, slug, parameter) => {
      const wanted = [
        parameter.required ? 'required' : 'optional',
        ...typeCases(kit, parameter).map((wrong) => `type.${wrong.slug}`),
        ...rangeCases(parameter).map((outside) => `range.${outside.slug}`),
        ...validValues(kit, protocol, parameter).map((valid) => `accepted.${valid.slug}`),
        ...notAllowedCase(kit, parameter).map((other) => `allowed.${other.slug}`),
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

  it.each([
    ['images.n.range.0', 'n', 0],
    ['images.n.range.11', 'n', 11],
    ['messages.temperature.range.1.01', 'temperature', 1.01],
    ['chat.top-p.range.-0.01', 'top_p', -0.01],
    ['images.size.1792x1024', 'size', '1792x1024'],
    ['images.response-format.type.array', 'response_format', ['url']],
  ])('%s is asked with %s = %j', (id, name, value) => {
    expect(bodies.get(id)).toHaveProperty(name, value);
  });
});
