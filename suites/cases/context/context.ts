import { type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { BranchQuestion, NoncePlacement, NonceQuestion } from '../../types/checks/check.ts';
import {
  notRecalled,
  type Attempt,
  attempts,
  wordings,
  codeName,
  questionForAll,
  shortReply,
  wordingsAt,
} from '../builder/attempts.ts';
import { asking } from '../builder/bodies.ts';
import { type CaseBuilder, addObservation } from '../builder/case-builder.ts';
import type { PlannedRow } from '../combinations/row-requests.ts';
import { has, isAt } from '../combinations/text-rows.ts';
import { wordRequests } from './compared-words.ts';
import { type ContextSource, contextSources, unstreamedSystem } from './context-sources.ts';
import { attemptId, branchId, carriedInstructionsId } from '../../types/request-ids.ts';
import type { AskedNonce } from '../../types/plan.ts';
import { chained, withShortReply, withStatement } from './chains.ts';

/** Whether what is given as context reaches the model, by nonce (4.1 to 4.3). */
export function contextCases(builder: CaseBuilder): void {
  const declared = contextSources.filter(({ protocol }) => builder.callers(protocol).length > 0);
  const placed = new Map(declared.map((source) => [source, source.place(builder)] as const));
  for (const source of contextSources) recallCase(builder, source, placed);
  // Plans the questions with the nonce in them, sent where one is refused or its nonce lost: what models do by themselves.
  for (const protocol of textProtocols) {
    const first = [...placed].flatMap(([source, placements]) =>
      source.protocol === protocol ? placements.flatMap(({ probes }) => probes.slice(0, 1)) : [],
    );
    const { rows } = builder.rows(protocol);
    const inRows = rows.flatMap(({ questions }) => questions.map((each) => each.attempts[0]));
    sendEach(builder, protocol, [...first, ...inRows]);
  }
  const { rows, inline } = builder.rows('responses');
  const root = rows.find((row) => isAt(row, 'root'));
  const firstRoot = root?.given.root && { exchange: root.id, nonce: root.given.root.nonce };
  // What is said in one branch of a chain is not known in another (3).
  const context = { controls: inline, firstRoot, firstBranch: branchOf(rows, root) };
  builder.add({
    id: 'context.responses.branch',
    title: 'responses keeps two branches of a chain apart',
    requirement: 'responses.context.branch',
    check: () => ({
      kind: 'branch',
      probes: askAtRoot(builder, context),
      controls: context.controls,
      plainRequest: builder.control('responses'),
    }),
  });
  carriedInstructionsCase(builder, unstreamedSystem(builder));
  // Of the roles of Messages only `user` is shown (4.2).
  addObservation(builder, {
    id: 'context.messages.assistant-role',
    requirement: 'messages.param.messages.unknown-role',
    subject: 'messages given a turn of role assistant',
    aspect: 'answer-or-refusal',
    protocol: 'messages',
    probes: () => {
      const { rows } = builder.rows('messages');
      return rows.filter((row) => has(row, 'history')).map(({ id }) => id);
    },
  });
}

function sendEach(builder: CaseBuilder, protocol: TextProtocol, questions: readonly NonceQuestion[]): void {
  const any = questions.map(({ exchange, nonce }) => ({ exchange, nonce }));
  const { inline } = builder.rows(protocol);
  for (const [at, { exchange, nonce }] of inline.entries()) {
    const wording = wordings[at];
    const before = inline[at - 1];
    if (wording === undefined) break;
    builder.send(exchange, protocol, {
      json: asking(protocol, `${wording.statement(nonce)} ${wording.question}`),
      billed: 0,
      when: [builder.served(protocol), { kind: 'unrecalled', any }, ...(before ? [notRecalled(before)] : [])],
    });
  }
}

/** The rows that follow another one, with the words that messages of their user have. */
function branchOf(rows: readonly PlannedRow[], root: PlannedRow | undefined): OtherBranch | undefined {
  const chained = rows.filter(({ previous }) => previous !== undefined);
  const [first] = chained;
  const nonces = chained.flatMap(
    ({ given }) => (given.element ?? given['told-element'] ?? given.inline)?.nonce ?? [],
  );
  return first?.previous === root?.id && first && nonces.length > 0
    ? { exchange: first.id, nonces }
    : undefined;
}

type Placed = ReadonlyMap<ContextSource, readonly NoncePlacement[]>;

function recallCase(builder: CaseBuilder, source: ContextSource, placed: Placed): void {
  const { protocol, slug, description, compared } = source;
  builder.add({
    id: `context.${protocol}.${slug}`,
    title: `${protocol} ${description}`,
    requirement: `${protocol}.context.${slug}`,
    check: () => ({
      kind: 'recall',
      protocol,
      placements: placed.get(source) ?? [],
      controls: builder.rows(protocol).inline,
      plainRequest: builder.control(protocol),
      elsewhere: [...placed].flatMap(([{ protocol }, placements]) =>
        placements.map(({ where, probes, controls = [] }) => ({ protocol, where, probes, controls })),
      ),
      ...(compared
        ? { compared: { source: compared, requests: wordRequests(builder, protocol, compared) } }
        : {}),
    }),
  });
}

/** The first request of a branch, and the words that the branch was given. */
interface OtherBranch {
  readonly exchange: string;
  readonly nonces: readonly string[];
}

interface BranchContext {
  readonly controls: readonly NonceQuestion[];
  /** A row of the covering array; undefined where there is none. */
  readonly firstRoot: AskedNonce | undefined;
  /** The rows that go on from there; undefined where there are none. */
  readonly firstBranch: OtherBranch | undefined;
}

/** Gives the root of a conversation a nonce, goes on in one branch, and asks at the root. */
const askAtRoot = (builder: CaseBuilder, { controls, firstRoot, firstBranch }: BranchContext) => {
  const make = (attempt: Attempt): BranchQuestion => {
    const { wording, number, overrides } = attempt;
    const known = number === 1 ? firstRoot : undefined;
    const { nonce } = known ?? attempt;
    const idOf = (step: string) => attemptId(branchId(step), number);
    const root = known?.exchange ?? withStatement(builder, idOf('root'), attempt);
    const goOn = (): OtherBranch => {
      const given = builder.data.nonce();
      const input = withShortReply(wording.newStatement(given));
      const id = chained(builder, { id: idOf('other'), input, previous: root }, overrides);
      return { exchange: id, nonces: [given] };
    };
    const rows = known && firstBranch;
    const { exchange: otherBranch, nonces: otherNonces } = rows ?? goOn();
    const question = rows ? questionForAll : wording.question;
    const request = { id: idOf('ask'), input: question, previous: root, sentAfter: otherBranch };
    const exchange = chained(builder, request, overrides);
    return { exchange, nonce, topic: wording.topic, question, otherNonces, root, otherBranch };
  };
  return attempts(builder, 'responses', make, {
    controls,
    evenIfRefused: true,
    wordings: wordingsAt('chain'),
  });
};

/** Whether `instructions` hold for later responses is unspecified (4.1). `control`: the same question with a nonce in its own. */
function carriedInstructionsCase(builder: CaseBuilder, control: NonceQuestion | undefined): void {
  builder.add({
    id: 'context.responses.instructions-carried',
    title: 'whether instructions are carried along a chain',
    requirement: 'responses.context.instructions-carried',
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
