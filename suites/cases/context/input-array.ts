import type { NonceQuestion } from '../../types/checks/context.ts';
import { plain } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { contextId } from '../../types/request-ids.ts';
import { inputElement, inputShapes } from '../observations/input-shapes.ts';
import { ask, type NonceBody } from './nonce-questions.ts';

/**
 * Two messages of the user as `input`, in each shape of its elements, where no row recalls: none is shown, so that any
 * may be refused.
 */
export function inputForms(
  builder: CaseBuilder,
  ofRows: readonly NonceQuestion[],
): readonly (readonly NonceQuestion[])[] {
  const protocol = 'responses';
  const { inline: controls } = builder.rows(protocol);
  const bodyWith =
    (shape: (typeof inputShapes)[number]): NonceBody =>
    (nonce, { statement, question }) => ({
      ...plain.responses,
      input: [inputElement[shape](statement(nonce)), inputElement[shape](question)],
    });
  const forms: (readonly NonceQuestion[])[] = [];
  for (const shape of inputShapes) {
    const questions = [...ofRows, ...forms.flat()].map(({ exchange, nonce }) => ({ exchange, nonce }));
    const when = [{ kind: 'nowhere-recalled', questions } as const];
    const form = { protocol, id: `${contextId(protocol, 'input')}.${shape}`, body: bodyWith(shape) } as const;
    forms.push(ask(builder, form, { controls, when }));
  }
  return forms;
}
