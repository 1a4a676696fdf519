import type { TextProtocol } from '../../spec/vocabulary.ts';
import { hello, type Kit, longBody, plain, turn } from '../plan/kit.ts';

/** Two limits: a model that can't stop after one token still may after sixteen. */
const most = 16;
const limits = [1, most] as const;

/** `max_tokens` bounds the output (4.2, 4.3). */
export function limitCase(kit: Kit, protocol: TextProtocol): void {
  limitTaken(kit, protocol);
  const requirement = `${protocol}.param.max-tokens.limit`;
  kit.add(
    {
      id: `parameters.${protocol}.max-tokens.limit`,
      title: `${protocol} keeps the output within max_tokens`,
      suite: 'parameters',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'token-limit',
      requirement,
      protocol,
      probes: [
        ...limits.map((limit) => ({ exchange: kit.limited(protocol, limit), limit })),
        { exchange: limitedStream(kit, protocol), limit: most },
      ],
      control: kit.long(protocol),
      plain: kit.control(protocol),
    }),
  );
}

/** A valid value is taken in a stream, too. */
function limitTaken(kit: Kit, protocol: TextProtocol): void {
  const requirement = `${protocol}.param.stream.accepted`;
  kit.add(
    {
      id: `streams.${protocol}.accepted.max-tokens`,
      title: `${protocol} takes stream = true with a limit`,
      suite: 'streams',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'accepted',
      requirement,
      probe: limitedStream(kit, protocol),
      controls: kit.streams(protocol),
      after: kit.after(protocol),
      elsewhere: [kit.limited(protocol, most)],
    }),
  );
}

/** A gateway may lose the limit on the way to a stream only. */
const limitedStream = (kit: Kit, protocol: TextProtocol): string =>
  kit.send(`${protocol}.limit.${most}.stream`, protocol, {
    ...kit.turned(protocol),
    when: [kit.served(protocol)],
    json: { ...longBody(protocol, kit.data.longText), max_tokens: most, stream: true },
  });

/** The roles that the document lists for chat (4.3). */
export function roleCases(kit: Kit): void {
  const turns = {
    system: [turn('system', 'Be brief.'), turn('user', hello)],
    assistant: [turn('user', hello), turn('assistant', 'hello'), turn('user', hello)],
  };
  const requirement = 'chat.param.messages.accepted';
  for (const [role, messages] of Object.entries(turns)) {
    kit.add(
      {
        id: `parameters.chat.messages.accepted.${role}`,
        title: `chat takes a message of role ${role}`,
        suite: 'parameters',
        requirements: [requirement],
      },
      'chat',
      () => ({
        kind: 'accepted',
        requirement,
        probe: kit.send(`chat.messages.${role}`, 'chat', { json: { ...plain.chat, messages } }),
        controls: [kit.control('chat')],
      }),
    );
  }
}
