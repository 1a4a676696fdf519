import type { ChatCompletion } from '../types/checks/replies.ts';
import { isObject } from '../../spec/json.ts';
import type { Outcome } from '../types/finding.ts';
import { valueAt } from '../reading/json.ts';
import type { CheckDefinition } from './check-definition.ts';
import { documentOf, type EvidenceView, type State } from './evidence-view.ts';
import { describeState } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';

/**
 * The reply of an image model on chat is a chat completion (4.5), and the image comes inside its content
 * (2.6), which is then not blank; its fields are judged with all others.
 */
export const chatCompletion: CheckDefinition<ChatCompletion> = {
  kind: 'chat-completion',
  explanation: 'Reads the reply of the image model on chat as a chat completion whose content is not blank.',
  reads: ({ probe, again }) => [probe, ...again],
  judge,
};

function judge({ probe, again }: ChatCompletion, view: EvidenceView): Outcome {
  const state = view.state(probe);
  const actual = describeState(state);
  if (state.kind !== 'answered') return inconclusive('nothing-answered', actual);
  const others = again.map((id) => view.state(id)).filter(({ kind }) => kind === 'answered');
  if ([state, ...others].every(isBlank))
    return fail('image-missing-in-chat', actual, { pointer: '/choices/0/message/content' });
  if (state.reading.kind === 'stream') return inconclusive('stream-in-place-of-result', actual);
  const json = documentOf(state);
  const isChat = isObject(json) && (json.object === 'chat.completion' || Array.isArray(json.choices));
  return isChat ? pass() : fail('not-a-chat-completion', actual);
}

/** The content of the first choice is a string with nothing in it; one that is no string is judged with the fields. */
function isBlank(state: State): boolean {
  const content = valueAt(documentOf(state), '/choices/0/message/content');
  return typeof content === 'string' && content.trim() === '';
}
