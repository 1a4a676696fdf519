import { type Protocol, protocols, textProtocols } from '../../spec/vocabulary.ts';
import { type EvidenceView, isTaken } from '../checks/evidence-view.ts';
import { sentOf, streamsOf } from '../checks/shared/meant-replies.ts';
import { begunMs } from '../types/exchange.ts';
import { replyWords } from '../reading/reply-words.ts';
import type { PlannedRequest } from '../types/plan.ts';

/** Why an endpoint answers no valid request, as far as its refusals show it; `refusals`: of valid requests. */
export type DeadEndpoint = NonNullable<ReturnType<typeof deadEndpoint>>;

/** With the documented credential and nothing wrong. */
const isValid = ({ expect, credential, version }: PlannedRequest): boolean =>
  expect === 'answer' && credential.form === 'right' && version === 'declared';

/** The endpoints that answer no valid request and refuse some. One that refuses everything in the same words is absent. */
export const deadEndpoints = (view: EvidenceView): ReadonlyMap<Protocol, DeadEndpoint> =>
  new Map(
    protocols.flatMap((protocol) => {
      const found = deadEndpoint(view, protocol);
      return found ? [[protocol, found] as const] : [];
    }),
  );

function deadEndpoint(view: EvidenceView, protocol: Protocol) {
  const planned = view.plan.requests.filter((request) => request.protocol === protocol);
  const sent = sentOf(
    view,
    planned.map(({ id }) => id),
  ).filter((id) => view.state(id).kind === 'refused');
  const valid = planned.filter(isValid).map(({ id }) => id);
  const refusals = sent.filter((id) => valid.includes(id));
  const [first] = refusals;
  if (first === undefined || valid.some((id) => isTaken(view, id))) return undefined;
  const words = (id: string): string | undefined => {
    const { exchange } = view.state(id);
    return exchange && replyWords(exchange);
  };
  const own = new Set(refusals.map(words));
  const isRefusedAs = (others: readonly PlannedRequest[]): boolean =>
    others.some(({ id }) => sent.includes(id) && own.has(words(id)));
  const asInvented = isRefusedAs(planned.filter(({ credential }) => credential.form === 'invalid'));
  const status = view.state(first).exchange?.response?.status;
  // With any other status, a refusal may come before the credential is read.
  const isForCredential = status === 401 || status === 403;
  if (asInvented && isForCredential) return { kind: 'token-not-accepted', protocol, refusals } as const;
  const isAlike = new Set(sent.map(words)).size === 1;
  const kind = isAlike && asInvented ? 'endpoint-absent' : 'endpoint-unanswered';
  return { kind, protocol, refusals } as const;
}

/** The endpoints that refuse every stream, and answer a valid request without one, also after one of them. */
export const streamlessEndpoints = (view: EvidenceView) =>
  textProtocols.flatMap((protocol) => {
    const streams = sentOf(view, streamsOf(view.plan, protocol));
    const refusals = streams.filter((id) => view.kind(id) === 'refused' && !isTaken(view, id));
    const isOffered = streams.some((id) => isTaken(view, id) || isOpen(view, id));
    const firstMs = Math.min(...refusals.map((id) => sentMs(view, id)));
    const whole = view.plan.requests.filter(
      (request) =>
        request.protocol === protocol && !request.stream && isValid(request) && isTaken(view, request.id),
    );
    // A stream of the smallest request has that as its control.
    const isControlled = whole.some(({ stage }) => stage === 'discovery');
    const isAnswering = isControlled && whole.some(({ id }) => sentMs(view, id) >= firstMs);
    return refusals.length > 0 && !isOffered && isAnswering ? [{ protocol, refusals }] : [];
  });

const sentMs = (view: EvidenceView, id: string): number =>
  begunMs(view.state(id).exchange?.timing ?? { startedAt: '' });

/** Sent, with a reply that proves nothing: it may be a stream that would have come. */
export function isOpen(view: EvidenceView, id: string): boolean {
  const state = view.state(id);
  return state.kind === 'unclear' && state.exchange !== undefined;
}
