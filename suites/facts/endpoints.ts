import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { idsOf, repliedIn, type Seen, sentIn, statusOf } from './replies.ts';

/** Whether an endpoint answers what it must, of what was sent to it. */
export interface EndpointFact {
  readonly protocol: Protocol;
  readonly state: 'answers' | 'refuses' | 'silent';
  /** The status that shows it; absent where no reply came. */
  readonly status?: number;
  /** The answers, or else what came in place of one. */
  readonly exchanges: readonly string[];
}

/** The endpoints that anything valid was sent to. */
export function endpointFacts(view: EvidenceView): readonly EndpointFact[] {
  const valid = sentIn(view).filter(({ request }) => request.expect === 'answer');
  return protocols.flatMap((protocol) => {
    const own = valid.filter(({ request }) => request.protocol === protocol);
    return own.length === 0 ? [] : [factOf(protocol, own)];
  });
}

function factOf(protocol: Protocol, own: readonly Seen[]): EndpointFact {
  const answers = own.filter(({ kind }) => kind === 'answered');
  const replied = repliedIn(own).filter(({ exchange }) => exchange.response !== null);
  const [shown] = answers.length > 0 ? answers : replied;
  if (shown === undefined) return { protocol, state: 'silent', exchanges: idsOf(own) };
  return {
    protocol,
    state: answers.length > 0 ? 'answers' : 'refuses',
    status: statusOf(shown),
    exchanges: idsOf(answers.length > 0 ? answers : replied),
  };
}
