import { type Parameter, parameters } from '../../../spec/openapi.ts';
import { protocols, type Protocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { WrongAspect } from '../builder/request-ids.ts';
import { acceptedCases } from './accepted-values.ts';
import { exploredRefusals } from './explored-refusals.ts';
import { limitCase, roleCases } from './limits-and-roles.ts';
import { malformedCases } from './malformed-bodies.ts';
import { optionalCase } from './optional-parameters.ts';
import { outsideCases, requiredCases, wrongValueCase, wrongValueSituations } from './refused-values.ts';
import type { Value } from './values.ts';
import { wrongBodyCases } from './wrong-bodies.ts';
import { wrongContentCases } from './wrong-contents.ts';
import { valuesOfWrongType } from './wrong-types.ts';
import { valuesNotAllowed, unknownModels } from './wrong-values.ts';

/** Every parameter of every endpoint, generated from the OpenAPI document (4.1 to 4.4, 8). */
export function parameterCases(builder: CaseBuilder): void {
  for (const protocol of protocols) {
    for (const parameter of parameters(protocol)) parameterCasesOf(builder, protocol, parameter);
    unknownModelCases(builder, protocol);
    malformedCases(builder, protocol);
    wrongBodyCases(builder, protocol);
  }
  roleCases(builder);
  wrongContentCases(builder);
  limitCase(builder, 'messages');
  limitCase(builder, 'chat');
  exploredRefusals(builder);
}

function parameterCasesOf(builder: CaseBuilder, protocol: Protocol, parameter: Parameter): void {
  const wrong = (aspect: WrongAspect, value: Value) => ({ protocol, parameter, aspect, value });
  const shown = acceptedCases(builder, protocol, parameter);
  const controls = () => shown;
  if (parameter.required) requiredCases(builder, protocol, parameter);
  else optionalCase(builder, protocol, parameter);
  const types = valuesOfWrongType(builder, parameter);
  for (const value of types) wrongValueCase(builder, wrong('type', value), controls);
  outsideCases(builder, protocol, parameter, controls);
  const others = valuesNotAllowed(builder, parameter);
  for (const value of others) wrongValueCase(builder, wrong('allowed', value), controls);
  wrongValueSituations(
    builder,
    types.slice(0, 3).map((value) => wrong('type', value)),
  );
  wrongValueSituations(
    builder,
    others.slice(0, 3).map((value) => wrong('allowed', value)),
  );
}

/** A model that is not in the catalogue (2.2). */
function unknownModelCases(builder: CaseBuilder, protocol: Protocol): void {
  const parameter = { name: 'model', slug: 'model' };
  const models = unknownModels(builder);
  for (const value of models) {
    wrongValueCase(builder, { protocol, parameter, aspect: 'unknown', value }, () =>
      builder.controls(protocol),
    );
  }
  wrongValueSituations(
    builder,
    models.slice(0, 2).map((value) => ({ protocol, parameter, aspect: 'unknown', value })),
  );
}
