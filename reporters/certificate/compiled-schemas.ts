import { compiled, jsonSchema, type SchemaSet } from '../../spec/schema-set.ts';

export const schemaSet: SchemaSet<'envelope' | 'statement'> = {
  options: { allErrors: false, strict: true, strictRequired: false, inlineRefs: false },
  documents: () => ({ certificate: jsonSchema('reporters/certificate/certificate.schema.json') }),
  references: { envelope: 'certificate#/$defs/envelope', statement: 'certificate#/$defs/statement' },
};

/** The validators of a certificate and of what it states. Replaced in dist/ by generated code. */
export const validators = compiled(schemaSet);
