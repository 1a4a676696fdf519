import type { TokenName } from '../../fixtures/target/target.ts';
import type { PlannedRequest } from '../types/plan.ts';

/** Whether a request carries a token in the documented form that no console issued. */
export const isInvented = ({ credential }: PlannedRequest): boolean => credential.form === 'invalid';

/** The token of the config that a request carries, whole or changed; undefined where it carries none. */
export function tokenOf({ credential, callers }: PlannedRequest): TokenName | undefined {
  if (credential.form === 'token') return credential.token;
  const carries = ['right', 'near-miss', 'conflicting'].includes(credential.form);
  return carries ? callers[0]?.group : undefined;
}
