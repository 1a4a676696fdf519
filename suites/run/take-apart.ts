import { refusedPart } from '../checks/combination.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { reductionOf } from '../checks/shared/minimal-combination.ts';
import { confirmedPartId, partOf } from '../types/combination-parts.ts';
import type { Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { callerOf } from './prepare.ts';

/** Brings a part of a planned combination to the target, and records it. */
export type SendPart = (request: PlannedRequest, part: NonNullable<Exchange['part']>) => Promise<void>;

/**
 * Takes every refused combination of a plan apart, one after another: what one shows may spare another. Where a
 * value of it is refused by itself, nothing is sent. The smallest refused part is asked once more at the end: it is
 * refused only where it is refused behind the answers, too (principle 4).
 */
export async function takeApart(view: EvidenceView, send: SendPart): Promise<void> {
  for (const { check } of view.plan.cases) {
    if (check.kind !== 'combination') continue;
    const request = view.request(check.probe);
    if (request?.combination === undefined || view.state(check.probe).kind !== 'refused') continue;
    if (refusedPart(check, view) !== undefined) continue;
    // The caller of the whole: by now a stream would rather be asked of another, which shows nothing.
    const serving = callerOf({ ...request, stream: false }, view);
    const ask = (factors: readonly string[], id?: string): Promise<void> => {
      const part = partOf(request, factors);
      const own = { ...part, id: id ?? part.id, ...(serving ? { callers: [serving] } : {}) };
      return send(own, { of: request.id, factors });
    };
    let next = reductionOf(view, check.probe);
    for (; next.kind === 'ask'; next = reductionOf(view, check.probe)) await ask(next.factors);
    if (next.kind === 'minimal') await ask(next.factors, confirmedPartId(request.id, next.factors));
  }
}
