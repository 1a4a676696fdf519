import type { RunLimits } from '../types/limits.ts';
import type { ReplyHistory } from '../reading/reply-history.ts';
import { createPacer, type LimitsUse, startLimitsUse } from './limits/budget.ts';
import { createExchanger, type Exchanger } from './retry/exchanger.ts';
import { type RetryPolicy, retryPolicy } from './retry/policy.ts';
import { createSender, type Sender, type SenderOptions } from './send.ts';

export interface WireOptions extends SenderOptions {
  /** Exchanges under way at once; 8 by default. */
  readonly concurrency?: number;
  /** What all attempts together may use up, and how fast; not limited by default. */
  readonly limits?: RunLimits;
  /** What earlier runs used up of the limits; nothing by default. */
  readonly limitsUse?: LimitsUse;
  /** What the recorded exchanges show about retryable replies. */
  readonly history: ReplyHistory;
  readonly policy?: Partial<RetryPolicy>;
  /** From 0 to 1; spreads the waits between attempts. */
  readonly random?: () => number;
}

/** The only thing in the suite that sends. */
export interface Wire extends Exchanger, Pick<Sender, 'close' | 'closed' | 'sleep'> {}

/** Opens the wire; `close` it when all is recorded. */
export function createWire({ policy = {}, history, random = Math.random, ...options }: WireOptions): Wire {
  const { concurrency = 8, limits = {}, limitsUse = startLimitsUse(limits) } = options;
  const sender = createSender({ ...options, connections: concurrency });
  const exchanger = createExchanger(sender, {
    policy: { ...retryPolicy, ...policy },
    history,
    random,
    concurrency,
    budget: limitsUse.budget,
    pacer: createPacer(limits.rate, sender.sleep, limitsUse.places),
  });
  const { close, closed, sleep } = sender;
  return { ...exchanger, close, closed, sleep };
}
