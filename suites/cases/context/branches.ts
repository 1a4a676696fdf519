import type { BranchQuestion, NonceQuestion } from '../../types/checks/context.ts';
import { asking } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { attemptId, branchId, carriedInstructionsId } from '../../types/request-ids.ts';
import { chained, type Root, withShortReply, withStatement } from './chains.ts';
import { attempts } from '../builder/attempts.ts';
import { codeName, questionForAll, shortReply, wordingsAt } from '../builder/question-words.ts';

/** The first request of a branch, and the words that the branch was given. */
export interface OtherBranch {
  readonly exchange: string;
  readonly nonces: readonly string[];
}

export interface BranchContext {
  readonly controls: readonly NonceQuestion[];
  /** A row of the covering array; undefined where there is none. */
  readonly firstRoot: Root | undefined;
  /** The rows that go on from there; undefined where there are none. */
  readonly firstBranch: OtherBranch | undefined;
}

/** Gives the root of a conversation a nonce, goes on in one branch, and asks at the root. */
const askAtRoot = (
  builder: CaseBuilder,
  { controls, firstRoot, firstBranch }: BranchContext,
): readonly BranchQuestion[] =>
  attempts(
    builder,
    'responses',
    (attempt) => {
      const { wording, number, overrides } = attempt;
      const { topic, newStatement } = wording;
      const known = number === 1 ? firstRoot : undefined;
      const nonce = known?.nonce ?? attempt.nonce;
      const idOf = (step: string) => attemptId(branchId(step), number);
      const root = known?.exchange ?? withStatement(builder, idOf('root'), attempt);
      const goOn = (): OtherBranch => {
        const given = builder.data.nonce();
        const input = withShortReply(newStatement(given));
        const id = chained(builder, { id: idOf('other'), input, previous: root }, overrides);
        return { exchange: id, nonces: [given] };
      };
      const rows = known && firstBranch;
      const { exchange: otherBranch, nonces: otherNonces } = rows ?? goOn();
      const question = rows ? questionForAll : wording.question;
      const exchange = chained(
        builder,
        { id: idOf('ask'), input: question, previous: root, sentAfter: otherBranch },
        overrides,
      );
      return { exchange, nonce, topic, question, otherNonces, root, otherBranch };
    },
    { controls, evenIfRefused: true, wordings: wordingsAt('chain') },
  );

/** What is said in one branch of a chain is not known in another (3). */
export function branchCase(builder: CaseBuilder, context: BranchContext): void {
  builder.addOne({
    id: 'context.responses.branch',
    title: 'responses keeps two branches of a chain apart',
    requirement: 'responses.context.branch',
    needs: 'responses',
    check: () => ({
      kind: 'branch',
      probes: askAtRoot(builder, context),
      controls: context.controls,
      plainRequest: builder.control('responses'),
    }),
  });
}

/**
 * Whether `instructions` hold for the responses behind them is unspecified (4.1).
 * @param control the same question with the nonce in its own instructions; undefined where responses is not declared
 */
export function carriedInstructionsCase(builder: CaseBuilder, control: NonceQuestion | undefined): void {
  builder.addOne({
    id: 'context.responses.instructions-carried',
    title: 'whether instructions are carried along a chain',
    requirement: 'responses.context.instructions-carried',
    needs: 'responses',
    check: () => {
      const nonce = builder.data.nonce();
      const first = builder.send(carriedInstructionsId('tell'), 'responses', {
        json: { ...asking('responses', shortReply), instructions: codeName.statement(nonce) },
      });
      const probe = chained(builder, {
        id: carriedInstructionsId('ask'),
        input: codeName.question,
        previous: first,
      });
      return {
        kind: 'observe',
        subject: 'instructions of an earlier response, asked for along the chain',
        aspect: 'recalled',
        nonce,
        protocol: 'responses',
        probes: [probe],
        ...(control ? { control: { exchange: control.exchange, nonce: control.nonce } } : {}),
      };
    },
  });
}
