import type { Credential, PlannedRequest } from '../types/plan.ts';
import { valueAt } from './json.ts';

/** What of a planned request its retryable replies are read by. */
export interface RequestFacts {
  /** Equal for requests with the same endpoint, model and credential form: what one of them shows holds for all. */
  readonly kind: string;
  readonly expect: PlannedRequest['expect'];
  /** `wrong`: a gateway must or may refuse it for the credential alone; `spent`: its limit is spent. */
  readonly credential: 'right' | 'wrong' | 'spent';
  /** The documented form with a token that no console issued. */
  readonly isInvalidToken: boolean;
}

/** What a credential is, whatever the rest of its request. */
export const credentialOf = ({ form, ...more }: Credential): RequestFacts['credential'] => {
  if (form === 'right') return 'right';
  if (form !== 'token') return 'wrong';
  return 'token' in more && more.token === 'rate-limited' ? 'spent' : 'right';
};

const modelOf = ({ body }: PlannedRequest): unknown => valueAt(body?.json, '/model') ?? null;

/** The facts of a planned request. */
export function factsOf(request: PlannedRequest): RequestFacts {
  const { path, method, callers, expect, credential } = request;
  const form = credentialOf(credential);
  const model =
    form === 'wrong' ? null : [modelOf(request), callers.map(({ family, model }) => model ?? family)];
  return {
    kind: JSON.stringify([method, path, form, model]),
    expect,
    credential: form,
    isInvalidToken: credential.form === 'invalid' || credential.form === 'near-miss',
  };
}
