import { groupBy } from '../../spec/group-by.ts';
import { createEvidenceView, type EvidenceView, isAnswered } from '../checks/evidence-view.ts';
import { spentLimit } from '../facts/spent-limit.ts';
import { isPassing, transientIn } from '../facts/valid-replies.ts';
import { type Evidence, type Exchange, isExchange } from '../types/exchange.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import type { RetryReason } from '../types/reasons/exchange-reasons.ts';
import { controlsIn } from './control-sender.ts';
import type { Executor } from './executor.ts';

/** So often is a request asked again whose caller is locked out each time. */
const mostRounds = 3;

/** A request that is asked again, and why. */
interface Refused {
  readonly request: PlannedRequest;
  readonly retry: RetryReason;
}

/** What was refused along with a control of its caller, or in words that others got past: maybe for a lock-out or outage. */
function refusedWithoutControl(view: EvidenceView, confirmed: ReadonlySet<string>): readonly Refused[] {
  const controls = controlsIn(view.plan);
  return view.plan.requests.flatMap((request): readonly Refused[] => {
    // Its kind is known: an answer may be megabytes, and is not read again.
    if (view.kind(request.id) === 'answered') return [];
    const state = view.state(request.id);
    if (state.exchange && view.lockOutOf(state.exchange) !== undefined)
      return [{ request, retry: { kind: 'lock-out' } }];
    if (confirmed.has(request.id)) return [];
    if (isPassing(state)) return [{ request, retry: { kind: 'confirm-refusal' } }];
    const transient = transientIn(state);
    // A control that was sent later is answered now: it tells whether the status is that of a refusal.
    return transient?.cause === 'status' &&
      state.exchange?.attempts.every(({ control }) => control === undefined) &&
      controls.get(request.id)?.some((id) => isAnswered(view, id))
      ? [{ request, retry: { kind: 'transient', transient } }]
      : [];
  });
}

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
function joined(before: Exchange, again: Exchange, retry: RetryReason): Exchange {
  const last = before.attempts.at(-1);
  if (last === undefined) return again;
  const { response } = before;
  const refused = { ...last, ...(response ? { response } : {}), retry };
  return { ...again, attempts: [...before.attempts.slice(0, -1), refused, ...again.attempts] };
}

/**
 * Asks one by one again what was refused and has no control, between two controls that are answered. `first`: read while it grew.
 * `reasons`: why it may be asked again; for any by default.
 */
export async function askAgain(
  first: EvidenceView,
  evidence: Evidence,
  { send, isControlAnswered }: Executor,
  record: (exchange: Exchange) => void,
  reasons: readonly RetryReason['kind'][] = ['lock-out', 'confirm-refusal', 'transient'],
): Promise<void> {
  const { plan } = first;
  const callerOf = ({ request: { expect, credential, callers } }: Refused): string => {
    const [caller] = callers;
    return JSON.stringify([credential.form === 'right', expect === 'answer', caller]);
  };
  /** Callers that were not let in: what lasts so long is not waited for again. */
  const shutOut = new Set<string>();
  /** Asked again for what `send` repeats until it is told, or never: a refusal that others got past, a status without a control. */
  const confirmed = new Set<string>();
  // Where nothing was ever answered, nobody waits for the end of a lock-out.
  if (!plan.requests.some(({ id }) => isAnswered(first, id))) return;
  for (let round = 1, isOver = false; round <= mostRounds && !isOver; round += 1) {
    isOver = true;
    // What locks out one caller has the same time to end as what locks out another.
    const waitingSince = performance.now();
    // While evidence grew, a refusal was read once: others may have got past it since.
    const view = createEvidenceView(plan, evidence);
    const open = refusedWithoutControl(view, confirmed).filter(({ retry: { kind } }) =>
      reasons.includes(kind),
    );
    for (const [caller, refused] of groupBy(open, callerOf)) {
      const control = withControl((refused[0] as Refused).request, plan);
      if (shutOut.has(caller)) continue;
      if (!(await isControlAnswered(control, waitingSince))) {
        shutOut.add(caller);
        continue;
      }
      isOver = false;
      for (const { request, retry } of refused) {
        const before = evidence.get(request.id);
        const again = await send(request);
        if (retry.kind !== 'lock-out') confirmed.add(request.id);
        if (isExchange(before) && isExchange(again)) record(joined(before, again, retry));
      }
      await isControlAnswered(control, waitingSince);
    }
  }
}

/** The first request of an endpoint that answered the spent token each time. */
const servedIn = (view: EvidenceView): PlannedRequest | undefined =>
  view.plan.cases
    .flatMap(({ check }) => (check.kind === 'limited' ? check.endpoints : []))
    .filter(({ probes }) => probes.every((id) => isAnswered(view, id)))
    .flatMap(({ probes: [id = ''] }) => view.request(id) ?? [])
    .sort((one, other) => Number(one.protocol === 'images') - Number(other.protocol === 'images'))[0];

/** Asks again what was told the limit of the spent token, between two answers to it (principle 4), unless it is known to have ended. */
export async function askSpentAgain(
  first: EvidenceView,
  evidence: Evidence,
  { isAnsweredAgain, repeat }: Executor,
): Promise<void> {
  const control = servedIn(first);
  if (control === undefined) return;
  const waitingSince = performance.now();
  for (let round = 1; round <= mostRounds; round += 1) {
    const { before, last, open, ...limit } = spentLimit(createEvidenceView(first.plan, evidence));
    const isTold = (request: PlannedRequest): boolean =>
      last.some((reply) => reply.isTold && reply.request === request);
    const begun = before.map(({ request }) => request).find(isTold);
    const asked = new Set([...(begun ? [begun] : []), ...open]);
    const isKnown = limit.isHeld || (limit.hasEnded && open.length === 0);
    if (isKnown || asked.size === 0 || !(await isAnsweredAgain(control, waitingSince))) return;
    for (const request of asked) await repeat(request);
    await repeat(control);
  }
}
