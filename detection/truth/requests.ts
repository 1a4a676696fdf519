import { protocolFacts, shownVersion } from '../../spec/protocols.ts';
import type { Family, Group, Protocol } from '../../spec/vocabulary.ts';
import { type Console, tokensOf } from '../../fixtures/gateway/console.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Who asks, and what for: written out here, so that nothing of the suite's plan is in it. */
export interface Question {
  readonly protocol: Protocol;
  readonly family: Family;
  readonly group: Group;
  /** Members beyond those that are required; undefined leaves one out. */
  readonly more?: Fields;
  /** In place of the model of the family, and of the token of the group. */
  readonly model?: string;
  readonly token?: string;
  readonly text?: string;
}

const content = (text: string): Readonly<Record<Protocol, Fields>> => ({
  responses: { input: text },
  messages: { messages: [{ role: 'user', content: text }], max_tokens: 300 },
  chat: { messages: [{ role: 'user', content: text }] },
  images: { prompt: text },
});

/** The first model of a family; undefined where the catalogue has none. */
export const modelOf = (settings: Console, family: Family): string | undefined =>
  settings.models.find((model) => model.family === family)?.name;

const tokenOf = (settings: Console, group: Group): string =>
  tokensOf(settings).find((token) => token.group === group && token.requestsPerMinute === undefined)?.value ??
  '';

export function requestFor(question: Question, settings: Console) {
  const { protocol, family, group, more, text = 'Please say hello.' } = question;
  const token = question.token ?? tokenOf(settings, group);
  const credential: Record<string, string> =
    protocol === 'messages'
      ? { 'x-api-key': token, [settings.versionHeader.name]: shownVersion }
      : { authorization: `Bearer ${token}` };
  const model = question.model ?? modelOf(settings, family);
  return {
    path: protocolFacts[protocol].path,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...credential },
    body: JSON.stringify({ model, ...content(text)[protocol], ...more }),
  };
}

/** What must be served (2.2, 4, 5): by one of these groups, where the interface names none by all that there are. */
export const mustBeServed: readonly {
  readonly family: Family;
  readonly protocol: Protocol;
  readonly group: Group | 'any';
}[] = [
  { family: 'general', protocol: 'responses', group: 'any' },
  { family: 'general', protocol: 'chat', group: 'default' },
  { family: 'conversational', protocol: 'messages', group: 'third-party-client' },
  { family: 'multimodal', protocol: 'chat', group: 'default' },
  { family: 'image', protocol: 'images', group: 'any' },
  { family: 'chat-image', protocol: 'chat', group: 'default' },
];
