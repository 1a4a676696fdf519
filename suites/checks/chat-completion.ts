import type { Finding } from '../model/finding.ts';
import type { CheckDefinition } from './definition.ts';
import type { EvidenceView, State } from './evidence-view.ts';
import { describeState } from './shared/describe.ts';
import { fail, inconclusive, oneFinding, pass } from './shared/findings.ts';

/** The reply of an image model on chat is a chat completion with something in its content. */
export interface ChatCompletion {
  readonly kind: 'chat-completion';
  readonly requirement: string;
  readonly probe: string;
  /** Asked for an image, too: one content that is not blank is enough. */
  readonly again: readonly string[];
}

/**
 * The reply of an image model on chat is a chat completion (4.5), and the image comes inside its content
 * (2.6), which is then not blank; its fields are judged with all others.
 */
export const chatCompletion: CheckDefinition<ChatCompletion> = {
  kind: 'chat-completion',
  explanation: 'Reads the reply of the image model on chat as a chat completion whose content is not blank.',
  reads: ({ probe, again }) => [probe, ...again],
  judge: (check, view) => oneFinding(judge(check, view)),
};

function judge({ requirement, probe, again }: ChatCompletion, view: EvidenceView): Finding {
  const state = view.state(probe);
  const actual = describeState(state);
  if (state.kind !== 'answered') return inconclusive(requirement, { kind: 'nothing-answered' }, { actual });
  const others = again.map((id) => view.state(id)).filter(({ kind }) => kind === 'answered');
  if ([state, ...others].every(isBlank)) {
    const pointer = '/choices/0/message/content';
    return fail(requirement, { reason: { kind: 'image-missing-in-chat' }, pointer, actual });
  }
  if (state.reading.kind === 'stream')
    return inconclusive(requirement, { kind: 'stream-in-place-of-result' }, { actual });
  const json = (state.reading.json ?? {}) as { object?: unknown; choices?: unknown };
  return json.object === 'chat.completion' || Array.isArray(json.choices)
    ? pass(requirement)
    : fail(requirement, { reason: { kind: 'not-a-chat-completion' }, actual });
}

/** The content of the first choice is a string with nothing in it; one that is no string is judged with the fields. */
const isBlank = (state: State): boolean => {
  const json = state.kind === 'answered' && state.reading.kind === 'result' ? state.reading.json : null;
  const content = (
    json as { choices?: readonly ({ message?: { content?: unknown } | null } | null)[] } | null
  )?.choices?.[0]?.message?.content;
  return typeof content === 'string' && content.trim() === '';
};
