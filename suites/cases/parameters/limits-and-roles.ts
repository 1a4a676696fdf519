import type { TextProtocol } from '../../../spec/vocabulary.ts';
import { hello, plain, shortInstruction, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { roleId } from '../builder/request-ids.ts';
import { limitedRows } from '../combinations/rows-showing.ts';
import { lowLimit } from '../combinations/text-row.ts';
import { rowsWhere } from '../combinations/rows-showing.ts';

/** `max_tokens` bounds the output (4.2, 4.3): a gateway may lose the limit on the way to a stream only. */
export function limitCase(builder: CaseBuilder, protocol: TextProtocol): void {
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
      probes: limitedRows(builder, protocol).map(({ id }) => ({ exchange: id, limit: lowLimit })),
      control: builder.long(protocol),
      shortPrompt: builder.control(protocol),
    }),
  );
}

const turnsOfRole = {
  system: [turn('system', shortInstruction), turn('user', hello)],
  assistant: [turn('user', hello), turn('assistant', 'hello'), turn('user', hello)],
} as const;

const rowsWithRole = (builder: CaseBuilder, role: keyof typeof turnsOfRole): readonly string[] =>
  rowsWhere(builder, 'chat', ({ factor }) => factor === (role === 'system' ? 'system' : 'history'));

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
        combinations: rowsWithRole(builder, role),
        probe: builder.send(roleId(role), 'chat', {
          json: { ...plain.chat, messages: turnsOfRole[role] },
          billed: 0,
          standsFor: rowsWithRole(builder, role),
        }),
        controls: [builder.control('chat')],
      }),
    );
  }
}
