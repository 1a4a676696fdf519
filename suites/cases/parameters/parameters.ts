import { protocols, type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { limitedRows, situationIn } from '../combinations/situations.ts';
import { lowLimit } from '../combinations/text-rows.ts';
import { probeCases } from '../probes/probe-cases.ts';
import { drawn, type PlannedRow, validOf } from '../combinations/row-requests.ts';
import { refusedInSituation } from '../probes/refused-cases.ts';

/** Every parameter of every endpoint, and every body (4.1 to 4.4, 8): spec/probes/parameters.yaml. */
export function parameterCases(builder: CaseBuilder): void {
  for (const protocol of protocols) probeCases(builder, 'parameters', protocol);
  limitCase(builder, 'messages');
  limitCase(builder, 'chat');
  // Behind each explored combination the same with one thing wrong, as many as are asked for.
  const { explore = 0 } = builder.depth;
  const explored = textProtocols.flatMap((protocol) =>
    builder.explored(protocol).map((row) => [protocol, row] as const),
  );
  for (const [protocol, row] of explored.slice(0, explore - validOf(explore)))
    wrongCase(builder, protocol, row);
}

/** `max_tokens` bounds the output (4.2, 4.3): a gateway may lose the limit on the way to a stream only. */
function limitCase(builder: CaseBuilder, protocol: TextProtocol): void {
  const asked = () =>
    limitedRows(builder, protocol).map((row) => ({ exchange: row.id, limit: lowLimit(protocol, row) }));
  builder.add({
    id: `parameters.${protocol}.max-tokens.limit`,
    title: `${protocol} keeps the output within max_tokens`,
    requirement: `${protocol}.param.max-tokens.limit`,
    check: () => ({ kind: 'token-limit', protocol, probes: asked(), control: builder.long(protocol) }),
  });
}

/** The combination with one thing wrong in it, of which it is the control. */
function wrongCase(builder: CaseBuilder, protocol: TextProtocol, row: PlannedRow): void {
  const possible = builder
    .asked('parameters', protocol)
    .flat()
    // A value that has a plainer one shows no more than that.
    .filter(({ situations, plainer }) => situations !== undefined && plainer === undefined)
    .flatMap((asked) => {
      const situation = situationIn(builder, row, asked.parameter.name);
      return situation ? [{ asked, situation }] : [];
    });
  const at = Number.parseInt(drawn(builder.seed, `wrong ${row.id}`).slice(0, 8), 16) % possible.length;
  const chosen = possible[at];
  if (chosen) refusedInSituation(builder, chosen.asked, chosen.situation);
}
