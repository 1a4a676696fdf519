import { matrix } from '../../spec/matrix.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import type { PlannedRequest } from '../types/plan.ts';

/** What was wrong with a request that was answered: who gets in by it, and what a gateway takes too much. */
export type WrongKind =
  | 'without-valid-token'
  | 'unsupported-family'
  | 'other-form-of-token'
  | 'version-header'
  | 'outside-contract';

/** A request that must be refused, and was answered with output. */
export interface WronglyAnswered {
  readonly kind: WrongKind;
  /** The endpoint, and which sentence the request breaks. */
  readonly what: string;
}

function kindOf(request: PlannedRequest): WrongKind {
  const { credential, version } = request;
  if (version !== 'declared') return 'version-header';
  switch (credential.form) {
    case 'right':
    case 'token':
      return isOfRefusedCell(request) ? 'unsupported-family' : 'outside-contract';
    case 'header':
      return credential.value.includes('{token}') && !isChanged(credential.value)
        ? 'other-form-of-token'
        : 'without-valid-token';
    // The valid token stands beside the invented one, where Messages does not accept it.
    case 'conflicting':
      return 'other-form-of-token';
    default:
      return 'without-valid-token';
  }
}

/** The token is no longer the caller's: something stands right behind it or before it. */
const isChanged = (value: string): boolean => /[\w-]\{token\}|\{token\}[\w-]/.test(value);

/** Whether its models are stated to be refused there, or with its group (2.2, 5). */
const isOfRefusedCell = ({ callers: [caller], protocol }: PlannedRequest): boolean =>
  matrix().some(
    (cell) =>
      cell.expectation === 'refused' &&
      cell.protocol === protocol &&
      cell.family === caller?.family &&
      cell.group === caller.group,
  );

/** @param rule which sentence the request breaks, in words */
export const wronglyAnswered = (request: PlannedRequest, rule: string): WronglyAnswered => ({
  kind: kindOf(request),
  what: `${request.method} ${protocolFacts[request.protocol].path}: ${rule.replace(/\.$/, '')}`,
});
