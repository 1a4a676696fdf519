import { type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { drawn, validOf } from '../combinations/explored-rows.ts';
import type { PlannedRow } from '../combinations/row-requests.ts';
import { situationIn } from '../combinations/situations.ts';
import { refusedInSituation } from '../probes/refused-cases.ts';

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

/** Behind each explored combination the same with one thing wrong, as many as are asked for. */
export function exploredRefusals(builder: CaseBuilder): void {
  const { explore = 0 } = builder.depth;
  const explored = textProtocols.flatMap((protocol) =>
    builder.explored(protocol).map((row) => ({ protocol, row })),
  );
  const wrong = explore - validOf(explore);
  for (const { protocol, row } of explored.slice(0, wrong)) wrongCase(builder, protocol, row);
}
