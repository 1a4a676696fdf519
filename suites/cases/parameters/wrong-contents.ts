import { type Body, hello, plain, turn, user } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { wrongContentId } from '../builder/request-ids.ts';
import { refusedCase } from './refused-request.ts';

/** A chat request with a message whose content is no string, and is neither a list nor null. */
interface WrongContent {
  readonly slug: string;
  /** Behind "a message whose content is". */
  readonly description: string;
  readonly change: Body;
}

const part = { type: 'text', text: hello } as const;

const wrongContents: readonly WrongContent[] = [
  { slug: 'number', description: 'a number', change: { messages: user(42) } },
  { slug: 'boolean', description: 'a boolean', change: { messages: user(true) } },
  { slug: 'object', description: 'an object', change: { messages: user(part) } },
  {
    slug: 'earlier',
    description: 'a number, before other messages',
    change: { messages: [turn('user', 42), turn('assistant', 'hello'), turn('user', hello)] },
  },
  {
    slug: 'assistant',
    description: 'a number, in a turn of the assistant',
    change: { messages: [turn('user', hello), turn('assistant', 42), turn('user', hello)] },
  },
  {
    slug: 'system',
    description: 'a number, in a turn of the system',
    change: { messages: [turn('system', 42), turn('user', hello)] },
  },
  {
    slug: 'streamed',
    description: 'a number, where a stream is asked for',
    change: { messages: user(42), stream: true },
  },
];

/** The content of a chat message is a string (4.3); what is done with a list or null is observed. */
export function wrongContentCases(builder: CaseBuilder): void {
  for (const { slug, description, change } of wrongContents) {
    refusedCase(builder, 'chat', {
      caseId: `messages.content.type.${slug}`,
      title: `a message whose content is ${description}`,
      requirement: 'chat.param.messages.content.type',
      requestId: wrongContentId(slug),
      overrides: { json: { ...plain.chat, ...change } },
      ...('stream' in change
        ? { controls: () => [builder.streamed('chat')], controlMayBeRefused: true as const }
        : {}),
      reason: '`content` of a message is a string',
    });
  }
}
