import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { probeSuites, probesOf } from './probes.ts';
import { jsonSchema } from './schema-set.ts';

const validate = new Ajv2020({ strict: false, allErrors: true }).compile(
  jsonSchema('spec/probes/probes.schema.json'),
);

it.each(probeSuites)('the probes of %s are what the JSON Schema says', (suite) => {
  validate(probesOf(suite));
  expect(validate.errors).toBeNull();
});

it.each([
  ['a name that probes do not have', { exepct: 'refused' }],
  ['an expectation that is none', { expect: 'maybe' }],
  ['a control that is none', { control: 'the moon' }],
])('a probe with %s is not', (_, wrong) => {
  const probe = { requirement: 'a.b', id: 'a', what: 'it', expect: 'refused', change: { body: null } };
  expect(validate([{ each: 'protocol', probes: [probe] }])).toBe(true);
  expect(validate([{ each: 'protocol', probes: [{ ...probe, ...wrong }] }])).toBe(false);
});
