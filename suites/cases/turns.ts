import type { NoncePlacement } from '../checks/recall.ts';
import type { NonceQuestion } from '../checks/shared/nonces.ts';
import type { Template } from '../model/plan.ts';
import { plain, turn } from './builder/bodies.ts';
import type { CaseBuilder } from './builder/case-builder.ts';
import { ask, type Body, brief, codeName, type Wording } from './asking.ts';
import { askBothWays } from './in-streams.ts';

type Resending = 'messages' | 'chat';

/** A history of which neither the first turns alone tell anything, nor the last five. */
type History = (nonce: string, wording: Wording) => readonly Template[];

const hi = turn('user', 'Hi');
export const small = [hi, turn('assistant', 'Hi')];
/** Short all the same: how much a model takes is not shown (8.4). */
const between = [...small, ...small];

const toldByUser: History = (nonce, { told, question }) => [
  ...small,
  turn('user', told(nonce)),
  turn('assistant', 'OK.'),
  ...between,
  turn('user', question),
];

const toldByAssistant: History = (nonce, { topic, told, question }) => [
  turn('user', `Pick a ${topic} and tell me.`),
  turn('assistant', told(nonce)),
  ...between,
  turn('user', question),
];

const usersOnly: History = (nonce, { told, question }) => [
  hi,
  turn('user', told(nonce)),
  hi,
  hi,
  hi,
  turn('user', question),
];

const resend =
  (protocol: Resending, history: History): Body =>
  (nonce, wording) => ({
    ...plain[protocol],
    messages: history(nonce, wording),
  });

/** The same beside a system prompt that says nothing of it: a gateway may lose one for the other. */
const besideSystem: Readonly<Record<Resending, Body>> = {
  messages: (...told) => ({ ...resend('messages', toldByUser)(...told), system: brief, temperature: 1 }),
  chat: (...told) => ({
    ...plain.chat,
    messages: [turn('system', brief), ...toldByUser(...told)],
    temperature: 1,
  }),
};

/** Where a system prompt is given by itself. */
const systemAlone = { messages: 'messages.system.sample', chat: 'chat.messages.system' } as const;

/**
 * The nonce stands in a turn of the user, among turns of the assistant; the second time in a stream, beside a
 * system prompt.
 */
export const userTurns = (
  builder: CaseBuilder,
  protocol: Resending,
  controls: readonly NonceQuestion[],
): readonly [NoncePlacement, NoncePlacement] =>
  askBothWays(
    builder,
    protocol,
    'in an earlier turn of the user',
    `${protocol}.context.history`,
    resend(protocol, toldByUser),
    { controls },
    {
      body: besideSystem[protocol],
      beside: ' beside a system prompt',
      alone: [`${protocol}.temperature.1`, systemAlone[protocol]],
    },
  );

/** The nonce stands in a turn of the assistant. */
export const assistantTurn = (
  builder: CaseBuilder,
  protocol: Resending,
  controls: readonly NonceQuestion[],
): NoncePlacement => ({
  where: 'in an earlier turn of the assistant',
  probes: ask(builder, protocol, `${protocol}.context.assistant`, resend(protocol, toldByAssistant), {
    controls,
  }),
});

/** In place of a history that is refused for its turns of the assistant, and not for its words. */
export const userTurnsOnly = (
  builder: CaseBuilder,
  { probes }: NoncePlacement,
  controls: readonly NonceQuestion[],
): readonly NonceQuestion[] =>
  ask(builder, 'messages', 'messages.context.users', resend('messages', usersOnly), {
    controls,
    when: [
      { kind: 'refused', exchange: probes[0]?.exchange ?? '' },
      { kind: 'answered', any: controls[0] ? [controls[0].exchange] : [] },
    ],
  });

/** Two messages of the user as `input`; the shape of its elements is not shown, so that any may be refused. */
export function inputArray(builder: CaseBuilder, controls: readonly NonceQuestion[]): NoncePlacement {
  const id = 'responses.context.input';
  const told =
    (element: (text: string) => Template): Body =>
    (nonce, wording) => ({
      ...plain.responses,
      input: [element(wording.told(nonce)), element(wording.question)],
    });
  const probes = ask(
    builder,
    'responses',
    id,
    told((text) => turn('user', text)),
    { controls },
  );
  const { exchange = '', nonce = '' } = probes.at(-1) ?? {};
  const typed = told((text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }));
  const when = [{ kind: 'not-recalled', exchange, nonce, control: exchange } as const];
  const alternativeProbes = ask(builder, 'responses', `${id}.typed`, typed, {
    wordings: [codeName],
    controls,
    when,
  });
  return {
    where: 'in the first of two elements of input',
    probes,
    alternativeProbes,
    mayBeRefused: true,
  };
}
