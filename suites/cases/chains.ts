import type { Asked, Branch } from '../model/case.ts';
import type { Condition, Template } from '../model/plan.ts';
import { asking, hello, type Kit } from '../plan/kit.ts';
import { type Attempt, attempts, codeName } from './asking.ts';

const follow = (previous: string): { readonly [name: string]: Template } => ({
  previous_response_id: { $: 'reply', exchange: previous, pointer: '/id' },
});

const answered = (id: string): Condition => ({ kind: 'answered', any: [id] });

/** A request that is chained on another, and sent once `after` is answered. */
const chained = (
  kit: Kit,
  id: string,
  input: string,
  previous: string,
  {
    when = [],
    after = previous,
    stream = false,
    ...cost
  }: Partial<Attempt['wish']> & { readonly after?: string; readonly stream?: boolean } = {},
): string =>
  kit.send(id, 'responses', {
    json: { ...asking('responses', input), ...follow(previous), stream },
    ...cost,
    when: [...when, answered(after)],
  });

const briefly = (text: string): string => `${text} Reply with the word OK.`;

/** Asks two responses behind the one that was told, so that more than the last exchange must be carried. */
export const askAlongChain = (kit: Kit, controls: readonly Asked[]): readonly Asked[] =>
  attempts(
    kit,
    'responses',
    ({ wording: { topic, question, told }, nonce, number, wish }) => {
      const tell = kit.send(`responses.chain.tell.${number}`, 'responses', {
        json: asking('responses', briefly(told(nonce))),
        ...wish,
      });
      const between = chained(kit, `responses.chain.between.${number}`, hello, tell, wish);
      const exchange = chained(kit, `responses.chain.ask.${number}`, question, between, wish);
      return { exchange, nonce, topic, question };
    },
    { controls },
  );

/** Asks in a stream, behind the response that was told. */
export const askAlongChainInStream = (kit: Kit, controls: readonly Asked[]): readonly Asked[] =>
  attempts(
    kit,
    'responses',
    ({ wording: { topic, question, told }, nonce, number, wish }) => {
      const tell = kit.send(`responses.chain.stream.tell.${number}`, 'responses', {
        json: asking('responses', briefly(told(nonce))),
        ...wish,
      });
      const id = `responses.chain.stream.ask.${number}`;
      const exchange = chained(kit, id, question, tell, { ...wish, stream: true });
      return { exchange, nonce, topic, question };
    },
    { controls },
  );

/** Tells the root of a conversation, goes on in one branch, and asks at the root. */
const askBesideBranch = (kit: Kit, controls: readonly Asked[]): readonly Branch[] =>
  attempts(
    kit,
    'responses',
    ({ wording: { topic, question, told, toldAnew }, nonce, number, wish }) => {
      const foreign = kit.data.nonce();
      const root = kit.send(`responses.branch.root.${number}`, 'responses', {
        json: asking('responses', briefly(told(nonce))),
        ...wish,
      });
      const other = chained(kit, `responses.branch.other.${number}`, briefly(toldAnew(foreign)), root, wish);
      const exchange = chained(kit, `responses.branch.ask.${number}`, question, root, {
        ...wish,
        after: other,
      });
      return { exchange, nonce, topic, question, foreign, root, other };
    },
    { controls },
  );

export function branchCase(kit: Kit, controls: readonly Asked[]): void {
  const requirement = 'responses.context.branch';
  kit.add(
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
      probes: askBesideBranch(kit, controls),
      controls,
      plain: kit.control('responses'),
    }),
  );
}

export function carriedInstructionsCase(kit: Kit): void {
  const requirement = 'responses.context.instructions-carried';
  kit.add(
    {
      id: 'context.responses.instructions-carried',
      title: 'whether instructions are carried along a chain',
      suite: 'context',
      requirements: [requirement],
    },
    'responses',
    () => {
      const nonce = kit.data.nonce();
      const first = kit.send('responses.carried.tell', 'responses', {
        json: { ...asking('responses', 'Reply with the word OK.'), instructions: codeName.told(nonce) },
      });
      const probe = chained(kit, 'responses.carried.ask', codeName.question, first);
      const subject = 'instructions of an earlier response, asked for along the chain';
      return {
        kind: 'observe',
        requirement,
        section: '4.1',
        subject,
        see: 'recalled',
        nonce,
        protocol: 'responses',
        probes: [probe],
      };
    },
  );
}
