import type { TokenName } from '../../fixtures/target/target.ts';
import { type Protocol, type TextProtocol, type Family, isTextProtocol } from '../../spec/vocabulary.ts';
import type { Caller, Damage } from './plan.ts';
import type { ComparedIn } from './text-situations.ts';
import { createHash } from 'node:crypto';

/** A model's name as a part of ids: with a digest where the name itself can't be one. */
function modelSlug(name: string): string {
  const slug = name.replace(/[^\w.-]+/g, '-').slice(0, 60);
  return slug === name ? name : `${slug}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/** The id of what is asked of a model behind the first of its family; that of the first is the id itself. */
export const ofModel = <Id extends string>(
  id: Id,
  { family, model }: { readonly family: Family; readonly model?: string },
): Id => (model === undefined ? id : (`${id}@${family}.${modelSlug(model)}` as Id));

// The id of a planned request is made here, or in the row of its probe (spec/probes/).

export const cellId = (caller: Caller, protocol: Protocol, stream = false): string =>
  ofModel(`cell.${caller.family}.${protocol}.${caller.group}${stream ? '.stream' : ''}`, caller);

/** An invented model, called with a declared token: an invented token gets another reply to the same. */
export const tokenAskedId = (token: TokenName): string => `declared.token.${token}`;

/** The same with an invented token. */
export const tokenInventedId = 'declared.token.invented';

/** The request of a first cell with one thing changed: the token, or its model for that of another cell. */
export const cellAskedId = (cell: string, change: string): string => `declared.${cell}.${change}`;

/** A request that asks an undeclared endpoint for nothing; and the same to a path that nobody has. */
export const offeredId = (protocol: Protocol): string => `${protocol}.not-declared`;
export const inventedPathId = (protocol: Protocol): string => `${offeredId(protocol)}.invented-path`;

/** The smallest request with the stream declined: the control of most cases. */
export const plainId = (protocol: Protocol): string => `${protocol}.plain`;

/** The plain request once more, after everything that must be refused. */
export const afterId = (protocol: Protocol): string => `${plainId(protocol)}.after`;

export const streamedId = (id: string): string => `${id}.streamed`;

/** The request that shows a valid value of a parameter; both are named by slug. */
export const parameterValueId = (protocol: Protocol, parameter: string, value: string): string =>
  `${protocol}.${parameter}.${value}`;

/** The plain request with a stream asked for. */
export const plainStreamId = (protocol: TextProtocol): string => parameterValueId(protocol, 'stream', 'true');

/** The same where nothing is answered that asks for no stream; images have none. */
export const onlyStreamIds = (protocol: Protocol): readonly string[] =>
  isTextProtocol(protocol) ? [`${protocol}.only-stream`] : [];

export const missingParameterId = (protocol: Protocol, parameter: string): string =>
  `${protocol}.${parameter}.missing`;

/** What is wrong with a value: its type, its range, that it is not allowed, or that nobody knows it. */
export type WrongAspect = 'type' | 'range' | 'allowed' | 'unknown';

/** A wrong value of a parameter, both by slug. */
export const wrongValueId = (
  protocol: Protocol,
  parameter: string,
  aspect: WrongAspect,
  value: string,
): string => `${protocol}.${parameter}.${aspect}.${value}`;

/** What is wrong in it is wrong in a row of the covering array, by number, or in a request for another family. */
export const inSituationId = (id: string, situation: number | string): string => `${id}.in.${situation}`;

/** The same in the plain request. */
export const inPlainId = (id: string): string => `${id}.plain`;

/** A body that is not JSON; the plainest is the one that is cut off. */
export const malformedBodyId = (protocol: Protocol, damage: Damage): string =>
  `${protocol}.body.${damage === 'cut' ? 'malformed' : damage}`;

/** The smallest request for an image, of a size that the target chooses. */
export const anySizeId = 'images.any-size';

export const fullId = (protocol: Protocol): string => `${protocol}.full`;

/** The plain request with `input` as a list. */
export const listedInputId = 'responses.listed';

/** `input` as a list whose elements have one of several shapes, none of which is shown. */
export const inputElementsId = (shape: string): string => `responses.input.elements.${shape}`;

/** The same where no other request shows that a list is accepted. */
export const inputFormId = (shape: string): string => `responses.input.list.${shape}`;

/** A text is to be repeated: a long reply. */
export const longId = (protocol: TextProtocol): string => `${protocol}.long`;

/** The same request once more, because our own machine stalled; `attempt` from 2. */
export const timedAgainId = (id: string, attempt: number): string => `${id}.timed.${attempt}`;

/** A long text streamed; `attempt` from 1. */
export const longStreamId = (protocol: TextProtocol, attempt: number): string =>
  `${protocol}.stream.long.${attempt}`;

/** A long text streamed in the situation of a row; `attempt` from 1, and 0 as long a request with a short reply. */
export const longInRowId = (row: string, attempt: number): string => `${row}.long.${attempt}`;

/** A long text asked of a caller, to compare what comes; null where `stream` is left out. */
export const comparedId = (
  { family, group }: Caller,
  protocol: TextProtocol,
  stream: boolean | null,
  within?: ComparedIn,
): string =>
  `${protocol}.compared.${family}.${group}.${stream === null ? 'left-out' : stream ? 'stream' : 'whole'}${within ? `.${within}` : ''}`;

/** A stream that is broken off at its first byte, and the plain request right behind it. */
export const brokenOffId = (protocol: TextProtocol): string => `${protocol}.broken-off`;
export const behindBrokenOffId = (protocol: TextProtocol): string => `${brokenOffId(protocol)}.next`;

/** The plain request with an Accept header that allows every type. */
export const acceptAnyId = (protocol: TextProtocol): string => `${protocol}.accept-any`;

/** A credential or version header in another form than the documented one, by slug. */
export const credentialFormId = (protocol: Protocol, form: string): string => `${protocol}.auth.${form}`;

/** A token that was never issued; `again` is the first token in another request, `member` is no random one. */
export type InvalidToken = 'first' | 'second' | 'again' | 'member';

export const invalidTokenId = (protocol: Protocol, token: InvalidToken): string =>
  credentialFormId(protocol, `invalid.${token}`);

/** A token whose limit is spent; `attempt` is 1 or 2. */
export const rateLimitedId = (protocol: Protocol, attempt: 1 | 2): string =>
  `${protocol}.rate-limited.${attempt}`;

/** With the spent token once more, where a request with it was answered. */
export const rateLimitedAfterId = (protocol: Protocol): string => `${protocol}.rate-limited.after`;

/** The same with a stream asked for, and once more. */
export const rateLimitedStreamId = (protocol: TextProtocol, attempt: 1 | 2): string =>
  `${protocol}.rate-limited.streamed${attempt === 1 ? '' : '.again'}`;

/** An image model on chat, with a temperature. */
export const chatImageTemperatureId = 'chat-image.temperature';

/** A planned request sent once more, as a control; `times` from 2. */
export const againId = (id: string, times: number): string => `${id}~${times}`;

/** A row of the covering array of a protocol, by number; and the same in an attempt with other words. */
export const rowId = (protocol: Protocol, number: number): string => `${protocol}.combination.${number}`;
export const rowAttemptId = (row: string, attempt: number): string => `${row}.again.${attempt}`;

/** One of the requests that go out at once, by number. */
export const burstId = (protocol: TextProtocol, number: number): string => `${protocol}.burst.${number}`;

/** A question with its nonce in it, by the number of the attempt. */
export const inlineId = (protocol: TextProtocol, attempt: number): string =>
  attemptId(contextId(protocol, 'inline'), attempt);

/** A question whose context holds a nonce, without the number of the attempt. */
export const contextId = (protocol: TextProtocol, source: string): string => `${protocol}.context.${source}`;

export const contextControlId = (question: string): string => `${question}.control`;

/** One attempt at a question; `attempt` from 1. */
export const attemptId = (question: string, attempt: number): string => `${question}.${attempt}`;

/** A step of a chain of responses, of its branches, and of the chain behind instructions. */
export const chainId = (step: string): string => `responses.chain.${step}`;
export const branchId = (step: string): string => `responses.branch.${step}`;
export const carriedInstructionsId = (step: string): string => `responses.carried.${step}`;
