import type { TextProtocol } from '../../spec/vocabulary.ts';
import { hello, longBody, plain, turn } from '../plan/bodies.ts';
import type { Kit } from '../plan/kit.ts';
import { takenInStream } from './in-streams.ts';

/** Two limits: a model that can't stop after one token still may after sixteen. */
const most = 16;
const limits = [1, most] as const;

/** `max_tokens` bounds the output (4.2, 4.3). */
export function limitCase(kit: Kit, protocol: TextProtocol): void {
  takenInStream(kit, protocol, 'max-tokens', () => ({
    probe: limitedStream(kit, protocol),
    elsewhere: [kit.limited(protocol, most)],
  }));
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

/** A gateway may lose the limit on the way to a stream only. */
const limitedStream = (kit: Kit, protocol: TextProtocol): string =>
  kit.send(`${protocol}.limit.${most}.stream`, protocol, {
    turned: true,
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
