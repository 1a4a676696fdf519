import type { Target } from '../../fixtures/target/target.ts';
import { type EvidenceView, isAnswered } from '../checks/evidence-view.ts';
import type { Exchange } from '../types/exchange.ts';
import { numberedRequest } from '../types/numbered.ts';
import { type PlannedRequest, modelKeyOf, type Plan } from '../types/plan.ts';
import { againId } from '../types/request-ids.ts';
import type { ExchangeOptions, SentControl } from '../wire/retry/attempt-reading.ts';
import { type Prepared, WireClosed } from '../wire/send.ts';
import { prepare } from './prepare.ts';
import { retryAfterMs } from '../reading/transient.ts';
import { groupBy } from '../../spec/group-by.ts';
import { oncePerObject } from '../../spec/once.ts';
import { controlPairs } from '../checks/registry.ts';
import { credentialOf } from '../reading/request-facts.ts';

const shareFamily = (one: PlannedRequest, other: PlannedRequest): boolean =>
  one.callers.some(({ family }) => other.callers.some((caller) => caller.family === family));

/** The same model on the same path with the tokens of other groups: one that is served is enough (2.1, 4). */
const inOtherGroups = (
  request: PlannedRequest,
  discovery: readonly PlannedRequest[],
): readonly PlannedRequest[] =>
  discovery.filter(
    (other) =>
      other.path === request.path &&
      other.callers.length === 1 &&
      request.callers.length === 1 &&
      other.callers[0]?.family === request.callers[0]?.family &&
      other.callers[0]?.group !== request.callers[0]?.group,
  );

/** Of these requests those that are asked of the same model as another, or of the first ones where that is asked of one. */
function byModel(
  requests: readonly PlannedRequest[],
): (request: PlannedRequest) => readonly PlannedRequest[] {
  const known = groupBy(requests, modelKeyOf);
  return (request) => known.get(modelKeyOf(request)) ?? [];
}

/** The controls of what may be refused, best first: of its case, then of its endpoint or model. One that is answered shows a refusal. */
export const controlsIn = oncePerObject((plan: Plan): ReadonlyMap<string, readonly string[]> => {
  const own = new Map<string, string[]>();
  for (const { check } of plan.cases)
    for (const { probes, controls } of controlPairs(check))
      for (const probe of new Set(probes)) own.set(probe, [...(own.get(probe) ?? []), ...controls]);
  const discoveries = byModel(plan.requests.filter(({ stage }) => stage === 'discovery'));
  const controlsOf = (request: PlannedRequest): readonly string[] => {
    const { id, path, expect, stage, credential } = request;
    const discovery = discoveries(request);
    if (expect === 'answer')
      return stage === 'discovery' ? inOtherGroups(request, discovery).map((other) => other.id) : [];
    const controls = own.get(id) ?? [];
    const others = [
      ...discovery.filter((other) => other.path === path),
      ...discovery.filter((other) => shareFamily(request, other)),
      // Whatever is answered shows that refused logins have locked nobody out.
      ...(stage !== 'declared' && credentialOf(credential) === 'wrong' ? discovery : []),
    ];
    return [...controls, ...others.map((other) => other.id)];
  };
  return new Map(
    plan.requests
      .map((request) => [request.id, [...new Set(controlsOf(request))]] as const)
      .filter(([, controls]) => controls.length > 0),
  );
});

const keyOf = ({ credential, route }: Prepared): string => JSON.stringify([credential, route]);

/** The pauses that valid requests were told: a control keeps to them. One longer than `longestMs` is not kept: less is of no use. */
export function createAskedPauses(longestMs: number) {
  const until = new Map<string, number>();
  return {
    /** The exchange of a valid request is over. */
    note: (prepared: Prepared, exchange: Exchange): void => {
      const { response } = exchange;
      const asked = response !== null && response.status >= 400 ? retryAfterMs(exchange, Date.now()) : null;
      const key = keyOf(prepared);
      if (asked === null || asked > longestMs) until.delete(key);
      else until.set(key, performance.now() + asked);
    },
    /** Milliseconds until a control may follow; 0 where the last reply asks for no pause. */
    left: (prepared: Prepared): number => Math.max(0, (until.get(keyOf(prepared)) ?? 0) - performance.now()),
  };
}

