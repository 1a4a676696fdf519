import type { Exchange } from '../types/exchange.ts';
import type { Classified } from './classify.ts';

/** An exchange of live traffic, and what its request is. */
export interface TrafficExchange {
  readonly exchange: Exchange;
  readonly known: Classified;
  /** The exchange whose response it continues, where that is known. */
  readonly chainedOn?: string;
}
