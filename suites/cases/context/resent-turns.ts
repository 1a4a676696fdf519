import type { NoncePlacement } from '../../checks/recall.ts';
import type { NonceQuestion } from '../../checks/shared/nonces.ts';
import type { Template } from '../../model/plan.ts';
import { plain, shortInstruction, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { NonEmpty } from '../builder/non-empty.ts';
import { attemptId, contextId, parameterValueId, roleId } from '../builder/request-ids.ts';
import { inputElement, inputShapes } from '../observations/input-shapes.ts';
import { ask, type NonceBody, type Wording } from './nonce-questions.ts';
import { askWithAndWithoutStream, type BothWays } from './recall-in-streams.ts';

type ResendingProtocol = 'messages' | 'chat';

/** Turns in which neither the first ones alone hold the nonce, nor the last five. */
type History = (nonce: string, wording: Wording) => readonly Template[];

const greeting = turn('user', 'Hi');
export const greetings = [greeting, turn('assistant', 'Hi')];
/** Short all the same: how much a model takes is not shown (8.4). */
const between = [...greetings, ...greetings];

const statedByUser: History = (nonce, { statement, question }) => [
  ...greetings,
  turn('user', statement(nonce)),
  turn('assistant', 'OK.'),
  ...between,
  turn('user', question),
];

const statedByAssistant: History = (nonce, { topic, statement, question }) => [
  turn('user', `Pick a ${topic} and tell me.`),
  turn('assistant', statement(nonce)),
  ...between,
  turn('user', question),
];

const usersOnly: History = (nonce, { statement, question }) => [
  greeting,
  turn('user', statement(nonce)),
  greeting,
  greeting,
  greeting,
  turn('user', question),
];

const resend =
  (protocol: ResendingProtocol, history: History): NonceBody =>
  (nonce, wording) => ({
    ...plain[protocol],
    messages: history(nonce, wording),
  });

/** The same with a system prompt that says nothing of it: a gateway may lose one for the other. */
const withSystemPrompt: Readonly<Record<ResendingProtocol, NonceBody>> = {
  messages: (nonce, wording) => ({
    ...resend('messages', statedByUser)(nonce, wording),
    system: shortInstruction,
    temperature: 1,
  }),
  chat: (nonce, wording) => ({
    ...plain.chat,
    messages: [turn('system', shortInstruction), ...statedByUser(nonce, wording)],
    temperature: 1,
  }),
};

/** A request that has a system prompt and no history. */
const systemPromptAlone: Readonly<Record<ResendingProtocol, string>> = {
  messages: parameterValueId('messages', 'system', 'sample'),
  chat: roleId('system'),
};

/** The nonce stands in a turn of the user, among turns of the assistant; in the stream there is a system prompt, too. */
export const userTurns = (
  builder: CaseBuilder,
  protocol: ResendingProtocol,
  controls: readonly NonceQuestion[],
): BothWays =>
  askWithAndWithoutStream(
    builder,
    {
      protocol,
      where: 'in an earlier turn of the user',
      id: contextId(protocol, 'history'),
      body: resend(protocol, statedByUser),
      streamDifference: {
        body: withSystemPrompt[protocol],
        addition: ' with a system prompt',
        parts: [parameterValueId(protocol, 'temperature', '1'), systemPromptAlone[protocol]],
      },
    },
    { controls },
  );

/** The question whose nonce stands in a turn of the assistant. */
const assistantTurnId = (protocol: ResendingProtocol): string => contextId(protocol, 'assistant');

/** Its first attempt. */
export const firstAssistantTurnId = (protocol: ResendingProtocol): string =>
  attemptId(assistantTurnId(protocol), 1);

export const assistantTurn = (
  builder: CaseBuilder,
  protocol: ResendingProtocol,
  controls: readonly NonceQuestion[],
): NoncePlacement => ({
  where: 'in an earlier turn of the assistant',
  probes: ask(
    builder,
    { protocol, id: assistantTurnId(protocol), body: resend(protocol, statedByAssistant) },
    { controls },
  ),
});

/** In place of a history that is refused for its turns of the assistant, and not for its words. */
export const userTurnsOnly = (
  builder: CaseBuilder,
  [refused]: NonEmpty<NonceQuestion>,
  controls: NonEmpty<NonceQuestion>,
): readonly NonceQuestion[] =>
  ask(
    builder,
    { protocol: 'messages', id: contextId('messages', 'users'), body: resend('messages', usersOnly) },
    {
      controls,
      when: [
        { kind: 'refused', exchange: refused.exchange },
        { kind: 'answered', any: [controls[0].exchange] },
      ],
    },
  );

/** Two messages of the user as `input`, in each shape of its elements; none is shown, so that any may be refused. */
export function inputArray(builder: CaseBuilder, controls: readonly NonceQuestion[]): NoncePlacement {
  const protocol = 'responses';
  const id = contextId(protocol, 'input');
  const [short, ...others] = inputShapes;
  const bodyWith =
    (shape: (typeof inputShapes)[number]): NonceBody =>
    (nonce, { statement, question }) => ({
      ...plain.responses,
      input: [inputElement[shape](statement(nonce)), inputElement[shape](question)],
    });
  const probes = ask(builder, { protocol, id, body: bodyWith(short) }, { controls });
  const otherForms: (readonly NonceQuestion[])[] = [];
  for (const shape of others) {
    const questions = [probes, ...otherForms].flat().map(({ exchange, nonce }) => ({ exchange, nonce }));
    const when = [{ kind: 'nowhere-recalled', questions } as const];
    const form = { protocol, id: `${id}.${shape}`, body: bodyWith(shape) } as const;
    otherForms.push(ask(builder, form, { controls, when }));
  }
  return { where: 'in the first of two elements of input', probes, otherForms, mayBeRefused: true };
}
