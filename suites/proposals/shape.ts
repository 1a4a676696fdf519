import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../spec/json.ts';
import type { Json } from '../../spec/vocabulary.ts';

type Schema = { readonly [name: string]: Json };

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
};

/** A code, and no sentence for people: those are worded anew now and then. */
const isCode = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]+$/.test(value);

/** What several values have in common, as a JSON Schema: the members that each has, their types, and codes that never differ. */
export function schemaOf(values: readonly unknown[]): Schema {
  const [first] = values;
  const types = [...new Set(values.map(typeOf))];
  if (types.length !== 1) return { type: types.sort() };
  if (!isObject(first))
    return isCode(first) && values.every((value) => isDeepStrictEqual(value, first))
      ? { const: first }
      : { type: types[0] ?? 'null' };
  const all = values.filter(isObject);
  const names = Object.keys(first).filter((name) => all.every((value) => Object.hasOwn(value, name)));
  const properties = names.map((name) => [name, schemaOf(all.map((value) => value[name]))] as const);
  return names.length === 0
    ? { type: 'object' }
    : { type: 'object', required: names, properties: Object.fromEntries(properties) };
}
