import type { Exchange } from './report.ts';
import type { UnsentReason } from './reasons/exchange-reasons.ts';

export type { Attempt, Body, Exchange, Reply, SentRequest } from './report.ts';

/** A planned request that was not sent, and why. */
export interface Unsent {
  readonly id: string;
  readonly unsent: UnsentReason;
}

/** Everything a run recorded, by id of the planned request. */
export type Evidence = ReadonlyMap<string, Exchange | Unsent>;

export const isExchange = (entry: Exchange | Unsent | undefined): entry is Exchange =>
  entry !== undefined && 'attempts' in entry;

/** The id of the planned request that stands behind what was recorded. */
export function plannedBehind(entry: Exchange | Unsent, evidence: Evidence): string {
  if (!isExchange(entry)) return entry.id;
  const larger = entry.smaller && evidence.get(entry.smaller.of);
  // A request that is made smaller is never itself a smaller one.
  const whole = isExchange(larger) && larger.smaller === undefined ? larger : entry;
  return whole.part?.of ?? whole.repeats ?? whole.id;
}

/** What a run is judged by: without what only shows a failure once more. */
export const judgedEvidence = (evidence: Evidence): Evidence =>
  new Map([...evidence].filter(([, entry]) => !isExchange(entry) || entry.smaller === undefined));
