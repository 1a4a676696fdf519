import { drawsImages } from '../../spec/vocabulary.ts';
import type { Caller, Plan, PlannedRequest } from './plan.ts';

/** The most that is recorded of a reply's body, in bytes: where it may hold images, of live traffic, and else. */
export const bodyBytes = {
  text: 2 * 1024 * 1024,
  traffic: 4 * 1024 * 1024,
  images: 32 * 1024 * 1024,
} as const;

/** An image may come within the reply, of chat as well (2.6). */
export const mayBringImages = (
  { protocol }: Pick<PlannedRequest, 'protocol'>,
  callers: readonly Caller[],
): boolean => protocol === 'images' || callers.some(({ family }) => drawsImages(family));

/** The most that a run records of the reply to one of its requests, or the proxy of live traffic, in bytes. */
export function mostBodyBytes(request: PlannedRequest, { source }: Pick<Plan, 'source'>): number {
  if (source === 'live-traffic') return bodyBytes.traffic;
  return mayBringImages(request, request.callers) ? bodyBytes.images : bodyBytes.text;
}

/** The most requests in any span of time. */
export interface Rate {
  readonly requests: number;
  readonly windowMs: number;
}

/** What all attempts of a run together may use up, and how fast; what is left out is not limited. */
export interface RunLimits {
  /** Attempts. */
  readonly maxRequests?: number;
  /** Generations that may be billed, images counted each. */
  readonly maxGenerations?: number;
  /** In the currency of the prices. */
  readonly maxCost?: number;
  readonly rate?: Rate;
}
