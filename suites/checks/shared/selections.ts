import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Plan, PlannedRequest } from '../../types/plan.ts';
import type { EvidenceView, State } from '../evidence-view.ts';
import { valueAt } from '../../reading/json.ts';

type Requests = Pick<Plan, 'requests'>;

const valid = (protocol: Protocol, stream: boolean) => (request: PlannedRequest) =>
  request.protocol === protocol && request.expect === 'answer' && request.stream === stream;

const idsOf = (requests: readonly PlannedRequest[]): readonly string[] => requests.map(({ id }) => id);

/** Spellings of `input` as a list, of which none is shown (4.1): what is answered is a result all the same. */
function isSpelling({ body, expect, protocol }: PlannedRequest): boolean {
  const input = valueAt(body?.json, '/input');
  return protocol === 'responses' && expect === 'either' && Array.isArray(input) && input.length > 0;
}

const answers = ({ requests }: Requests, protocol: Protocol): readonly PlannedRequest[] =>
  requests.filter(
    (request) => valid(protocol, false)(request) || (protocol === 'responses' && isSpelling(request)),
  );

/** Of these requests those that are sent themselves. */
export const sentOf = (view: EvidenceView, ids: readonly string[]): readonly string[] =>
  ids.filter((id) => !view.isStoodFor(id));

export interface ReplyState {
  /** Of the exchange. */
  readonly id: string;
  readonly state: State;
  /** From 0. */
  readonly attempt: number;
  /** Whether no other attempt followed. */
  readonly isLast: boolean;
}

/** Every reply to these requests, in each attempt, and where they were sent once more. */
export function everyReply(view: EvidenceView, ids: readonly string[]): readonly ReplyState[] {
  const asked = new Set(ids);
  return view
    .exchanges()
    .filter(({ id, repeats, part }) => part === undefined && asked.has(repeats ?? id))
    .flatMap(({ id }) => {
      const states = view.attempts(id);
      return states.map((state, at) => ({ id, state, attempt: at, isLast: at === states.length - 1 }));
    });
}

/** Every valid, unstreamed request of a plan: a fault that comes late shows in one of them. */
export const answersOf = (plan: Requests, protocol: Protocol): readonly string[] =>
  idsOf(answers(plan, protocol));

/** Of those the ones that decline a stream, or the ones that say nothing of it. */
export const unstreamedOf = (plan: Requests, protocol: Protocol, declined: boolean): readonly string[] =>
  idsOf(
    answers(plan, protocol).filter(({ body }) => (valueAt(body?.json, '/stream') !== undefined) === declined),
  );

export const streamsOf = ({ requests }: Requests, protocol: Protocol): readonly string[] =>
  idsOf(requests.filter(valid(protocol, true)));
