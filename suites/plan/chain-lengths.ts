import type { PlannedRequest } from '../types/plan.ts';
import { dependencies } from './dependencies.ts';
import { isConditional } from './plan-counts.ts';

/**
 * How many requests follow each other behind a request, in the longest chain of those that wait for one another. What
 * is sent only where replies make it necessary counts for nothing itself. Pure.
 */
export function chainHeights(requests: readonly PlannedRequest[]): ReadonlyMap<string, number> {
  const followers = new Map<string, PlannedRequest[]>();
  for (const request of requests) {
    for (const id of new Set(dependencies(request)))
      followers.set(id, [...(followers.get(id) ?? []), request]);
  }
  const heights = new Map<string, number>();
  function heightOf(id: string): number {
    const known = heights.get(id);
    if (known !== undefined) return known;
    const behind = (followers.get(id) ?? []).map(
      (follower) => heightOf(follower.id) + (isConditional(follower) ? 0 : 1),
    );
    const height = Math.max(0, ...behind);
    heights.set(id, height);
    return height;
  }
  return new Map(requests.map(({ id }) => [id, heightOf(id)]));
}
