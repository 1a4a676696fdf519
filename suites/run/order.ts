import { type Plan, type PlannedRequest, stages } from '../model/plan.ts';

/**
 * What must be recorded before a request of a later stage goes out: every request of an earlier stage
 * on the same path or the same family of models, so that what upsets a gateway comes last (principle 4).
 */
export function stageBarriers(plan: Plan): (request: PlannedRequest) => readonly string[] {
  const rank = (request: PlannedRequest): number => stages.indexOf(request.stage);
  return (request) =>
    plan.requests
      .filter((other) => rank(other) < rank(request) && related(request, other))
      .map(({ id }) => id);
}

const related = (one: PlannedRequest, other: PlannedRequest): boolean =>
  one.path === other.path ||
  one.venues.some(({ family }) => other.venues.some((venue) => venue.family === family));
