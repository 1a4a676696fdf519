import { readFileSync } from 'node:fs';
import { packageFile } from './package-root.ts';
import { yamlLibrary } from './yaml-library.ts';

/** The value of a YAML file of `spec/`; throws where it is none. In dist/ the build puts a reader of JSON in place of this module. */
export const yamlDocument = (path: string): unknown =>
  yamlLibrary().parse(readFileSync(packageFile(path), 'utf8'));
