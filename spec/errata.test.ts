import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { affects, errata, errataFile, erratumProblem } from './errata.ts';
import { jsonSchema } from './schema-set.ts';
import { yamlDocument } from './yaml-document.ts';

const erratum = {
  requirement: 'chat.result.id',
  from: '0.1.0',
  until: '0.2.0',
  url: 'https://example.com/errata/1',
  error: 'An id of one letter was failed.',
  holds: 'Any string is an id.',
};
const isValid = new Ajv2020().compile(jsonSchema('spec/errata.schema.json'));

it('the errata are what the JSON Schema says, and each is of a requirement of the register', () => {
  expect(isValid(yamlDocument(errataFile))).toBe(true);
  expect(errata().map(erratumProblem).filter(Boolean)).toEqual([]);
});

it.each([
  ['0.0.9', false],
  ['0.1.0', true],
  ['0.1.10', true],
  ['0.2.0', false],
  ['1.0.0', false],
])('version %s is affected: %s', (version, isAffected) => {
  expect(affects(erratum, version)).toBe(isAffected);
  const { until: _, ...open } = erratum;
  expect(affects(open, version)).toBe(version !== '0.0.9');
});

it.each([
  ['an unknown requirement', { requirement: 'chat.made-up' }, 'requirement'],
  ['no address', { url: 'example' }, 'url'],
  ['a script for an address', { url: 'javascript:alert(1)' }, 'url'],
  ['a version that is none', { from: 'soon' }, 'from'],
  ['an end before its beginning', { until: '0.1.0' }, 'until'],
])('an erratum with %s is refused', (_, wrong, key) => {
  expect(erratumProblem(erratum)).toBeUndefined();
  expect(erratumProblem({ ...erratum, ...wrong })?.key).toBe(key);
});
