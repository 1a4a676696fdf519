import type { Parameter } from '../../../spec/openapi.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import { type Body, plain } from '../builder/bodies.ts';
import { describeSettings } from '../../types/combination.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { type Situation, situations } from '../combinations/situations.ts';
import { inSituationId, missingParameterId, type WrongAspect, wrongValueId } from '../builder/request-ids.ts';
import type { Value } from './values.ts';
import { valuesFarOutside, valuesOutside } from './wrong-values.ts';
import { refusedCase, type RefusedRequest } from './refused-request.ts';

/** What a case is called; its overrides and controls are those of the kind of request. */
export type CaseNames = Pick<RefusedRequest, 'caseId' | 'title' | 'requirement' | 'requestId' | 'reason'>;

/** What the case of a parameter that is left out is called. */
export const namesWithout = (protocol: Protocol, { name, slug }: Parameter): CaseNames => ({
  caseId: `${slug}.required`,
  title: `a request without ${name}`,
  requirement: `${protocol}.param.${slug}.required`,
  requestId: missingParameterId(protocol, slug),
  reason: `\`${name}\` is required`,
});

/** Leaves a parameter out of a body. */
export const without =
  (parameter: string) =>
  ({ [parameter]: _, ...json }: Body): Body =>
    json;

/** The parameter left out, also of other requests. */
export function requiredCases(builder: CaseBuilder, protocol: Protocol, parameter: Parameter): void {
  const { name, slug } = parameter;
  const names = namesWithout(protocol, parameter);
  refusedCase(builder, protocol, { ...names, overrides: { json: without(name)(plain[protocol]) } });
  const found = situations(builder, protocol, { parameter: name, count: 2, from: slug.length });
  situationCases(builder, { protocol, names, situations: found, change: without(name) });
}

/** A value of a parameter that must be refused. */
export interface WrongValue {
  readonly protocol: Protocol;
  readonly parameter: Pick<Parameter, 'name' | 'slug'>;
  readonly aspect: WrongAspect;
  readonly value: Value;
}

/** What the case of a wrong value is called. */
export const namesOf = ({ protocol, parameter: { name, slug }, aspect, value }: WrongValue): CaseNames => ({
  caseId: `${slug}.${aspect}.${value.slug}`,
  title: `${name} = ${value.description}`,
  requirement: `${protocol}.param.${slug}.${aspect}`,
  requestId: wrongValueId(protocol, slug, aspect, value.slug),
  reason: `\`${name}\` is ${value.description}`,
});

/** Gives a body the wrong value. */
export const givenTo =
  ({ parameter: { name }, value: { value } }: WrongValue) =>
  (body: Body): Body => ({ ...body, [name]: value });

/** A wrong value that has a plainer one waits until that one was refused. */
export function wrongValueCase(
  builder: CaseBuilder,
  wrong: WrongValue,
  controls: () => readonly string[],
): void {
  const {
    protocol,
    parameter: { slug },
    aspect,
    value: { unless, needsNoAnswer },
  } = wrong;
  const plainer = unless === undefined ? undefined : wrongValueId(protocol, slug, aspect, unless);
  refusedCase(builder, protocol, {
    ...namesOf(wrong),
    overrides: {
      ...(plainer ? { when: [builder.served(protocol), { kind: 'unanswered', all: [plainer] }] } : {}),
      ...(needsNoAnswer ? { when: [{ kind: 'recorded', all: builder.cells(protocol) }] } : {}),
      json: givenTo(wrong)(plain[protocol]),
      stream: false,
    },
    controls,
  });
}

/** What is wrong with a plain request, in other requests. */
interface SituationCases {
  readonly protocol: Protocol;
  /** Those of the case with the plain request. */
  readonly names: CaseNames;
  readonly situations: readonly Situation[];
  /** Makes a valid body the wrong one. */
  readonly change: (body: Body) => Body;
}

export function situationCases(
  builder: CaseBuilder,
  { protocol, names, situations: found, change }: SituationCases,
): void {
  for (const { row, number, settings, body, overrides } of found) {
    refusedCase(builder, protocol, {
      ...names,
      caseId: `${names.caseId}.in.${number}`,
      title: `${names.title} with ${describeSettings(settings)}`,
      requestId: inSituationId(names.requestId, number),
      overrides: { ...overrides, json: change(body) },
      controls: () => [row],
      controlMayBeRefused: true,
    });
  }
}

/** The same wrong values in other requests: one each, so that together they show most of what requests may have. */
export function wrongValueSituations(builder: CaseBuilder, values: readonly WrongValue[]): void {
  const [first] = values;
  if (first === undefined) return;
  const { protocol, parameter } = first;
  const found = situations(builder, protocol, {
    parameter: parameter.name,
    count: values.length,
    from: parameter.slug.length,
  });
  for (const [at, wrong] of values.entries())
    situationCases(builder, {
      protocol,
      names: namesOf(wrong),
      situations: found.slice(at, at + 1),
      change: givenTo(wrong),
    });
}

/** A step outside each bound, also in other requests; and far outside it. */
export function outsideCases(
  builder: CaseBuilder,
  protocol: Protocol,
  parameter: Parameter,
  controls: () => readonly string[],
): void {
  const wrong = (value: Value): WrongValue => ({ protocol, parameter, aspect: 'range', value });
  for (const [at, value] of valuesOutside(parameter).entries()) {
    wrongValueCase(builder, wrong(value), controls);
    const found = situations(builder, protocol, { parameter: parameter.name, count: 3, from: 2 * at });
    situationCases(builder, {
      protocol,
      names: namesOf(wrong(value)),
      situations: found,
      change: givenTo(wrong(value)),
    });
  }
  for (const value of valuesFarOutside(parameter)) wrongValueCase(builder, wrong(value), controls);
}
