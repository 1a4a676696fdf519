import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, Options } from 'ajv/dist/2020.js';
import { packageFile } from './package-root.ts';
import { once } from './once.ts';

/**
 * A module `compiled-schemas.ts` exports one as `schemaSet`, and its `validators`: in dist/ the build puts Ajv's generated
 * code in its place, so that the command neither loads Ajv nor compiles anything.
 */
export interface SchemaSet<Name extends string> {
  readonly options: Options;
  /** The schemas, by the key that references begin with. */
  readonly documents: () => Readonly<Record<string, object>>;
  /** Of each validator the reference: a key, or a key, `#` and a JSON Pointer. */
  readonly references: Readonly<Record<Name, string>>;
  /** Keywords of the documents that say nothing about values. */
  readonly annotations?: readonly string[];
}

/** Whether a value is valid; where not, `errors` says why until the next call. */
export interface Validate {
  (value: unknown): boolean;
  readonly errors?: readonly ErrorObject[] | null | undefined;
}

/** The JSON Schema in a file of this package. */
export const jsonSchema = (path: string): object =>
  JSON.parse(readFileSync(packageFile(path), 'utf8')) as object;

/** Ajv with the documents of a set, nothing of them compiled yet. */
export function ajvFor({ options, documents, annotations = [] }: SchemaSet<string>): Ajv2020 {
  // Loaded where a schema is compiled: most commands compile none.
  const require = createRequire(import.meta.url);
  const library = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const formats = require('ajv-formats') as typeof import('ajv-formats');
  const ajv = new library.Ajv2020(options);
  formats.default(ajv, ['date-time']);
  ajv.addVocabulary([...annotations]);
  for (const [key, document] of Object.entries(documents())) ajv.addSchema(document, key);
  return ajv;
}

/** The validators of a set, each compiled when it is first asked for. Throws where a reference points at nothing. */
export function compiled<Name extends string>(set: SchemaSet<Name>): (name: Name) => Validate {
  const ajv = once(() => ajvFor(set));
  return (name) => {
    const validate = ajv().getSchema(set.references[name]);
    if (validate === undefined) throw new Error(`there is no schema ${set.references[name]}`);
    return validate as Validate;
  };
}
