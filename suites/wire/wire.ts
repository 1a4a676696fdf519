import type { RunLimits } from '../model/limits.ts';
import type { ReplyHistory } from '../reading/reply-history.ts';
import { createBudget } from './limits/budget.ts';
import { createPacer } from './limits/pacer.ts';
import { createExchanger, type Exchanger } from './retry/exchange.ts';
import { type RetryPolicy, retryPolicy } from './retry/policy.ts';
import { createSender, type Sender, type SenderOptions } from './send.ts';

export interface WireOptions extends SenderOptions {
  /** Exchanges under way at once; 8 by default. */
  readonly concurrency?: number;
  /** What all attempts together may use up, and how fast; not limited by default. */
  readonly limits?: RunLimits;
  /** What the recorded exchanges show about retryable replies. */
  readonly history: ReplyHistory;
  /** Departures from the usual `retryPolicy`. */
  readonly policy?: Partial<RetryPolicy>;
  /** From 0 to 1; spreads the waits between attempts. */
  readonly random?: () => number;
}

/** The only thing in the suite that sends. */
export interface Wire extends Exchanger, Pick<Sender, 'close' | 'closed'> {}

/** Opens the wire; `close` it when all is recorded. */
export function createWire({ policy = {}, history, random = Math.random, ...options }: WireOptions): Wire {
  const { concurrency = 8, limits = {} } = options;
  const sender = createSender({ ...options, connections: concurrency });
  const exchanger = createExchanger(sender, {
    policy: { ...retryPolicy, ...policy },
    history,
    random,
    concurrency,
    budget: createBudget(limits),
    pacer: createPacer(limits.rate, sender.sleep),
  });
  return { ...exchanger, close: sender.close, closed: sender.closed };
}
