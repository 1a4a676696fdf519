import type { Parameter } from '../../../spec/openapi.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import { type Body, plain } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { missingParameterId, type WrongAspect, wrongValueId } from '../builder/request-ids.ts';
import type { Value } from './values.ts';
import { valuesFarOutside, valuesOutside } from './wrong-values.ts';
import {
  refusedCase,
  type RefusedRequest,
  type RequestVariant,
  secondFamilyVariant,
  streamedVariant,
} from './refused-request.ts';

/** What a case is called; its overrides and controls are those of the kind of request. */
type CaseNames = Pick<RefusedRequest, 'caseId' | 'title' | 'requirement' | 'requestId' | 'reason'>;

/** The parameter left out, without a stream and with one. */
export function requiredCases(builder: CaseBuilder, protocol: Protocol, { name, slug }: Parameter): void {
  const names: CaseNames = {
    caseId: `${slug}.required`,
    title: `a request without ${name}`,
    requirement: `${protocol}.param.${slug}.required`,
    requestId: missingParameterId(protocol, slug),
    reason: `\`${name}\` is required`,
  };
  const without = ({ [name]: _, ...json }: Body): Body => json;
  refusedCase(builder, protocol, { ...names, overrides: { json: without(plain[protocol]) } });
  variantCases(builder, { protocol, names, variants: streamedVariant(builder, protocol), change: without });
}

/** A value of a parameter that must be refused. */
export interface WrongValue {
  readonly protocol: Protocol;
  readonly parameter: Pick<Parameter, 'name' | 'slug'>;
  readonly aspect: WrongAspect;
  readonly value: Value;
}

/** What the case of a wrong value is called. */
const namesOf = ({ protocol, parameter: { name, slug }, aspect, value }: WrongValue): CaseNames => ({
  caseId: `${slug}.${aspect}.${value.slug}`,
  title: `${name} = ${value.description}`,
  requirement: `${protocol}.param.${slug}.${aspect}`,
  requestId: wrongValueId(protocol, slug, aspect, value.slug),
  reason: `\`${name}\` is ${value.description}`,
});

/** Gives a body the wrong value. */
const givenTo =
  ({ parameter: { name }, value: { value } }: WrongValue) =>
  (body: Body): Body => ({ ...body, [name]: value });

/** A wrong value that has a plainer one waits until that one was refused. */
export function wrongValueCase(builder: CaseBuilder, wrong: WrongValue, controls: readonly string[]): void {
  const {
    protocol,
    parameter: { slug },
    aspect,
    value: { unless },
  } = wrong;
  const plainer = unless === undefined ? undefined : wrongValueId(protocol, slug, aspect, unless);
  refusedCase(builder, protocol, {
    ...namesOf(wrong),
    overrides: {
      ...(plainer ? { when: [builder.served(protocol), { kind: 'unanswered', all: [plainer] }] } : {}),
      json: givenTo(wrong)(plain[protocol]),
      stream: false,
    },
    controls: () => controls,
  });
}

/** What is wrong with a plain request, in other kinds of request. */
interface Variants {
  readonly protocol: Protocol;
  /** Those of the case with the plain request. */
  readonly names: CaseNames;
  readonly variants: readonly RequestVariant[];
  /** Makes a valid body the wrong one. */
  readonly change: (body: Body) => Body;
}

function variantCases(builder: CaseBuilder, { protocol, names, variants, change }: Variants): void {
  for (const { slug, idOf, description, body, overrides, controls, undeclared } of variants) {
    refusedCase(builder, protocol, {
      ...names,
      caseId: `${names.caseId}.${slug}`,
      title: `${names.title} ${description}`,
      requestId: idOf(names.requestId),
      overrides: { ...overrides, json: change(body) },
      controls,
      controlMayBeRefused: true,
      ...(undeclared ? { undeclared } : {}),
    });
  }
}

/** The same wrong value in other kinds of request. */
const wrongValueVariants = (
  builder: CaseBuilder,
  wrong: WrongValue,
  variants: readonly RequestVariant[],
): void =>
  variantCases(builder, {
    protocol: wrong.protocol,
    names: namesOf(wrong),
    variants,
    change: givenTo(wrong),
  });

/** The same wrong value in a stream; of `stream` itself there is none. */
export function wrongValueStreamedCase(builder: CaseBuilder, wrong: WrongValue): void {
  if (wrong.parameter.name === 'stream') return;
  wrongValueVariants(builder, wrong, streamedVariant(builder, wrong.protocol));
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
    wrongValueVariants(builder, wrong(value), [
      ...streamedVariant(builder, protocol),
      ...secondFamilyVariant(builder, protocol),
    ]);
  }
  for (const value of valuesFarOutside(parameter)) wrongValueCase(builder, wrong(value), controls);
}
