import { isOpen } from '../../facts/dead-endpoints.ts';
import { isTextProtocol } from '../../../spec/vocabulary.ts';
import { afterId, plainId, plainStreamId } from '../../types/request-ids.ts';
import type { OutcomeWithReason } from '../../types/finding.ts';
import { type EvidenceView, isTaken } from '../evidence-view.ts';
import { untested } from './findings.ts';
import { streamsOf } from './meant-replies.ts';
import { validRequestOutcome } from './valid-request.ts';

/**
 * Why nothing that hangs on a stream can be tested: the protocol refuses every stream and answers the same
 * request without one, which fails that `stream` true is taken. Undefined where it does not.
 * @param ids requests, all of them streams of one protocol; of others the answer is undefined
 */
export function noStream(view: EvidenceView, ids: readonly string[]): OutcomeWithReason | undefined {
  const requests = ids.flatMap((id) => view.request(id) ?? []);
  const protocol = requests[0]?.protocol;
  if (protocol === undefined || !isTextProtocol(protocol) || !requests.every(({ stream }) => stream))
    return undefined;
  // In smoke a stream is asked of one caller only: whether all are refused is not known.
  if (view.plan.profile === 'smoke') return undefined;
  const requirement = `${protocol}.param.stream.accepted`;
  const streams = streamsOf(view.plan, protocol);
  // One without a conclusive reply may be a stream that would have come.
  if (streams.some((id) => isTaken(view, id) || isOpen(view, id))) return undefined;
  const plain = { probe: plainStreamId(protocol), controls: [plainId(protocol)], after: afterId(protocol) };
  return validRequestOutcome(plain, view).verdict === 'fail'
    ? untested({ kind: 'no-stream-answered', requirement })
    : undefined;
}
