import type { Sign } from '../../fixtures/payloads/payloads.ts';

/** Requests for the same long text, without a stream and with one, and the signs that stand in it. */
export interface LongReplies {
  readonly unstreamed: readonly string[];
  readonly streamed: readonly string[];
  readonly signs: readonly Sign[];
}
