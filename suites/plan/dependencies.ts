import { oncePerObject } from '../../spec/once.ts';
import { reads } from '../checks/registry.ts';
import { arrivalReads } from '../checks/shared/long-streams.ts';
import { hasLetters } from '../checks/shared/nonces.ts';
import { isTextProtocol } from '../../spec/vocabulary.ts';
import { longId } from '../types/request-ids.ts';
import type { Case } from '../types/case.ts';
import type { PlannedRequest } from '../types/plan.ts';

/** A long text tells whether the model has the letters of a nonce at all. */
const lettersShownBy = (nonce: string, { protocol }: PlannedRequest): readonly string[] =>
  hasLetters(nonce) && isTextProtocol(protocol) ? [longId(protocol)] : [];

/** Ids of the exchanges that a request waits for, its stage apart; what orders, selects and counts requests asks for them. */
export const dependencies = oncePerObject((request: PlannedRequest): readonly string[] => {
  const ofConditions = request.when.flatMap((condition) => {
    switch (condition.kind) {
      case 'answered':
      case 'one-unanswered':
      case 'one-unanswered-unlimited':
        return condition.any;
      case 'unanswered':
      case 'recorded':
        return condition.all;
      case 'not-recalled':
        return [condition.exchange, condition.control, ...lettersShownBy(condition.nonce, request)];
      case 'recalled':
      case 'unrecalled':
        return condition.any.map(({ exchange }) => exchange);
      case 'nowhere-recalled':
        return condition.questions.map(({ exchange }) => exchange);
      case 'not-limited':
      case 'refused':
      case 'stalled':
        return [condition.exchange];
      case 'stream-inconclusive':
        return [...condition.exchanges, ...arrivalReads(condition.controls)];
      case 'row-at-once':
        return [...condition.pace.rows, condition.pace.long];
      default:
        return condition satisfies never;
    }
  });
  return [...ofConditions, ...(request.standsFor ?? [])];
});

/** The requests that cases read, and all that those wait for, in the order given. */
export const neededBy = (cases: readonly Case[], requests: ReadonlyMap<string, PlannedRequest>) =>
  withDependencies(
    cases.flatMap(({ check }) => reads(check)),
    requests,
  );

/** The requests of these ids, and all that they wait for, in the order given. */
export function withDependencies(ids: readonly string[], requests: ReadonlyMap<string, PlannedRequest>) {
  const needed = new Set<string>();
  const follow = (id: string): void => {
    const request = requests.get(id);
    if (needed.has(id) || request === undefined) return;
    needed.add(id);
    for (const before of dependencies(request)) follow(before);
  };
  for (const id of ids) follow(id);
  return [...requests.values()].filter(({ id }) => needed.has(id));
}
