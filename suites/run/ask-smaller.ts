import { type EvidenceView, isAnswered } from '../checks/evidence-view.ts';
import { mostGenerations } from '../cost/planned-usage.ts';
import type { ShownFailure } from '../judge/shown-failure.ts';
import { smallestRequest } from '../judge/smallest-request.ts';
import { mostSmaller } from '../plan/plan-counts.ts';
import { type Exchange, isExchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { cellId } from '../types/request-ids.ts';
import { smallerId, smallerRequest } from '../types/smaller-request.ts';
import type { Executor } from './executor.ts';
import { callerOf } from './prepare.ts';
import { refusedPart } from '../checks/combination.ts';
import { reductionOf } from '../checks/shared/minimal-combination.ts';
import { confirmedPartId, partOf } from '../types/combination-parts.ts';

/** Brings a part of a planned combination to the target, and records it. */
export type SendPart = (request: PlannedRequest, part: NonNullable<Exchange['part']>) => Promise<void>;

/**
 * Takes each refused combination apart, in turn: one may spare another. Its smallest refused part has to be refused at the end,
 * too, right behind an answer to its caller: a request that is repeated stands behind itself each time.
 */
export async function takeApart(
  view: EvidenceView,
  send: SendPart,
  { repeat }: Pick<Executor, 'repeat'>,
): Promise<void> {
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
    // Each setting is left out once. More are asked for only where an earlier part is read otherwise since: such refusals
    // pass, and there are as many ways through them as sets of settings.
    for (let left = request.combination.settings.length; next.kind === 'ask' && left > 0; left -= 1) {
      await ask(next.factors);
      next = reductionOf(view, check.probe);
    }
    if (next.kind !== 'minimal') continue;
    const control = serving && view.request(cellId(serving, request.protocol));
    if (control && isAnswered(view, control.id)) await repeat(control);
    await ask(next.factors, confirmedPartId(request.id, next.factors));
  }
}

/** What a request may be billed for in each attempt; one that must be refused and is answered, too. */
const billedFor = (exchange: Exchange | undefined, request: PlannedRequest | undefined): number =>
  (exchange?.attempts.length ?? 1) * (request ? mostGenerations(request, request.callers[0]?.family) : 1);

/** Sends smaller requests for failures, the worst first, until nothing more may be sent. Nothing is judged by the replies. */
export async function askSmaller(
  failures: readonly ShownFailure[],
  asked: EvidenceView,
  { send }: Pick<Executor, 'send'>,
  record: (exchange: Exchange) => void,
): Promise<void> {
  const earlier = asked.exchanges().filter(({ smaller }) => smaller !== undefined);
  const spent = earlier.reduce((sum, exchange) => sum + billedFor(exchange, asked.requestOf(exchange)), 0);
  let left = mostSmaller(asked.plan) - spent;
  for (const shown of failures) {
    const { exchange } = asked.state(shown.of);
    const whole = exchange && asked.requestOf(exchange);
    if (whole === undefined) continue;
    const serving = callerOf({ ...whole, stream: false }, asked);
    for (let { next } = smallestRequest(shown, asked); next.kind === 'ask'; ) {
      const { cuts, time } = next;
      const request = smallerRequest(whole, cuts);
      if (left < billedFor(undefined, request)) return;
      const id = smallerId(shown.of, cuts, time);
      const entry = await send({ ...request, id, ...(serving ? { callers: [serving] } : {}) });
      // What can't be sent any more leaves the plan as it is: the run is whole without it.
      if (!isExchange(entry)) return;
      left -= billedFor(entry, request);
      record({ ...entry, smaller: { of: shown.of, cuts, time } });
      ({ next } = smallestRequest(shown, asked));
    }
  }
}
