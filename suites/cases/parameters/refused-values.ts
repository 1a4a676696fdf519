import type { Parameter } from '../../../spec/openapi.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Condition } from '../../model/plan.ts';
import { type Body, plain } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import {
  malformedBodyId,
  missingParameterId,
  type WrongAspect,
  wrongValueId,
} from '../builder/request-ids.ts';
import type { Value } from './values.ts';
import { valuesFarOutside, valuesOutside } from './wrong-values.ts';
import { refusedCase, type RequestVariant, secondFamilyVariant, streamedVariant } from './refused-request.ts';

/** The parameter left out, without a stream and with one. */
export function requiredCases(builder: CaseBuilder, protocol: Protocol, { name, slug }: Parameter): void {
  const requirement = `${protocol}.param.${slug}.required`;
  const reason = `\`${name}\` is required`;
  const title = `a request without ${name}`;
  const caseId = `${slug}.required`;
  const requestId = missingParameterId(protocol, slug);
  const without = ({ [name]: _, ...json }: Body): Body => json;
  refusedCase(builder, protocol, {
    caseId,
    title,
    requirement,
    requestId,
    reason,
    overrides: { json: without(plain[protocol]) },
  });
  for (const variant of streamedVariant(builder, protocol)) {
    refusedCase(builder, protocol, {
      caseId: `${caseId}.${variant.slug}`,
      title: `${title} ${variant.description}`,
      requirement,
      requestId: variant.idOf(requestId),
      reason,
      overrides: { ...variant.overrides, json: without(variant.body) },
      controls: variant.controls,
      controlMayBeRefused: true,
    });
  }
}

/** A value of a parameter that must be refused. */
export interface WrongValue {
  readonly protocol: Protocol;
  readonly parameter: Pick<Parameter, 'name' | 'slug'>;
  readonly aspect: WrongAspect;
  readonly value: Value;
}

/** What a wrong value is called, in the plain request and elsewhere. */
const namesOf = ({ protocol, parameter: { name, slug }, aspect, value }: WrongValue) => ({
  caseId: `${slug}.${aspect}.${value.slug}`,
  title: `${name} = ${value.description}`,
  requirement: `${protocol}.param.${slug}.${aspect}`,
  requestId: wrongValueId(protocol, slug, aspect, value.slug),
  reason: `\`${name}\` is ${value.description}`,
});

/** `when`: what it waits for, where that is more than a valid request that is answered. */
export function wrongValueCase(
  builder: CaseBuilder,
  wrong: WrongValue,
  controls: readonly string[],
  when?: readonly Condition[],
): void {
  const { protocol, parameter, value } = wrong;
  refusedCase(builder, protocol, {
    ...namesOf(wrong),
    overrides: {
      ...(when ? { when } : {}),
      json: { ...plain[protocol], [parameter.name]: value.value },
      stream: false,
    },
    controls: () => controls,
  });
}

/** The same wrong value in other kinds of request. */
function variantCases(builder: CaseBuilder, wrong: WrongValue, variants: readonly RequestVariant[]): void {
  const names = namesOf(wrong);
  for (const { slug, idOf, description, body, overrides, controls, undeclared } of variants) {
    refusedCase(builder, wrong.protocol, {
      ...names,
      caseId: `${names.caseId}.${slug}`,
      title: `${names.title} ${description}`,
      requestId: idOf(names.requestId),
      overrides: { ...overrides, json: { ...body, [wrong.parameter.name]: wrong.value.value } },
      controls,
      controlMayBeRefused: true,
      ...(undeclared ? { undeclared } : {}),
    });
  }
}

/** The same wrong value in a stream; of `stream` itself there is none. */
export function wrongValueStreamedCase(builder: CaseBuilder, wrong: WrongValue): void {
  if (wrong.parameter.name === 'stream') return;
  variantCases(builder, wrong, streamedVariant(builder, wrong.protocol));
}

/** A step outside each bound, also streamed and for the other family; and far outside it. */
export function outsideCases(
  builder: CaseBuilder,
  protocol: Protocol,
  parameter: Parameter,
  controls: readonly string[],
): void {
  const wrong = (value: Value): WrongValue => ({ protocol, parameter, aspect: 'range', value });
  for (const value of valuesOutside(parameter)) {
    wrongValueCase(builder, wrong(value), controls);
    variantCases(builder, wrong(value), [
      ...streamedVariant(builder, protocol),
      ...secondFamilyVariant(builder, protocol),
    ]);
  }
  for (const value of valuesFarOutside(parameter)) {
    // Where the step outside was accepted already, so much more would only cost: an image each, of `n`.
    const near = wrongValueId(protocol, parameter.slug, 'range', value.near);
    const when = [builder.served(protocol), { kind: 'unanswered', all: [near] } as const];
    wrongValueCase(builder, wrong(value), controls, when);
  }
}

export function malformedCase(builder: CaseBuilder, protocol: Protocol): void {
  refusedCase(builder, protocol, {
    caseId: 'body.json',
    title: 'a body that is cut off in the middle of its JSON',
    requirement: `${protocol}.body.json`,
    requestId: malformedBodyId(protocol),
    overrides: { cut: true },
    reason: 'the body is not JSON',
  });
}
