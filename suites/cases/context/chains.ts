import type { NoncePlacement } from '../../types/checks/context.ts';
import type { NonceQuestion } from '../../types/checks/context.ts';
import { asking, type Body, hello } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { NonEmpty } from '../builder/non-empty.ts';
import { attemptId, chainId } from '../../types/request-ids.ts';
import { type Attempt, type AttemptOptions, attempts } from '../builder/attempts.ts';
import { codeName, type Wording, wordingsAt } from '../builder/question-words.ts';

/** What chains a request on an earlier one. */
const follow = (previous: string): Body => ({
  previous_response_id: { $: 'reply', exchange: previous, pointer: '/id' },
});

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

/** A response with a nonce that another request asks for. */
export interface Root {
  readonly exchange: string;
  readonly nonce: string;
}

/** How a chain is asked along. */
interface ChainOptions extends Pick<AttemptOptions, 'controls' | 'first' | 'when'> {
  /** Of its requests, without the step and the number of the attempt. */
  readonly id: string;
  /** Of the last request, which asks. */
  readonly extraFields?: Body;
}

/** Asks several responses behind the statement, so that more than the last two exchanges must be carried. */
export const askAlongChain = (
  builder: CaseBuilder,
  { id, extraFields = {}, ...options }: ChainOptions,
): NonEmpty<NonceQuestion> =>
  attempts(
    builder,
    'responses',
    (attempt) => {
      const { wording, nonce, number, overrides } = attempt;
      const { topic, question } = wording;
      const idOf = (step: string) => attemptId(`${id}.${step}`, number);
      const statement = withStatement(builder, idOf('tell'), attempt);
      const send = (request: Omit<ChainedRequest, 'sentAfter'>) => chained(builder, request, overrides);
      const between = send({ id: idOf('between'), input: hello, previous: statement });
      const last = send({ id: idOf('last'), input: withShortReply('Thank you.'), previous: between });
      const exchange = send({ id: idOf('ask'), input: question, previous: last, extraFields });
      return { exchange, nonce, topic, question };
    },
    { ...options, wordings: wordingsAt('chain') },
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
