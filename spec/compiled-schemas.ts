import { resultSchemas } from './result-schemas.ts';
import { compiled } from './schema-set.ts';

export const schemaSet = resultSchemas;

/** The validators of the results and events of the interface. Replaced in dist/ by generated code. */
export const validators = compiled(schemaSet);
