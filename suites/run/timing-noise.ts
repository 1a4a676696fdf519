import { drawsImages, isTextProtocol } from '../../spec/vocabulary.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { median } from '../checks/shared/long-streams.ts';
import { type Exchange, isExchange, type Unsent } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { deferred } from '../wire/deferred.ts';

/** The fewest replies that show how steady a target is. */
const fewestReplies = 6;
/** A target that replies sooner, in milliseconds, loses no time by being timed alone. */
const slowFromMs = 200;
/** The noise that is borne, of the target or of our own machine, as a part of what a reply takes. */
const mostNoise = 0.1;

/** Whether requests leave each other's timing alone: all took the same but for noise. A few may take longer, none less. Pure. */
export function isSteadyUnderLoad(times: readonly number[]): boolean {
  const usual = median(times);
  const noise = 3 * median(times.map((ms) => Math.abs(ms - usual)));
  const borne = mostNoise * usual;
  return (
    times.length >= fewestReplies &&
    usual >= slowFromMs &&
    noise <= borne &&
    Math.min(...times) >= usual - borne
  );
}

/** A request for text that is sent while others are under way. */
const isSample = ({ stage, expect, protocol, callers }: PlannedRequest): boolean =>
  (stage === 'discovery' || stage === 'lanes') &&
  expect === 'answer' &&
  isTextProtocol(protocol) &&
  !callers.some(({ family }) => drawsImages(family));

/** Watches, while a run is under way, how steady the target is. */
export function createSteadiness(view: EvidenceView) {
  const times: number[] = [];
  const { promise: isShown, resolve: show } = deferred();
  return {
    note: (entry: Exchange | Unsent): void => {
      const request = view.request(entry.id);
      if (request === undefined || !isSample(request) || !isExchange(entry)) return;
      const { endMs, stallMs } = entry.timing;
      if (view.state(entry.id).kind !== 'answered' || stallMs > mostNoise * endMs) return;
      times.push(endMs);
      if (isSteadyUnderLoad(times)) show();
    },
    /** Resolves when the replies so far show that requests do not disturb each other's timing; never, where they do not. */
    isShown,
  };
}
