import { type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { NoncePlacement } from '../../types/checks/context.ts';
import type { NonceQuestion } from '../../types/checks/context.ts';
import { notRecalled } from '../builder/attempts.ts';
import { asking } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { wordings } from '../builder/question-words.ts';

/** What a source of context asks. */
interface Asked {
  readonly protocol: TextProtocol;
  readonly placements: readonly NoncePlacement[];
}

/**
 * Plans the questions with the nonce in them, which tell what a model does of its own accord: sent where a question is
 * refused, or its nonce does not come back.
 */
export function sendInline(builder: CaseBuilder, asked: readonly Asked[]): void {
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
