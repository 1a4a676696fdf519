import { protocols, type TextProtocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { limitedRows } from '../combinations/rows-showing.ts';
import { lowLimit } from '../combinations/text-row.ts';
import { probeCases } from '../probes/probe-cases.ts';
import { exploredRefusals } from './explored-refusals.ts';

/** Every parameter of every endpoint, and every body (4.1 to 4.4, 8): spec/probes/parameters.yaml. */
export function parameterCases(builder: CaseBuilder): void {
  for (const protocol of protocols) probeCases(builder, 'parameters', protocol);
  limitCase(builder, 'messages');
  limitCase(builder, 'chat');
  exploredRefusals(builder);
}

/** `max_tokens` bounds the output (4.2, 4.3): a gateway may lose the limit on the way to a stream only. */
function limitCase(builder: CaseBuilder, protocol: TextProtocol): void {
  const requirement = `${protocol}.param.max-tokens.limit`;
  builder.add(
    {
      suite: 'parameters',
      id: `parameters.${protocol}.max-tokens.limit`,
      title: `${protocol} keeps the output within max_tokens`,
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'token-limit',
      requirement,
      protocol,
      probes: limitedRows(builder, protocol).map((row) => ({
        exchange: row.id,
        limit: lowLimit(protocol, row),
      })),
      control: builder.long(protocol),
    }),
  );
}
