import { openapiDigest } from './openapi.ts';
import { packageInfo } from './package-root.ts';
import { requirementsDigest, statementsVersion } from './requirements.ts';

/** Name and version of the suite, and the digests of the documents that it judges by. */
export interface SuiteInfo {
  readonly name: string;
  readonly version: string;
  readonly requirementsDigest: string;
  readonly openapiDigest: string;
  /** The version of the statements; absent in reports of earlier versions. */
  readonly statements?: string;
}

export const suiteInfo = (): SuiteInfo => ({
  ...packageInfo(),
  requirementsDigest: requirementsDigest(),
  openapiDigest: openapiDigest(),
  statements: String(statementsVersion()),
});
