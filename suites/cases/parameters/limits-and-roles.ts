import type { TextProtocol } from '../../../spec/vocabulary.ts';
import { hello, longBody, plain, shortInstruction, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { limitStreamId, roleId } from '../builder/request-ids.ts';
import { acceptedStreamCase } from '../streams/accepted-stream.ts';

/** Two limits: a model that can't stop after one token still may after sixteen. */
const most = 16;
const limits = [1, most] as const;

/** `max_tokens` bounds the output (4.2, 4.3). */
export function limitCase(builder: CaseBuilder, protocol: TextProtocol): void {
  acceptedStreamCase(builder, protocol, 'max-tokens', () => ({
    probe: limitedStream(builder, protocol),
    parts: [builder.limited(protocol, most)],
  }));
  const requirement = `${protocol}.param.max-tokens.limit`;
  builder.add(
    {
      id: `parameters.${protocol}.max-tokens.limit`,
      title: `${protocol} keeps the output within max_tokens`,
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'token-limit',
      requirement,
      protocol,
      probes: [
        ...limits.map((limit) => ({ exchange: builder.limited(protocol, limit), limit })),
        { exchange: limitedStream(builder, protocol), limit: most },
      ],
      control: builder.long(protocol),
      shortPrompt: builder.control(protocol),
    }),
  );
}

/** A gateway may lose the limit on the way to a stream only. */
const limitedStream = (builder: CaseBuilder, protocol: TextProtocol): string =>
  builder.send(limitStreamId(protocol, most), protocol, {
    secondFamilyFirst: true,
    json: { ...longBody(protocol, builder.data.longText), max_tokens: most, stream: true },
  });

const turnsOfRole = {
  system: [turn('system', shortInstruction), turn('user', hello)],
  assistant: [turn('user', hello), turn('assistant', 'hello'), turn('user', hello)],
} as const;

/** The roles that the document lists for chat (4.3). */
export function roleCases(builder: CaseBuilder): void {
  const requirement = 'chat.param.messages.accepted';
  for (const role of ['system', 'assistant'] as const) {
    builder.add(
      {
        id: `parameters.chat.messages.accepted.${role}`,
        title: `chat accepts a message of role ${role}`,
        requirements: [requirement],
      },
      'chat',
      () => ({
        kind: 'accepted',
        requirement,
        probe: builder.send(roleId(role), 'chat', { json: { ...plain.chat, messages: turnsOfRole[role] } }),
        controls: [builder.control('chat')],
      }),
    );
  }
}
