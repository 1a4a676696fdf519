import type { RunLimits, Rate } from '../../types/limits.ts';
import type { StopReason } from '../../types/reasons/exchange-reasons.ts';
import { rounded } from '../../cost/usage.ts';
import { createSignal } from '../deferred.ts';
import { createSemaphore } from '../retry/semaphore.ts';
import type { AttemptRecord } from '../send.ts';
import type { OnWait } from '../../types/run.ts';

export interface Slot {
  /** The target had the request at that time of `performance.now()` at the latest. */
  readonly used: (atMs: number) => void;
  /** It was not sent. */
  readonly giveBack: () => void;
}

/** The places of a rate that are taken, which several runs may share. */
export interface Places {
  /** When places that were used are free again, by `performance.now()`. */
  freeAt: readonly number[];
}

/** Keeps a rate: resolves when another request may be sent. */
export type Pacer = () => Promise<Slot>;

/** Two clocks differ by less than this part of a span, and by less than so many milliseconds. */
const [drift, jitterMs] = [0.001, 5];

const free: Slot = { used: () => {}, giveBack: () => {} };

/**
 * As many at once as the rate allows; a place is free a window after the reply began, since only that tells when it was counted.
 * @param sleep waits, and tells why; rejects where the run has ended
 */
export function createPacer(
  rate: Rate | undefined,
  sleep: (...wait: Parameters<OnWait>) => Promise<void>,
  places: Places = { freeAt: [] },
): Pacer {
  if (rate === undefined) return async () => free;
  const { requests, windowMs } = rate;
  const spanMs = windowMs * (1 + drift) + jitterMs;
  const turn = createSemaphore(1);
  let underWay = 0;
  const ended = createSignal();

  function slot(): Slot {
    underWay += 1;
    let isOpen = true;
    const close = (next: readonly number[]): void => {
      if (!isOpen) return;
      isOpen = false;
      underWay -= 1;
      places.freeAt = next;
      ended.tell();
    };
    return { used: (atMs) => close([...places.freeAt, atMs + spanMs]), giveBack: () => close(places.freeAt) };
  }

  return async () => {
    const end = await turn.take();
    try {
      for (;;) {
        const now = performance.now();
        places.freeAt = places.freeAt.filter((at) => at > now);
        if (underWay + places.freeAt.length < requests) return slot();
        const next = Math.min(...places.freeAt);
        if (Number.isFinite(next)) await sleep(Math.ceil(next - now), { kind: 'paced' });
        else await ended.changed();
      }
    } finally {
      end();
    }
  };
}

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

export type Budget = ReturnType<typeof createBudget>;

/** Sums of prices differ behind the ninth digit. */
const tolerance = 1e-9;

/** What is used up of the limits, and what is reserved of them. */
type Account = ReturnType<typeof newAccount>;

const newAccount = (limits: RunLimits) => ({
  limits,
  requests: 0,
  used: nothing,
  reserved: nothing,
  underWay: 0,
  ended: createSignal(),
});

/** The first budget that the rest of is too small, with how much of it was used up. */
function spentBy(account: Account, { generations, cost }: Spending): StopReason | undefined {
  const { limits, requests, used, reserved } = account;
  const { maxRequests = Infinity, maxGenerations = Infinity, maxCost = Infinity } = limits;
  const spent = (budget: 'requests' | 'generations' | 'cost', limit: number, amount: number) =>
    ({ kind: 'budget-spent', budget, limit, used: amount }) as const;
  if (requests + 1 > maxRequests) return spent('requests', maxRequests, requests);
  if (used.generations + reserved.generations + generations > maxGenerations)
    return spent('generations', maxGenerations, used.generations);
  return used.cost + reserved.cost + cost > maxCost + tolerance
    ? spent('cost', maxCost, rounded(used.cost))
    : undefined;
}

/** Reserves what an attempt may use up, until it is known. */
function take(account: Account, billing: Billing | undefined) {
  const most = billing?.most ?? nothing;
  account.requests += 1;
  account.underWay += 1;
  account.reserved = sum(account.reserved, most);
  return {
    /** The attempt is over; without a record it was not made. */
    settle: (record?: AttemptRecord): void => {
      account.underWay -= 1;
      account.reserved = sum(account.reserved, { generations: -most.generations, cost: -most.cost });
      if (record === undefined) account.requests -= 1;
      try {
        if (record) account.used = sum(account.used, billing?.of(record) ?? nothing);
      } finally {
        account.ended.tell();
      }
    },
  };
}

export function createBudget(limits: RunLimits) {
  const turn = createSemaphore(1);
  const account = newAccount(limits);
  return {
    /** Reserves what an attempt may use up, or waits for those under way. Gives why nothing more may be sent. */
    reserve: async (billing: Billing | undefined) => {
      // In the order they came: what needs much is not passed by what needs little.
      const end = await turn.take();
      try {
        for (;;) {
          const spent = spentBy(account, billing?.most ?? nothing);
          if (spent === undefined) return take(account, billing);
          if (account.underWay === 0) return spent;
          await account.ended.changed();
        }
      } finally {
        end();
      }
    },
    /** An attempt of an earlier part of the run. */
    note: (billing: Billing | undefined, record: Received): void => {
      account.requests += 1;
      account.used = sum(account.used, billing?.of(record) ?? nothing);
    },
  };
}

const sum = (one: Spending, other: Spending): Spending => ({
  generations: one.generations + other.generations,
  cost: one.cost + other.cost,
});

/** What is used up of limits. Runs that share it keep the limits together. */
export type LimitsUse = ReturnType<typeof startLimitsUse>;

/** Of limits of which nothing is used up yet. */
export const startLimitsUse = (limits: RunLimits) => ({
  budget: createBudget(limits),
  places: { freeAt: [] } as Places,
});