/** The last time that a control was sent once more. */
interface SentAgain {
  readonly times: number;
  /** In milliseconds of `performance.now()`. */
  readonly begun: number;
  readonly done: Promise<SentControl | null>;
}

/** Sent for itself, it does not count as a control that is asked for now. */
const asControlOfNone = { begun: Number.NEGATIVE_INFINITY, done: Promise.resolve(null) } as const;

export interface ControlSenderOptions {
  readonly target: Target;
  readonly view: EvidenceView;
  readonly exchange: (control: PlannedRequest, prepared: Prepared) => Promise<Exchange>;
  /** Keeps an exchange that no request of the plan stands for by itself. */
  readonly record: (exchange: Exchange) => void;
  /** Whether an exchange with this id is recorded, in an earlier part of the run too. */
  readonly isRecorded: (id: string) => boolean;
}

/** What a sender of controls has sent, and what it sends by. */
interface Sending extends ControlSenderOptions {
  readonly sentAgain: Map<string, SentAgain>;
}

/** How often a control is sent with the next time; an earlier part of the run has recorded some of these. */
function timesWithNext({ sentAgain, isRecorded }: Sending, { id }: PlannedRequest): number {
  let times = (sentAgain.get(id)?.times ?? 1) + 1;
  while (isRecorded(againId(id, times))) times += 1;
  return times;
}

async function send(
  { target, view, exchange, record }: Sending,
  control: PlannedRequest,
  times: number,
): Promise<SentControl> {
  const id = againId(control.id, times);
  const prepared = { ...prepare(numberedRequest(control, times), target, view), id };
  record({ ...(await exchange(control, prepared)), repeats: control.id });
  return { id, answered: isAnswered(view, id) };
}

/** Begins to send a control; a failure that is not the end of the run gives no control. */
function begin(sending: Sending, control: PlannedRequest): Promise<SentControl | null> {
  const times = timesWithNext(sending, control);
  const done = send(sending, control, times).catch((error: unknown) => {
    if (error instanceof WireClosed) throw error;
    return null;
  });
  sending.sentAgain.set(control.id, { times, begun: performance.now(), done });
  return done;
}

/** The first of the candidates that was answered, sent once more for all that ask for it meanwhile. */
async function sentAmong(
  sending: Sending,
  candidates: readonly string[],
  begunAfter: number,
): Promise<SentControl | null> {
  const { view, sentAgain } = sending;
  const answered = candidates.find((one) => isAnswered(view, one));
  const control = answered === undefined ? undefined : view.request(answered);
  if (control === undefined) return null;
  const latest = (): SentAgain | undefined => sentAgain.get(control.id);
  let last = latest();
  while (last !== undefined && last.begun >= begunAfter) {
    const sent = await last.done;
    if (sent?.answered) return sent;
    if (last === latest()) break;
    last = latest();
  }
  return begin(sending, control);
}

/** Sends answered requests once more, as controls of what is refused meanwhile (principle 4). */
export function createControlSender(options: ControlSenderOptions) {
  const { target, view } = options;
  const sending: Sending = { ...options, sentAgain: new Map() };
  const discovery = view.plan.requests.filter(
    ({ stage, expect }) => stage === 'discovery' && expect === 'answer',
  );
  const among =
    (candidates: () => readonly string[]): NonNullable<ExchangeOptions['control']> =>
    async (begunAfter) =>
      sentAmong(sending, candidates(), begunAfter);
  return {
    among,
    /** The same of the requests with which the caller of a request was discovered. */
    ofCaller: ({ credential, model }: Prepared): NonNullable<ExchangeOptions['control']> =>
      among(() =>
        discovery
          .filter((other) => {
            const made = prepare(other, target, view);
            return made.credential === credential && made.model === model;
          })
          .map(({ id }) => id),
      ),
    /** Sends an answered request once more, and records it. Rejects as the wire does. */
    again: async (control: PlannedRequest): Promise<boolean> => {
      const times = timesWithNext(sending, control);
      sending.sentAgain.set(control.id, { times, ...asControlOfNone });
      return (await send(sending, control, times)).answered;
    },
  };
}
