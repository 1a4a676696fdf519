import type { NoncePlacement } from '../../checks/recall.ts';
import type { NonceQuestion } from '../../checks/shared/nonces.ts';
import { asking, type Body, hello } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { NonEmpty } from '../builder/non-empty.ts';
import { attemptId, chainId } from '../builder/request-ids.ts';
import { type Attempt, attempts } from '../builder/attempts.ts';
import { codeName, type Wording } from '../builder/wordings.ts';

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

/** A response with a nonce that another request asks for. */
export interface Root {
  readonly exchange: string;
  readonly nonce: string;
}

/**
 * Asks several responses behind the statement: first in the covering array, then along chains of their own, so that
 * more than the last two exchanges must be carried.
 */
export function askAlongChain(
  builder: CaseBuilder,
  { controls, first }: { readonly controls: readonly NonceQuestion[]; readonly first: NonceQuestion },
): NonEmpty<NonceQuestion> {
  return attempts(
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
      const last = send(idOf('again'), withShortReply('Thank you.'), between);
      return { exchange: send(idOf('ask'), question, last), nonce, topic, question };
    },
    { controls, first, evenIfRefused: true },
  );
}

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
