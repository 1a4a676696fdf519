import { type Exchange, isExchange, type Unsent } from '../suites/model/exchange.ts';
import type { Plan } from '../suites/model/plan.ts';
import { isConditional } from '../suites/plan/plan-counts.ts';

/** How many requests of a run are done, and how many there are. */
export interface Tally {
  readonly done: number;
  readonly total: number;
}

/**
 * Counts the requests of a plan as they are recorded. One that is sent only where replies make it necessary counts
 * when it was sent, as does whatever the plan does not hold; a control that is sent again never does.
 */
export function createTally({ requests }: Pick<Plan, 'requests'>): (entry: Exchange | Unsent) => Tally {
  const certain = new Set(requests.filter((request) => !isConditional(request)).map(({ id }) => id));
  let [done, total] = [0, certain.size];
  return (entry) => {
    const isExtra = !certain.has(entry.id) && isExchange(entry) && entry.repeats === undefined;
    if (isExtra) total += 1;
    if (isExtra || certain.has(entry.id)) done += 1;
    return { done, total };
  };
}
