import type { NonceQuestion } from '../../types/checks/context.ts';
import { plain, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { NonEmpty } from '../builder/non-empty.ts';
import { contextId } from '../../types/request-ids.ts';
import { ask, type NonceBody } from './nonce-questions.ts';

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
  return ask(
    builder,
    { protocol: 'messages', id: contextId('messages', 'users'), body: usersOnly },
    {
      controls,
      when: [
        { kind: 'refused', exchange: refused.exchange },
        ...(control ? [{ kind: 'answered', any: [control.exchange] } as const] : []),
      ],
    },
  );
}
