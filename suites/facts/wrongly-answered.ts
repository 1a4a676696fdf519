import { matrix } from '../../spec/matrix.ts';
import { protocolPath } from '../../spec/paths.ts';
import type { PlannedRequest } from '../types/plan.ts';

/** What was wrong with a request that was answered: who gets in by it, and what a gateway takes too much. */
export type WrongKind =
  | 'without-valid-token'
  | 'unsupported-family'
  | 'other-form-of-token'
  | 'version-header'
  | 'outside-contract';

/** A request that must be refused, and was answered with output. */
export type WronglyAnswered = ReturnType<typeof wronglyAnswered>;

function kindOf(request: PlannedRequest): WrongKind {
  const { credential, version } = request;
  if (version !== 'declared') return 'version-header';
  switch (credential.form) {
    case 'right':
    case 'token':
      return isOfRefusedCell(request) ? 'unsupported-family' : 'outside-contract';
    case 'header':
      // The token is no longer the caller's: something stands right behind it or before it.
      return credential.value.includes('{token}') && !/[\w-]\{token\}|\{token\}[\w-]/.test(credential.value)
        ? 'other-form-of-token'
        : 'without-valid-token';
    // The valid token stands beside the invented one, where Messages does not accept it.
    case 'conflicting':
      return 'other-form-of-token';
    default:
      return 'without-valid-token';
  }
}

/** Whether its models are stated to be refused there, or with its group (2.2, 5). */
const isOfRefusedCell = ({ callers: [caller], protocol }: PlannedRequest): boolean =>
  matrix().some(
    (cell) =>
      cell.expectation === 'refused' &&
      cell.protocol === protocol &&
      cell.family === caller?.family &&
      cell.group === caller.group,
  );

/** `open`: a request with no token of ours that the same endpoint answers: then it is no form that is taken. */
export function wronglyAnswered(request: PlannedRequest, rule: string, open: PlannedRequest | undefined) {
  const kind = kindOf(request);
  const endpoint = `${request.method} ${protocolPath(request.protocol)}`;
  if (kind === 'other-form-of-token' && open)
    return {
      kind: 'without-valid-token' as const,
      endpoint,
      what: strangerWords[strangerIn(open) ?? 'none'],
    };
  // Method and path, and which sentence the request breaks.
  return { kind, endpoint, what: rule.replace(/\.$/, '') };
}

const strangerWords = { none: 'no credential', invalid: 'a token that was never issued' } as const;

/** How a request shows that nobody stands behind it whom the target knows; undefined where it does not. */
export const strangerIn = ({ credential: { form } }: PlannedRequest): 'none' | 'invalid' | undefined =>
  form === 'none' || form === 'invalid' ? form : undefined;

/** Whether the sender has the whole token of a group that must be served these models: then nobody gets in by it. */
export const isOfRightfulCaller = (request: PlannedRequest): boolean =>
  (request.credential.form === 'header'
    ? request.credential.value.includes('{token}')
    : request.credential.form === 'right' || request.credential.form === 'conflicting') &&
  request.callers.length > 0 &&
  request.callers.every(({ family, group }) =>
    matrix().some((cell) => cell.expectation === 'served' && cell.family === family && cell.group === group),
  );
