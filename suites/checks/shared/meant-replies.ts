import type { ReplyRule } from '../../../spec/extension.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Exchange } from '../../types/exchange.ts';
import type { CheckOf } from '../../types/checks/check.ts';
import type { Plan, PlannedRequest } from '../../types/plan.ts';
import type { EvidenceView, State } from '../evidence-view.ts';
import { isRefusalOrRateLimit } from './refusals.ts';
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

/** The reply to an attempt, from 0, at the exchange `id`. */
export type ReplyState = ReturnType<typeof everyReply>[number];

/** Every reply to these requests, in each attempt, and where they were sent once more. */
export function everyReply(view: EvidenceView, ids: readonly string[]) {
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

type RuleOf = Pick<ReplyRule, 'of'>;

/** What says which replies a rule is about, and the requests that show them in any case. */
interface MeantBy extends Pick<CheckOf<'reply-rule'>, 'protocol' | 'probes'> {
  readonly rule: RuleOf;
}

function isAsked({ of }: RuleOf, { credential, expect, method, stream }: PlannedRequest): boolean {
  switch (of) {
    case 'answers':
      return expect === 'answer' && !stream;
    case 'streams':
      return expect === 'answer' && stream;
    case 'invalid tokens':
      return credential.form === 'invalid';
    case 'spent limits':
      return expect === 'limited';
    case 'wrong requests':
      return expect === 'refusal' && credential.form === 'right';
    default:
      // Of another method it is a reply of another operation.
      return method === 'POST';
  }
}

/** The further requests of a plan that a rule is about: of those that are refused for what they are, the case knows which. */
export function furtherOf({ protocol, rule }: MeantBy, { requests }: Requests): readonly string[] {
  if (rule.of === 'wrong requests') return [];
  return idsOf(requests.filter((request) => request.protocol === protocol && isAsked(rule, request)));
}

/** Whether a reply is one of those: an answer to what must be answered, a refusal of what must be refused. */
function isMeant(
  rule: RuleOf,
  request: PlannedRequest,
  state: State,
  view: EvidenceView,
): state is State & { readonly exchange: Exchange } {
  if (state.exchange === undefined || !isAsked(rule, request)) return false;
  // Elsewhere a limit proves nothing.
  if (rule.of === 'spent limits') return isRefusalOrRateLimit(state);
  if (state.kind === 'unclear') return false;
  if (rule.of === 'answers' || rule.of === 'streams')
    return state.kind === 'answered' && (state.reading.kind === 'stream') === (rule.of === 'streams');
  return (rule.of === 'every reply' || state.kind === 'refused') && !view.lockOutOf(state.exchange);
}

/** The replies that a rule is about, in an order of their own: of two with the same value the second one is told. */
export const meantReplies = (by: MeantBy, view: EvidenceView): readonly ReplyState[] =>
  everyReply(view, [...new Set([...by.probes, ...furtherOf(by, view.plan)])])
    .filter(({ id, state }) => {
      const request = view.request(state.exchange?.repeats ?? id);
      return request !== undefined && isMeant(by.rule, request, state, view);
    })
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
