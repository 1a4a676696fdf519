import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { NonceQuestion } from '../../types/checks/context.ts';
import { type AttemptOptions, attempts, type NonEmpty, type Wording } from '../builder/attempts.ts';
import { type Body, plain, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { attemptId, contextId } from '../../types/request-ids.ts';
import { inputElement, inputShapes } from '../observations/observations.ts';

/** Two messages of the user as `input`, in each shape of its elements: none is shown, so that any may be refused. */
export function inputForms(builder: CaseBuilder, ofRows: readonly NonceQuestion[]) {
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
    const id = `${contextId(protocol, 'input')}.${shape}`;
    forms.push(ask(builder, { protocol, id, body: bodyWith(shape) }, { controls, when }));
  }
  return forms;
}

const greeting = turn('user', 'Hi');

const usersOnly: NonceBody = (nonce, { statement, question }) => ({
  ...plain.messages,
  messages: [greeting, turn('user', statement(nonce)), greeting, greeting, greeting, turn('user', question)],
});

/** In place of a history that is refused for its turns of the assistant, and not for its words. */
export function userTurnsOnly(
  builder: CaseBuilder,
  [refused]: NonEmpty<NonceQuestion>,
  controls: readonly NonceQuestion[],
): readonly NonceQuestion[] {
  const [control] = controls;
  const answered = control ? [{ kind: 'answered', any: [control.exchange] } as const] : [];
  const when = [{ kind: 'refused', exchange: refused.exchange } as const, ...answered];
  const question = { protocol: 'messages', id: contextId('messages', 'users'), body: usersOnly } as const;
  return ask(builder, question, { controls, when });
}

type NonceBody = (nonce: string, wording: Wording) => Body;

/** A question to be asked, in up to as many attempts as there are wordings. */
interface QuestionToAsk {
  readonly protocol: TextProtocol;
  /** Id of its requests, without the number of the attempt. */
  readonly id: string;
  readonly body: NonceBody;
}

const ask = (builder: CaseBuilder, { protocol, id, body }: QuestionToAsk, options: AttemptOptions = {}) =>
  attempts(
    builder,
    protocol,
    ({ wording, nonce, number, overrides }) => ({
      exchange: builder.send(attemptId(id, number), protocol, { json: body(nonce, wording), ...overrides }),
      nonce,
      topic: wording.topic,
      question: wording.question,
    }),
    options,
  );
