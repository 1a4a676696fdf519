import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { ArrivalControls } from '../../model/arrival-controls.ts';
import type { PlannedRequest } from '../../model/plan.ts';
import { asking, hello, longBody } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { isFullId, longPromptId, longStreamId, timedAgainId } from '../builder/request-ids.ts';

/** How often a long stream may be asked for: more often than the check needs, since our own machine may stall. */
const lastAttempt = 5;

/** How many samples a noise floor needs. */
const samplesNeeded = 6;

/** What the arrival of a long stream is compared with. */
export const arrivalControls = (builder: CaseBuilder, protocol: TextProtocol): ArrivalControls => ({
  unstreamed: builder.long(protocol),
  short: shortReplies(builder, protocol),
  bounded: boundedReplies(builder, protocol),
  asked: builder.data.longText,
});

/** Short prompts with short replies, of requests that are planned anyway. */
function shortReplies(builder: CaseBuilder, protocol: TextProtocol): readonly string[] {
  const callers = builder.callers(protocol).length;
  const isShort = ({ id, body }: PlannedRequest): boolean =>
    !isFullId(protocol, id) && !JSON.stringify(body).includes(builder.data.longText);
  return [...builder.requests.values()]
    .filter(
      (request) =>
        request.protocol === protocol &&
        request.expect === 'answer' &&
        request.stage === 'valid' &&
        !request.stream &&
        request.callers.length === callers &&
        isShort(request),
    )
    .map(({ id }) => id)
    .slice(0, samplesNeeded);
}

/** Responses has no bound on its output: a prompt as long as the text that asks for one word. */
const longPrompt = (builder: CaseBuilder): string =>
  builder.send(longPromptId, 'responses', {
    json: asking(
      'responses',
      `${hello} The sentences after this one are sample text. ${builder.data.longText}`,
    ),
  });

/** A long prompt with a short reply, sent again where our own machine stalled. */
function boundedReplies(builder: CaseBuilder, protocol: TextProtocol): readonly string[] {
  const first = protocol === 'responses' ? longPrompt(builder) : builder.limited(protocol, 1);
  const json = builder.requests.get(first)?.body?.json ?? null;
  const sent = [first];
  let before = first;
  for (let attempt = 2; attempt <= lastAttempt; attempt += 1) {
    const when = [{ kind: 'stalled', exchange: before }] as const;
    before = builder.send(timedAgainId(first, attempt), protocol, { json, billed: 0, when });
    sent.push(before);
  }
  return sent;
}

/** Long streams; each but the first only where those before it leave the verdict open. */
export function longStreams(
  builder: CaseBuilder,
  protocol: TextProtocol,
  controls: ArrivalControls,
): readonly string[] {
  const json = { ...longBody(protocol, builder.data.longText), stream: true };
  const sent = [builder.send(longStreamId(protocol, 1), protocol, { json, billed: 1 })];
  for (let attempt = 2; attempt <= lastAttempt; attempt += 1) {
    const when = [{ kind: 'stream-inconclusive', exchanges: [...sent], controls }] as const;
    sent.push(builder.send(longStreamId(protocol, attempt), protocol, { json, billed: 0, when }));
  }
  return sent;
}
