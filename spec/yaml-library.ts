import { createRequire } from 'node:module';
import { once } from './once.ts';

/** The library `yaml`, loaded where a YAML document is read: most commands read none. */
export const yamlLibrary = once(() => createRequire(import.meta.url)('yaml') as typeof import('yaml'));
