import type { Asked, Place } from '../model/case.ts';
import type { Template } from '../model/plan.ts';
import { type Kit, plain, turn } from '../plan/kit.ts';
import { ask, type Body, type Wording } from './asking.ts';
import { askBothWays } from './in-streams.ts';

type Resending = 'messages' | 'chat';

/** A history of which neither the first turns alone tell anything, nor the last ones. */
type History = (nonce: string, wording: Wording) => readonly Template[];

const small = [turn('user', 'Reply with the word OK.'), turn('assistant', 'OK')];

const toldByUser: History = (nonce, { told, question }) => [
  ...small,
  turn('user', told(nonce)),
  turn('assistant', 'Noted.'),
  turn('user', question),
];

const toldByAssistant: History = (nonce, { topic, told, question }) => [
  turn('user', `Pick a ${topic} and tell me.`),
  turn('assistant', told(nonce)),
  ...small,
  turn('user', question),
];

const usersOnly: History = (nonce, { told, question }) => [
  turn('user', 'Reply with the word OK.'),
  turn('user', told(nonce)),
  turn('user', question),
];

const resend =
  (protocol: Resending, history: History): Body =>
  (nonce, wording) => ({
    ...plain[protocol],
    messages: history(nonce, wording),
  });

/** The nonce stands in a turn of the user, among turns of the assistant; the second time in a stream. */
export const userTurns = (
  kit: Kit,
  protocol: Resending,
  controls: readonly Asked[],
): readonly [Place, Place] =>
  askBothWays(
    kit,
    protocol,
    'in an earlier turn of the user',
    `${protocol}.context.history`,
    resend(protocol, toldByUser),
    { controls },
  );

/** The nonce stands in a turn of the assistant. */
export const assistantTurn = (kit: Kit, protocol: Resending, controls: readonly Asked[]): Place => ({
  where: 'in an earlier turn of the assistant',
  probes: ask(kit, protocol, `${protocol}.context.assistant`, resend(protocol, toldByAssistant), {
    controls,
  }),
});

/** In place of a history that is refused for its turns of the assistant, and not for its words. */
export const userTurnsOnly = (kit: Kit, { probes }: Place, controls: readonly Asked[]): readonly Asked[] =>
  ask(kit, 'messages', 'messages.context.users', resend('messages', usersOnly), {
    controls,
    when: [
      { kind: 'refused', exchange: probes[0]?.exchange ?? '' },
      { kind: 'answered', any: controls[0] ? [controls[0].exchange] : [] },
    ],
  });
