import { type Protocol, protocols } from '../../../spec/vocabulary.ts';
import { type EvidenceView, isTaken } from '../../checks/evidence-view.ts';
import { sentOf } from '../../checks/shared/selections.ts';
import type { PlannedRequest } from '../../types/plan.ts';
import { replyWords } from '../../reading/reply-words.ts';

/** Why an endpoint answers no valid request, as far as its refusals show it. */
export interface DeadEndpoint {
  readonly kind: 'endpoint-absent' | 'token-not-accepted' | 'endpoint-unanswered';
  /** The refusals of valid requests. */
  readonly refusals: readonly string[];
}

/** With the documented credential and nothing wrong. */
const isValid = ({ expect, credential, version }: PlannedRequest): boolean =>
  expect === 'answer' && credential.form === 'right' && version === 'declared';

/**
 * The endpoints on which no valid request is answered and some are refused. One where all is refused in the same
 * words, whatever is asked and with whatever token, is absent.
 */
export function deadEndpoints(view: EvidenceView): ReadonlyMap<Protocol, DeadEndpoint> {
  return new Map(
    protocols.flatMap((protocol) => {
      const found = deadEndpoint(view, protocol);
      return found ? [[protocol, found] as const] : [];
    }),
  );
}

function deadEndpoint(view: EvidenceView, protocol: Protocol): DeadEndpoint | undefined {
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
  if (asInvented && isForCredential) return { kind: 'token-not-accepted', refusals };
  const isAlike = new Set(sent.map(words)).size === 1;
  return { kind: isAlike && asInvented ? 'endpoint-absent' : 'endpoint-unanswered', refusals };
}
