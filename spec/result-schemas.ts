import { openapi } from './openapi.ts';
import { type SchemaName, schemaNames } from './schema-names.ts';
import type { SchemaSet } from './schema-set.ts';

const root = 'interface';

/** The schemas of the results and events of the interface, with what an extension in force adds. */
export const resultSchemas: SchemaSet<SchemaName> = {
  options: { allErrors: true, verbose: true, strictTypes: false, strictTuples: false, validateSchema: false },
  annotations: ['components', 'x-sections'],
  documents: () => ({ [root]: { $id: root, components: { schemas: openapi().components?.schemas } } }),
  references: Object.fromEntries(
    schemaNames.map((name) => [name, `${root}#/components/schemas/${name}`]),
  ) as Record<SchemaName, string>,
};
