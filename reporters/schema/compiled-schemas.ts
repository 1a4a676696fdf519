import { compiled, jsonSchema, type SchemaSet } from '../../spec/schema-set.ts';

export const schemaSet: SchemaSet<'report' | 'evidence'> = {
  // What is referred to is generated once, not in each place: less code.
  options: { allErrors: false, strict: true, strictRequired: false, strictTypes: false, inlineRefs: false },
  documents: () => ({
    extension: jsonSchema('fixtures/extension/extension.schema.json'),
    report: jsonSchema('reporters/schema/report.schema.json'),
    evidence: jsonSchema('reporters/schema/evidence.schema.json'),
  }),
  references: { report: 'report', evidence: 'evidence' },
};

/** The validators of report.json and of a line of evidence.jsonl. Replaced in dist/ by generated code. */
export const validators = compiled(schemaSet);
