import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { ArrivalControls } from '../../types/arrival-controls.ts';
import { longBody } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { ownText } from '../builder/own-text.ts';
import { longStreamId, timedAgainId } from '../../types/request-ids.ts';
import { has, isAt } from '../combinations/text-row.ts';

/** How often a long stream may be asked for: more often than the check needs, since our own machine may stall. */
const lastAttempt = 5;

/** How many samples a noise floor needs. */
const samplesNeeded = 4;

export const arrivalControls = (builder: CaseBuilder, protocol: TextProtocol): ArrivalControls => ({
  unstreamed: builder.long(protocol),
  short: shortReplies(builder, protocol),
  bounded: boundedReplies(builder, protocol),
});

/** Rows with short replies; those with short prompts first, and of the rest only as many as are needed. */
function shortReplies(builder: CaseBuilder, protocol: TextProtocol): readonly string[] {
  const { rows } = builder.rows(protocol);
  const short = rows.filter((row) => !row.stream && !isAt(row, 'limit') && !has(row, 'previous'));
  const isLong = (row: (typeof short)[number]): boolean =>
    has(row, 'length') || row.styles?.long !== undefined;
  const byPrompt = [...short].sort((one, other) => Number(isLong(one)) - Number(isLong(other)));
  return byPrompt.map(({ id }) => id).slice(0, samplesNeeded);
}

/** A long prompt with a short reply: one that `max_tokens` ends, or that asks for a word. */
function boundedReply(builder: CaseBuilder, protocol: TextProtocol): string | undefined {
  const unstreamed = builder.rows(protocol).rows.filter((row) => !row.stream && !has(row, 'previous'));
  const bounded =
    unstreamed.find((row) => isAt(row, 'limit')) ?? unstreamed.find((row) => has(row, 'length'));
  return bounded?.id;
}

/** The same, sent again where our own machine stalled. */
function boundedReplies(builder: CaseBuilder, protocol: TextProtocol): readonly string[] {
  const first = boundedReply(builder, protocol);
  if (first === undefined) return [];
  const { body, callers = [] } = builder.requests.get(first) ?? {};
  const sent = [first];
  let before = first;
  for (let attempt = 2; attempt <= lastAttempt; attempt += 1) {
    const when = [{ kind: 'stalled', exchange: before }] as const;
    before = builder.send(timedAgainId(first, attempt), protocol, {
      json: body?.json ?? null,
      callers,
      billed: 0,
      when,
    });
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
  const { text, says } = ownText(builder);
  const json = { ...longBody(protocol, text), stream: true };
  const sent = [builder.send(longStreamId(protocol, 1), protocol, { json, says, billed: 1 })];
  for (let attempt = 2; attempt <= lastAttempt; attempt += 1) {
    const when = [{ kind: 'stream-inconclusive', exchanges: [...sent], controls }] as const;
    sent.push(builder.send(longStreamId(protocol, attempt), protocol, { json, says, billed: 0, when }));
  }
  return sent;
}
