import type { ErrorObject } from 'ajv/dist/2020.js';
import { validators } from './compiled-schemas.ts';
import { extension, oncePerExtension } from './extension.ts';
import { oncePerObject } from './once.ts';
import { resultSchemas } from './result-schemas.ts';
import type { SchemaName } from './schema-names.ts';
import { ajvFor, compiled, type Validate } from './schema-set.ts';
import { shorten, withArticle } from './text.ts';

export interface Violation {
  /** JSON Pointer to the offending value, or to where the missing one belongs. */
  readonly pointer: string;
  readonly expected: string;
  readonly keyword: string;
  /** The value as JSON, shortened; absent where nothing is there. */
  readonly actual?: string;
}

/** Whether a value is valid, and every violation, in the order of the schema. */
export type Validator = (value: unknown) => {
  readonly valid: boolean;
  readonly errors: readonly Violation[];
};

const brief = (value: unknown): string => shorten(JSON.stringify(value) ?? String(value), 120);

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

interface SchemaNode {
  readonly type?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

const ofType = (type: string): string => (type === 'null' ? type : withArticle(type));

const described = (schema: SchemaNode | undefined): string =>
  schema?.const !== undefined ? JSON.stringify(schema.const) : ofType(schema?.type ?? 'value');

function missing(error: ErrorObject): Violation {
  const key = String(error.params.missingProperty);
  const parent = error.parentSchema as SchemaNode | undefined;
  const pointer = `${error.instancePath}/${escaped(key)}`;
  return { pointer, expected: described(parent?.properties?.[key]), keyword: error.keyword };
}

/** What a `contains` asks for: the constants of an element's properties. */
function wanted(schema: SchemaNode | undefined): string {
  const constants = Object.entries(schema?.properties ?? {}).map(
    ([key, value]) => `${key} ${described(value)}`,
  );
  return `an element with ${constants.join(', ')}`;
}

function expected(error: ErrorObject): string {
  switch (error.keyword) {
    case 'type':
      return [error.params.type].flat().map(ofType).join(' or ');
    case 'const':
      return JSON.stringify(error.params.allowedValue);
    case 'minLength':
      return 'a string that is not empty';
    case 'minItems':
      return `at least ${error.params.limit} element`;
    case 'contains':
      return wanted(error.schema as SchemaNode);
    default:
      return error.message ?? error.keyword;
  }
}

function violation(error: ErrorObject): Violation {
  const { keyword, instancePath: pointer, data } = error;
  return keyword === 'required'
    ? missing(error)
    : { pointer, expected: expected(error), keyword, actual: brief(data) };
}

/** Errors that explain another one: what each element of a `contains` lacks, and that an `if` held. */
const isEcho = (error: ErrorObject) => error.keyword === 'if' || error.schemaPath.includes('/contains/');

/** A wrong type and a wrong constant of one value are one violation; the constant says more. */
const isShadowed = (error: ErrorObject, all: readonly ErrorObject[]): boolean =>
  error.keyword === 'type' &&
  all.some((other) => other.keyword === 'const' && other.instancePath === error.instancePath);

/** Those of an extension in force, which no build can know. */
const extended = oncePerExtension(() => compiled(resultSchemas));

/** What a compiled schema says of a value, in our words. */
const inWords =
  (validate: Validate): Validator =>
  (value) => {
    const valid = validate(value);
    const all = (validate.errors ?? []).filter((error) => !isEcho(error));
    return { valid, errors: all.filter((error) => !isShadowed(error, all)).map(violation) };
  };

/** The validator of a schema that an extension has for a body; each is made once. Throws Error where it is no JSON Schema. */
export const validatorOf = oncePerObject(
  (schema: object): Validator => inWords(ajvFor({ ...resultSchemas, documents: () => ({}) }).compile(schema)),
);

/** The validator of a schema. Throws where the OpenAPI document has no such schema. */
export const validator = (name: SchemaName): Validator =>
  inWords(extension() === undefined ? validators(name) : extended()(name));
