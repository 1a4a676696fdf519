import { openapi } from './openapi.ts';
import { type SchemaName, schemaNames } from './schema-names.ts';
import { compiled, type SchemaSet } from './schema-set.ts';

const root = 'interface';

export const schemaSet: SchemaSet<SchemaName> = {
  options: {
    allErrors: true,
    verbose: true,
    strictTypes: false,
    strictTuples: false,
    validateSchema: false,
  },
  annotations: ['components', 'x-sections'],
  documents: () => ({ [root]: { $id: root, components: { schemas: openapi().components?.schemas } } }),
  references: Object.fromEntries(
    schemaNames.map((name) => [name, `${root}#/components/schemas/${name}`]),
  ) as Record<SchemaName, string>,
};

/** The validators of the results and events of the interface. Replaced in dist/ by generated code. */
export const validators = compiled(schemaSet);
