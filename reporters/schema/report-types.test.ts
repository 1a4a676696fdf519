import { expect, it } from 'vitest';
import { jsonSchema } from '../../spec/schema-set.ts';
import { causeKinds } from '../../suites/types/cause.ts';
import { setAsideReasons } from '../../suites/types/traffic.ts';

it('the lists that have an order of their own name what the schema names, and no more', () => {
  const { $defs } = jsonSchema('reporters/schema/report.schema.json') as {
    $defs: {
      cause: { properties: { kind: { enum: string[] } } };
      traffic: { properties: { setAside: { items: { properties: { why: { enum: string[] } } } } } };
    };
  };
  expect(causeKinds).toEqual($defs.cause.properties.kind.enum);
  expect(setAsideReasons).toEqual($defs.traffic.properties.setAside.items.properties.why.enum);
});
