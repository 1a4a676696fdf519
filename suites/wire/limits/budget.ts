import type { RunLimits } from '../../types/limits.ts';
import type { StopReason } from '../../types/reasons/exchange-reasons.ts';
import { rounded } from '../../cost/usage.ts';
import { createSemaphore } from '../retry/semaphore.ts';
import type { AttemptRecord } from '../send.ts';
import type { Places } from './pacer.ts';

interface Spending {
  /** Images counted each. */
  readonly generations: number;
  /** In the currency of the prices. */
  readonly cost: number;
}

const nothing: Spending = { generations: 0, cost: 0 };

/** What an attempt brought. */
type Received = Pick<AttemptRecord, 'response' | 'ending'>;

export interface Billing {
  readonly most: Spending;
  /** What it was billed for, as its reply shows; the most where that can't be told. */
  readonly of: (record: Received) => Spending;
}

/** What is reserved for an attempt, until it is known what it used up. */
interface Reservation {
  /** The attempt is over; without a record it was not made. */
  readonly settle: (record?: AttemptRecord) => void;
}

export type Budget = ReturnType<typeof createBudget>;

/** Sums of prices differ behind the ninth digit. */
const tolerance = 1e-9;

export function createBudget(limits: RunLimits) {
  const { maxRequests = Infinity, maxGenerations = Infinity, maxCost = Infinity } = limits;
  const turn = createSemaphore(1);
  let requests = 0;
  let used = nothing;
  let reserved = nothing;
  let underWay = 0;
  let changed = (): void => {};

  /** The first budget that the rest of is too small, with how much of it was used up. */
  function spentBy({ generations, cost }: Spending): StopReason | undefined {
    const spent = (budget: 'requests' | 'generations' | 'cost', limit: number, amount: number) =>
      ({ kind: 'budget-spent', budget, limit, used: amount }) as const;
    if (requests + 1 > maxRequests) return spent('requests', maxRequests, requests);
    if (used.generations + reserved.generations + generations > maxGenerations)
      return spent('generations', maxGenerations, used.generations);
    return used.cost + reserved.cost + cost > maxCost + tolerance
      ? spent('cost', maxCost, rounded(used.cost))
      : undefined;
  }

  function take(billing: Billing | undefined): Reservation {
    const most = billing?.most ?? nothing;
    requests += 1;
    underWay += 1;
    reserved = sum(reserved, most);
    return {
      settle: (record) => {
        underWay -= 1;
        reserved = sum(reserved, { generations: -most.generations, cost: -most.cost });
        if (record === undefined) requests -= 1;
        try {
          if (record) used = sum(used, billing?.of(record) ?? nothing);
        } finally {
          changed();
        }
      },
    };
  }

  /**
   * Reserves what an attempt may use up; where the rest is too small for it, waits for those under way. Gives why
   * nothing more may be sent where that does not help.
   */
  const reserve = async (billing: Billing | undefined): Promise<Reservation | StopReason> => {
    // In the order they came: what needs much is not passed by what needs little.
    const end = await turn.take();
    try {
      for (;;) {
        const spent = spentBy(billing?.most ?? nothing);
        if (spent === undefined) return take(billing);
        if (underWay === 0) return spent;
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    } finally {
      end();
    }
  };
  /** An attempt of an earlier part of the run. */
  const note = (billing: Billing | undefined, record: Received): void => {
    requests += 1;
    used = sum(used, billing?.of(record) ?? nothing);
  };
  return { reserve, note };
}

const sum = (one: Spending, other: Spending): Spending => ({
  generations: one.generations + other.generations,
  cost: one.cost + other.cost,
});

/** What is used up of limits. Runs that share it keep the limits together. */
export interface LimitsUse {
  readonly budget: Budget;
  readonly places: Places;
}

/** Of limits of which nothing is used up yet. */
export const startLimitsUse = (limits: RunLimits): LimitsUse => ({
  budget: createBudget(limits),
  places: { freeAt: [] },
});
