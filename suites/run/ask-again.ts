import { groupBy } from '../../spec/group-by.ts';
import { createEvidenceView, type EvidenceView, isAnswered, type State } from '../checks/evidence-view.ts';
import { type Evidence, type Exchange, isExchange } from '../types/exchange.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import type { Executor } from './executor.ts';

/** So often is a request asked again whose caller is locked out each time. */
const mostRounds = 3;

/** Whether others got past its reply: it may be that of an outage. */
const isPassing = (state: State): boolean =>
  state.kind === 'unclear' &&
  state.why.kind === 'transient' &&
  state.why.transient.cause === 'passing-refusal';

/**
 * What was refused while a control of its caller was, too, or in words that others got past: the refusal may be that of
 * a lock-out or of an outage (principle 4).
 */
const refusedWithoutControl = (view: EvidenceView): readonly PlannedRequest[] =>
  view.plan.requests.filter(({ id, expect }) => {
    const state = view.state(id);
    const { kind, exchange } = state;
    if (kind === 'answered' || exchange === undefined) return false;
    // A valid request has waited for the end of a lock-out of its caller.
    return isPassing(state) || (expect !== 'answer' && view.lockOutOf(exchange) !== undefined);
  });

/** The request whose control shows that a caller is let in: a valid one whose caller was never answered has none. */
function withControl(request: PlannedRequest, { requests }: Plan): PlannedRequest {
  const [caller] = request.callers;
  const others = requests.filter(
    ({ expect, credential }) => expect === 'refusal' && credential.form === 'right',
  );
  const other = others.find(({ callers: [each] }) => each?.group === caller?.group);
  return (request.expect === 'answer' ? other : undefined) ?? request;
}

/** One exchange with the attempts of both. */
function joined(before: Exchange, again: Exchange): Exchange {
  const last = before.attempts.at(-1);
  if (last === undefined) return again;
  const { response } = before;
  const refused = { ...last, ...(response ? { response } : {}), retry: { kind: 'lock-out' } as const };
  return { ...again, attempts: [...before.attempts.slice(0, -1), refused, ...again.attempts] };
}

/**
 * Asks one by one again what was refused and has no control, between two controls that are answered, and
 * records it anew with all attempts.
 */
export async function askAgain(
  plan: Plan,
  evidence: Evidence,
  { send, isControlAnswered }: Executor,
  record: (exchange: Exchange) => void,
): Promise<void> {
  const callerOf = ({ expect, credential, callers: [caller] }: PlannedRequest): string =>
    JSON.stringify([credential.form === 'right', expect === 'answer', caller]);
  for (let round = 1; round <= mostRounds; round += 1) {
    // What is recorded anew is read anew.
    const view = createEvidenceView(plan, evidence);
    // Where nothing was ever answered, nobody waits for the end of a lock-out.
    if (!plan.requests.some(({ id }) => isAnswered(view, id))) return;
    let isAnyLetIn = false;
    for (const requests of groupBy(refusedWithoutControl(view), callerOf).values()) {
      const [first] = requests;
      if (first === undefined || !(await isControlAnswered(withControl(first, plan)))) continue;
      isAnyLetIn = true;
      for (const request of requests) {
        const before = view.state(request.id).exchange;
        const again = await send(request);
        if (before !== undefined && isExchange(again)) record(joined(before, again));
      }
      await isControlAnswered(withControl(first, plan));
    }
    // What lasts so long is not waited for again.
    if (!isAnyLetIn) return;
  }
}
