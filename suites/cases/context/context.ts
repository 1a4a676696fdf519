import { type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { NoncePlacement, NonceQuestion, Recall } from '../../types/checks/context.ts';
import { notRecalled } from '../builder/attempts.ts';
import { asking } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { wordings } from '../builder/question-words.ts';
import type { PlannedRow } from '../combinations/row-requests.ts';
import { has, isAt } from '../combinations/text-row.ts';
import { wordRequests } from '../results/intact.ts';
import { branchCase, carriedInstructionsCase, type OtherBranch } from './branches.ts';
import { type ContextSource, contextSources, unstreamedSystem } from './context-sources.ts';

/** Whether what is given as context reaches the model, by nonce (4.1 to 4.3). */
export function contextCases(builder: CaseBuilder): void {
  const placed = new Map(
    contextSources
      .filter(({ protocol }) => builder.callers(protocol).length > 0)
      .map((source) => [source, source.place(builder)] as const),
  );
  for (const source of contextSources) recallCase(builder, source, placed);
  sendInline(
    builder,
    [...placed].map(([{ protocol }, placements]) => ({ protocol, placements })),
  );
  const { rows, inline } = builder.rows('responses');
  const root = rows.find((row) => isAt(row, 'root'));
  const firstRoot = root?.given.root && { exchange: root.id, nonce: root.given.root.nonce };
  branchCase(builder, { controls: inline, firstRoot, firstBranch: branchOf(rows, root) });
  carriedInstructionsCase(builder, unstreamedSystem(builder));
  assistantRoleCase(builder);
}

/** What a source of context asks. */
interface Asked {
  readonly protocol: TextProtocol;
  readonly placements: readonly NoncePlacement[];
}

/** Plans the questions with the nonce in them, sent where one is refused or its nonce lost: what models do by themselves. */
function sendInline(builder: CaseBuilder, asked: readonly Asked[]): void {
  for (const protocol of textProtocols) {
    const first = asked
      .filter((source) => source.protocol === protocol)
      .flatMap(({ placements }) => placements.flatMap(({ probes }) => probes.slice(0, 1)));
    const inRows = builder
      .rows(protocol)
      .rows.flatMap(({ questions }) => questions.map((each) => each.attempts[0]));
    sendEach(builder, protocol, [...first, ...inRows]);
  }
}

function sendEach(builder: CaseBuilder, protocol: TextProtocol, questions: readonly NonceQuestion[]): void {
  const any = questions.map(({ exchange, nonce }) => ({ exchange, nonce }));
  let before: NonceQuestion | undefined;
  for (const [at, asked] of builder.rows(protocol).inline.entries()) {
    const wording = wordings[at];
    if (wording === undefined) break;
    const again = before ? [notRecalled(before)] : [];
    builder.send(asked.exchange, protocol, {
      json: asking(protocol, `${wording.statement(asked.nonce)} ${wording.question}`),
      billed: 0,
      when: [builder.served(protocol), { kind: 'unrecalled', any }, ...again],
    });
    before = asked;
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

const elsewhere = (placed: Placed): Recall['elsewhere'] =>
  [...placed].flatMap(([{ protocol }, placements]) =>
    placements.map(({ where, probes, controls = [] }) => ({ protocol, where, probes, controls })),
  );

function recallCase(builder: CaseBuilder, source: ContextSource, placed: Placed): void {
  const { protocol, slug, description, compared } = source;
  builder.addOne({
    id: `context.${protocol}.${slug}`,
    title: `${protocol} ${description}`,
    requirement: `${protocol}.context.${slug}`,
    needs: protocol,
    check: () => ({
      kind: 'recall',
      protocol,
      placements: placed.get(source) ?? [],
      controls: builder.rows(protocol).inline,
      plainRequest: builder.control(protocol),
      elsewhere: elsewhere(placed),
      ...(compared
        ? { compared: { source: compared, requests: wordRequests(builder, protocol, compared) } }
        : {}),
    }),
  });
}

/** Of the roles of Messages only `user` is shown (4.2). */
function assistantRoleCase(builder: CaseBuilder): void {
  const subject = 'messages given a turn of role assistant';
  builder.addOne({
    id: 'context.messages.assistant-role',
    title: subject,
    requirement: 'messages.param.messages.unknown-role',
    needs: 'messages',
    check: () => ({
      kind: 'observe',
      subject,
      aspect: 'answer-or-refusal',
      protocol: 'messages',
      probes: builder
        .rows('messages')
        .rows.filter((row) => has(row, 'history'))
        .map(({ id }) => id),
    }),
  });
}
