import { createExchanger, type Exchanger } from './exchange.ts';
import { type RetryLimits, retryLimits } from './limits.ts';
import { createSender, type Sender, type SenderOptions } from './send.ts';

export interface WireOptions extends SenderOptions {
  /** Departures from the usual `retryLimits`. */
  readonly limits?: Partial<RetryLimits>;
  /** From 0 to 1; spreads the waits between attempts. */
  readonly random?: () => number;
}

/** The only thing in the suite that sends. */
export interface Wire extends Pick<Sender, 'attempt' | 'close' | 'closed'> {
  readonly exchange: Exchanger;
}

/** Opens the wire; `close` it when all is recorded. */
export function createWire({ limits = {}, random = Math.random, ...options }: WireOptions): Wire {
  const sender = createSender(options);
  const exchange = createExchanger(sender, {
    limits: { ...retryLimits, ...limits },
    random,
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
  });
  return { attempt: sender.attempt, exchange, close: sender.close, closed: sender.closed };
}
