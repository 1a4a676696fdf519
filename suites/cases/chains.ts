import type { BranchQuestion } from '../checks/branch.ts';
import type { NoncePlacement } from '../checks/recall.ts';
import type { NonceQuestion } from '../checks/shared/nonces.ts';
import type { Condition, Template } from '../model/plan.ts';
import { asking, hello } from './builder/bodies.ts';
import type { CaseBuilder } from './builder/case-builder.ts';
import { type Attempt, attempts, brief, codeName } from './asking.ts';

/** What chains a request on an earlier one. */
export const follow = (previous: string): { readonly [name: string]: Template } => ({
  previous_response_id: { $: 'reply', exchange: previous, pointer: '/id' },
});

const answered = (id: string): Condition => ({ kind: 'answered', any: [id] });

/** A request that is chained on another, and sent once `after` is answered. */
const chained = (
  builder: CaseBuilder,
  id: string,
  input: string,
  previous: string,
  {
    when = [],
    after = previous,
    more = {},
    ...cost
  }: Partial<Attempt['wish']> & {
    readonly after?: string;
    readonly more?: { readonly [name: string]: Template };
  } = {},
): string =>
  builder.send(id, 'responses', {
    json: { ...asking('responses', input), ...follow(previous), ...more },
    ...cost,
    when: [...when, answered(after)],
  });

const briefly = (text: string): string => `${text} Reply with the word OK.`;

/** The last response before an attempt is asked, of both ways at once; in the first attempt they share a chain. */
const lastBefore = (number: number): string => `responses.chain.again.${number}`;

/** Asks three responses behind the one that was told, so that more than the last two exchanges must be carried. */
export const askAlongChain = (
  builder: CaseBuilder,
  controls: readonly NonceQuestion[],
): readonly NonceQuestion[] =>
  attempts(
    builder,
    'responses',
    ({ wording: { topic, question, told }, nonce, number, wish }) => {
      const tell = builder.send(`responses.chain.tell.${number}`, 'responses', {
        json: asking('responses', briefly(told(nonce))),
        ...wish,
      });
      const between = chained(builder, `responses.chain.between.${number}`, hello, tell, wish);
      const last = chained(builder, lastBefore(number), briefly('Thank you.'), between, wish);
      const exchange = chained(builder, `responses.chain.ask.${number}`, question, last, wish);
      return { exchange, nonce, topic, question };
    },
    { controls },
  );

/**
 * Asks in a stream, beside instructions that say nothing of it: first behind what the chain `unstreamed` was
 * told, then behind a response of its own.
 */
export const askAlongChainInStream = (
  builder: CaseBuilder,
  controls: readonly NonceQuestion[],
  unstreamed: readonly NonceQuestion[],
): readonly NonceQuestion[] =>
  attempts(
    builder,
    'responses',
    ({ wording: { topic, question, told }, nonce: own, number, wish }) => {
      const nonce = number === 1 ? (unstreamed[0]?.nonce ?? own) : own;
      const tell = () =>
        builder.send(`responses.chain.stream.tell.${number}`, 'responses', {
          json: asking('responses', briefly(told(nonce))),
          ...wish,
        });
      const previous = number === 1 ? lastBefore(number) : tell();
      const more = { instructions: brief, stream: true };
      const id = `responses.chain.stream.ask.${number}`;
      const exchange = chained(builder, id, question, previous, { ...wish, more });
      return { exchange, nonce, topic, question };
    },
    { controls },
  );

const repeating: readonly string[] = [
  'Repeat your last reply, and nothing else.',
  'What was your last reply? Say it again.',
  'Say your last reply once more.',
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
    ({ number, wish }) => {
      const question = repeating[number - 1] ?? '';
      const exchange = chained(builder, `responses.chain.reply.${number}`, question, said.exchange, wish);
      return { exchange, nonce: said.nonce, topic: said.topic, question };
    },
    { controls, wordings: [codeName, codeName, codeName] },
  ),
});

/** Tells the root of a conversation, goes on in one branch, and asks at the root. */
const askBesideBranch = (
  builder: CaseBuilder,
  controls: readonly NonceQuestion[],
): readonly BranchQuestion[] =>
  attempts(
    builder,
    'responses',
    ({ wording: { topic, question, told, toldAnew }, nonce, number, wish }) => {
      const otherNonce = builder.data.nonce();
      const root = builder.send(`responses.branch.root.${number}`, 'responses', {
        json: asking('responses', briefly(told(nonce))),
        ...wish,
      });
      const otherBranch = chained(
        builder,
        `responses.branch.other.${number}`,
        briefly(toldAnew(otherNonce)),
        root,
        wish,
      );
      const exchange = chained(builder, `responses.branch.ask.${number}`, question, root, {
        ...wish,
        after: otherBranch,
      });
      return { exchange, nonce, topic, question, otherNonce, root, otherBranch };
    },
    { controls },
  );

export function branchCase(builder: CaseBuilder, controls: readonly NonceQuestion[]): void {
  const requirement = 'responses.context.branch';
  builder.add(
    {
      id: 'context.responses.branch',
      title: 'responses keeps two branches of a chain apart',
      suite: 'context',
      requirements: [requirement],
    },
    'responses',
    () => ({
      kind: 'branch',
      requirement,
      probes: askBesideBranch(builder, controls),
      controls,
      plainRequest: builder.control('responses'),
    }),
  );
}

export function carriedInstructionsCase(builder: CaseBuilder): void {
  const requirement = 'responses.context.instructions-carried';
  builder.add(
    {
      id: 'context.responses.instructions-carried',
      title: 'whether instructions are carried along a chain',
      suite: 'context',
      requirements: [requirement],
    },
    'responses',
    () => {
      const nonce = builder.data.nonce();
      const first = builder.send('responses.carried.tell', 'responses', {
        json: { ...asking('responses', 'Reply with the word OK.'), instructions: codeName.told(nonce) },
      });
      const probe = chained(builder, 'responses.carried.ask', codeName.question, first);
      const subject = 'instructions of an earlier response, asked for along the chain';
      return {
        kind: 'observe',
        requirement,
        section: '4.1',
        subject,
        aspect: 'recalled',
        nonce,
        protocol: 'responses',
        probes: [probe],
      };
    },
  );
}
