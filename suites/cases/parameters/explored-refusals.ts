import { type Parameter, parameters } from '../../../spec/openapi.ts';
import { type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { Body } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { WrongAspect } from '../builder/request-ids.ts';
import { drawn, validOf } from '../combinations/explored-rows.ts';
import type { PlannedRow } from '../combinations/row-requests.ts';
import { situationIn } from '../combinations/situations.ts';
import { type CaseNames, givenTo, namesOf, namesWithout, situationCases, without } from './refused-values.ts';
import type { Value } from './values.ts';
import { valuesOfWrongType } from './wrong-types.ts';
import { unknownModels, valuesNotAllowed, valuesOutside } from './wrong-values.ts';

/** One thing that can be wrong with a request. */
interface WrongThing {
  readonly parameter: string;
  readonly names: CaseNames;
  readonly change: (body: Body) => Body;
}

/** What can be wrong with a parameter. A value that has a plainer one shows no more than that. */
function wrongWith(
  builder: CaseBuilder,
  protocol: TextProtocol,
  parameter: Parameter,
): readonly WrongThing[] {
  const { name, required } = parameter;
  const thing =
    (aspect: WrongAspect) =>
    (value: Value): readonly WrongThing[] => {
      if (value.unless !== undefined) return [];
      const wrong = { protocol, parameter, aspect, value };
      return [{ parameter: name, names: namesOf(wrong), change: givenTo(wrong) }];
    };
  return [
    ...(required
      ? [{ parameter: name, names: namesWithout(protocol, parameter), change: without(name) }]
      : []),
    ...valuesOfWrongType(builder, parameter).flatMap(thing('type')),
    ...valuesOutside(parameter).flatMap(thing('range')),
    ...valuesNotAllowed(builder, parameter).flatMap(thing('allowed')),
    ...(name === 'model' ? unknownModels(builder).flatMap(thing('unknown')) : []),
  ];
}

/** The combination with one thing wrong in it, of which it is the control. */
function wrongCase(builder: CaseBuilder, protocol: TextProtocol, row: PlannedRow): void {
  const possible = parameters(protocol)
    .flatMap((parameter) => wrongWith(builder, protocol, parameter))
    .flatMap((thing) => {
      const situation = situationIn(builder, row, thing.parameter);
      return situation ? [{ ...thing, situation }] : [];
    });
  const at = Number.parseInt(drawn(builder.seed, `wrong ${row.id}`).slice(0, 8), 16) % possible.length;
  const chosen = possible[at];
  if (chosen === undefined) return;
  const { names, change, situation } = chosen;
  situationCases(builder, { protocol, names, situations: [situation], change });
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
