import { type Plan, type PlannedRequest, stages } from '../types/plan.ts';
import { awaitsRefusal, hasWrongCredential } from './wrong-credentials.ts';

/**
 * What must be recorded before a request goes out. Of a later stage: every request of an earlier one
 * on the same path or the same family of models, so that what upsets a gateway comes last (principle 4).
 * Those with a wrong credential go between valid requests, and all that comes later waits for them: a lock-out for
 * failed logins meets valid requests only. Around one that is timed: everything else, so that it goes alone; what is
 * valid and waits for timed ones waits for nothing else. A burst waits for all before it, so that it begins at once.
 * Requests that wait for the same get the same list.
 */
export function stageBarriers(plan: Plan): (request: PlannedRequest) => readonly string[] {
  const places = new Map(plan.requests.map(({ id }, place) => [id, place]));
  const place = ({ id }: PlannedRequest): number => places.get(id) ?? 0;
  const wrong = new Set(
    plan.requests.filter((request) => hasWrongCredential(request) && !awaitsRefusal(request)),
  );
  const rank = (request: PlannedRequest): number =>
    stages.indexOf(wrong.has(request) ? 'valid' : request.stage);
  const before = (request: PlannedRequest): readonly string[] =>
    plan.requests
      .filter((other) =>
        isTimed(request) && isTimed(other)
          ? place(other) < place(request)
          : rank(other) < rank(request) &&
            (isTimed(request) ||
              isTimed(other) ||
              isBurst(request) ||
              (request.stage !== 'further' && (wrong.has(other) || related(request, other)))),
      )
      .map(({ id }) => id);
  const known = new Map<string, readonly string[]>();
  return (request) => {
    const { id, path, callers } = request;
    const families = [...new Set(callers.map(({ family }) => family))].sort();
    const key = JSON.stringify(isTimed(request) ? [id] : [rank(request), path, families]);
    const list = known.get(key) ?? before(request);
    known.set(key, list);
    return list;
  };
}

const isTimed = ({ stage }: PlannedRequest): boolean => stage === 'timed';

const isBurst = ({ stage }: PlannedRequest): boolean => stage === 'burst';

const related = (one: PlannedRequest, other: PlannedRequest): boolean =>
  one.path === other.path || shareFamily(one, other);

/** Whether a family of models is called by both. */
export const shareFamily = (one: PlannedRequest, other: PlannedRequest): boolean =>
  one.callers.some(({ family }) => other.callers.some((caller) => caller.family === family));
