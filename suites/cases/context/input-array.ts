import type { NoncePlacement } from '../../checks/recall.ts';
import type { Template } from '../../model/plan.ts';
import { plain, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { PlannedRow } from '../combinations/row-requests.ts';
import { lastOf } from '../builder/non-empty.ts';
import { contextId } from '../builder/request-ids.ts';
import { codeName } from '../builder/wordings.ts';
import { ask, type NonceBody } from './nonce-questions.ts';

/** Two messages of the user as `input`; the shape of its elements is not shown, so that any may be refused. */
export function inputArray(builder: CaseBuilder, rows: readonly PlannedRow[]): NoncePlacement {
  const protocol = 'responses';
  const { inline: controls } = builder.rows(protocol);
  const insteadOf = rows.map(({ id: row }) => row);
  const id = contextId(protocol, 'input');
  const bodyWith =
    (element: (text: string) => Template): NonceBody =>
    (nonce, { statement, question }) => ({
      ...plain.responses,
      input: [element(statement(nonce)), element(question)],
    });
  const probes = ask(
    builder,
    { protocol, id, body: bodyWith((text) => turn('user', text)) },
    { controls, when: [{ kind: 'unanswered', all: insteadOf }] },
  );
  const { exchange, nonce } = lastOf(probes);
  const typed = bodyWith((text) => ({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text }],
  }));
  const when = [{ kind: 'not-recalled', exchange, nonce, control: exchange } as const];
  const alternativeProbes = ask(
    builder,
    { protocol, id: contextId(protocol, 'input.typed'), body: typed },
    { wordings: [codeName], controls, when },
  );
  return {
    where: 'in the first of two elements of input',
    probes,
    alternativeProbes,
    mayBeRefused: true,
    insteadOf,
  };
}
