import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { idsOf, repliedIn, type Seen, sentIn, statusOf } from './replies.ts';

/** Whether an endpoint answers what it must, of what was sent to it. */
export type EndpointFact = ReturnType<typeof factOf>;

export function endpointFacts(view: EvidenceView): readonly EndpointFact[] {
  const valid = sentIn(view).filter(({ request }) => request.expect === 'answer');
  return protocols.flatMap((protocol) => {
    const own = valid.filter(({ request }) => request.protocol === protocol);
    return own.length === 0 ? [] : [factOf(protocol, own)];
  });
}

function factOf(protocol: Protocol, own: readonly Seen[]) {
  const answers = own.filter(({ kind }) => kind === 'answered');
  const replied = repliedIn(own).filter(({ exchange }) => exchange.response !== null);
  const [shown] = answers.length > 0 ? answers : replied;
  if (shown === undefined) return { protocol, state: 'silent', exchanges: idsOf(own) } as const;
  const [state, those] =
    answers.length > 0 ? (['answers', answers] as const) : (['refuses', replied] as const);
  // The status that shows it, and the answers, or else what came in place of one.
  return { protocol, state, status: statusOf(shown), exchanges: idsOf(those) };
}
