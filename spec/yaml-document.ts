import { readFileSync } from 'node:fs';
import { packageFile } from './package-root.ts';
import { yamlLibrary } from './yaml-library.ts';

/**
 * The value that a YAML file of `spec/` holds. Throws where it is not YAML. In dist/ the build puts a reader of JSON
 * in the place of this module, so that the command neither loads a YAML parser nor parses YAML of its own.
 */
export const yamlDocument = (path: string): unknown =>
  yamlLibrary().parse(readFileSync(packageFile(path), 'utf8'));
