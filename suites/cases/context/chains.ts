import type { NoncePlacement } from '../../checks/recall.ts';
import type { NonceQuestion } from '../../checks/shared/nonces.ts';
import { asking, type Body, hello, shortInstruction } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { NonEmpty } from '../builder/non-empty.ts';
import { attemptId, chainId } from '../builder/request-ids.ts';
import { type Attempt, attempts, codeName, type Wording } from './nonce-questions.ts';

/** What chains a request on an earlier one. */
export const follow = (previous: string): Body => ({
  previous_response_id: { $: 'reply', exchange: previous, pointer: '/id' },
});

/** A request behind an earlier response. */
interface ChainedRequest {
  readonly id: string;
  readonly input: string;
  readonly previous: string;
  /** Sent once this is answered; `previous` where left out. */
  readonly sentAfter?: string;
  readonly extraFields?: Body;
}

export const chained = (
  builder: CaseBuilder,
  { id, input, previous, sentAfter = previous, extraFields = {} }: ChainedRequest,
  { when, ...overrides }: Attempt['overrides'] = { when: [] },
): string =>
  builder.send(id, 'responses', {
    json: { ...asking('responses', input), ...follow(previous), ...extraFields },
    ...overrides,
    when: [...when, { kind: 'answered', any: [sentAfter] }],
  });

/** Asks for as short a reply as there is. */
export const withShortReply = (text: string): string => `${text} Reply with the word OK.`;

/** A response that was given the nonce and asked for nothing. */
export const withStatement = (
  builder: CaseBuilder,
  id: string,
  { wording, nonce, overrides }: Attempt,
): string =>
  builder.send(id, 'responses', {
    json: asking('responses', withShortReply(wording.statement(nonce))),
    ...overrides,
  });

/** The last response before an attempt is asked; in the first attempt with and without a stream share a chain. */
const lastBefore = (number: number): string => attemptId(chainId('again'), number);

/** Asks three responses behind the statement, so that more than the last two exchanges must be carried. */
export const askAlongChain = (
  builder: CaseBuilder,
  controls: readonly NonceQuestion[],
): NonEmpty<NonceQuestion> =>
  attempts(
    builder,
    'responses',
    (attempt) => {
      const { wording, nonce, number, overrides } = attempt;
      const { topic, question } = wording;
      const idOf = (step: string) => attemptId(chainId(step), number);
      const statement = withStatement(builder, idOf('tell'), attempt);
      const send = (id: string, input: string, previous: string) =>
        chained(builder, { id, input, previous }, overrides);
      const between = send(idOf('between'), hello, statement);
      const last = send(lastBefore(number), withShortReply('Thank you.'), between);
      return { exchange: send(idOf('ask'), question, last), nonce, topic, question };
    },
    { controls },
  );

/** The id of the question that is asked along a chain in a stream. */
export const chainStreamId = chainId('stream.ask');

/**
 * Asks in a stream, with instructions that say nothing of it: first behind what the chain `unstreamed` was
 * given, then behind a response of its own.
 */
export const askAlongChainInStream = (
  builder: CaseBuilder,
  controls: readonly NonceQuestion[],
  unstreamed: NonEmpty<NonceQuestion>,
): NonEmpty<NonceQuestion> =>
  attempts(
    builder,
    'responses',
    (attempt) => {
      const { wording, number, overrides } = attempt;
      const { topic, question } = wording;
      const isFirst = number === 1;
      const previous = isFirst
        ? lastBefore(number)
        : withStatement(builder, attemptId(chainId('stream.tell'), number), attempt);
      const extraFields = { instructions: shortInstruction, stream: true };
      const exchange = chained(
        builder,
        { id: attemptId(chainStreamId, number), input: question, previous, extraFields },
        overrides,
      );
      return { exchange, nonce: isFirst ? unstreamed[0].nonce : attempt.nonce, topic, question };
    },
    { controls },
  );

const repeating = (question: string): Wording => ({ ...codeName, question });

const repetitions: NonEmpty<Wording> = [
  repeating('Repeat your last reply, and nothing else.'),
  repeating('What was your last reply? Say it again.'),
  repeating('Say your last reply once more.'),
];

/**
 * Asks for what a reply said and no message of the user did: the reply to `said`, which has its nonce in the
 * instructions.
 */
export const askForReply = (
  builder: CaseBuilder,
  said: NonceQuestion,
  controls: readonly NonceQuestion[],
): NoncePlacement => ({
  where: 'in the reply one response earlier',
  earlierReply: said,
  probes: attempts(
    builder,
    'responses',
    ({ wording: { question }, number, overrides }) => {
      const id = attemptId(chainId('reply'), number);
      const exchange = chained(builder, { id, input: question, previous: said.exchange }, overrides);
      return { exchange, nonce: said.nonce, topic: said.topic, question };
    },
    { controls, wordings: repetitions },
  ),
});
