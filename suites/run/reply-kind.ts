import { drawsImages } from '../../spec/vocabulary.ts';
import { mayBeSilent } from '../checks/evidence-view.ts';
import { readReply } from '../reading/reply.ts';
import type { ReplyReading } from '../reading/reply-reading.ts';
import { failureEvent, isSilent } from '../reading/text.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { takenOver } from '../types/reply-references.ts';
import type { ReplyKind } from '../wire/retry/attempt-reading.ts';
import type { AttemptRecord } from '../wire/send.ts';

type Refusal = Extract<ReplyReading, { readonly kind: 'refusal' }>;

/** Whether a request asks a model for text, and leaves it room for some. */
const isTextDue = (request: PlannedRequest): boolean =>
  request.expect === 'answer' &&
  request.protocol !== 'images' &&
  !request.callers.some(({ family }) => drawsImages(family)) &&
  !mayBeSilent(request);

/** A page where JSON is due may be that of a proxy in front; what an id stands for may be stored a moment later. */
const mayPass = ({ form }: Refusal, { response }: AttemptRecord, request: PlannedRequest): boolean =>
  request.expect === 'answer' &&
  ((form === 'html' && response !== null && response.status < 300) || takenOver(request).length > 0);

/** What a reply to a planned request amounts to, as far as sending it again depends on it. */
export function replyKind(record: AttemptRecord, request: PlannedRequest): ReplyKind {
  const reading = readReply(record, request.protocol);
  if (reading.kind === 'refusal')
    return reading.form === 'error-stream' || mayPass(reading, record, request) ? 'failed' : 'refused';
  // It has failed at one sighting; what else the request shows is worth another attempt.
  if (reading.kind === 'transient') return reading.transient.cause === 'cut-document' ? 'failed' : 'unclear';
  if (reading.kind === 'stream' && failureEvent(reading.stream) !== undefined) return 'failed';
  return isTextDue(request) && isSilent(reading, request.protocol) ? 'no-text' : 'answered';
}
