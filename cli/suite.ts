import { readFileSync } from 'node:fs';
import { openapiDigest } from '../spec/openapi.ts';
import { packageFile } from '../spec/package-root.ts';
import { requirementsDigest } from '../spec/requirements.ts';
import type { Report } from '../suites/model/report.ts';

/** Name and version of this package. */
export function packageInfo(): { readonly name: string; readonly version: string } {
  return JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { name: string; version: string };
}

/** What judges: the package and the digests of what it judges by. */
export function suiteInfo(): Report['suite'] {
  const { name, version } = packageInfo();
  return { name, version, requirementsDigest: requirementsDigest(), openapiDigest: openapiDigest() };
}
