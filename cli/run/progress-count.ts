import { type Evidence, type Exchange, isExchange, type Unsent } from '../../suites/types/exchange.ts';
import type { Plan } from '../../suites/types/plan.ts';
import { isConditional } from '../../suites/plan/plan-counts.ts';

/** How many requests of a run are done, and how many there are. */
export interface Tally {
  readonly done: number;
  readonly total: number;
}

/**
 * Counts the requests of a plan as they are recorded. One that is sent only where replies make it necessary counts
 * when it was sent, as does whatever the plan does not hold; a control that is sent again never does.
 * @param earlier what was recorded before, by a run that goes on
 */
export function createTally(
  { requests }: Pick<Plan, 'requests'>,
  earlier: Evidence = new Map(),
): (entry: Exchange | Unsent) => Tally {
  const certain = new Set(requests.filter((request) => !isConditional(request)).map(({ id }) => id));
  const counted = new Set<string>();
  let [done, total] = [0, certain.size];
  const count = (entry: Exchange | Unsent): Tally => {
    // What was asked again is recorded twice.
    if (counted.has(entry.id)) return { done, total };
    const isExtra = !certain.has(entry.id) && isExchange(entry) && entry.repeats === undefined;
    if (isExtra) total += 1;
    if (isExtra || certain.has(entry.id)) {
      done += 1;
      counted.add(entry.id);
    }
    return { done, total };
  };
  for (const entry of earlier.values()) count(entry);
  return count;
}
