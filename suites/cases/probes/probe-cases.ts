import type { ProbeSuite, Situations } from '../../../spec/probes.ts';
import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import type { Check } from '../../types/checks/check.ts';
import type { ObservedAspect } from '../../types/checks/replies.ts';
import { describeSettings } from '../../types/combination.ts';
import type { Condition } from '../../types/plan.ts';
import { plain } from '../builder/bodies.ts';
import type { CaseBuilder, NewCase } from '../builder/case-builder.ts';
import { addObservation } from '../builder/observation.ts';
import { inSituationId } from '../../types/request-ids.ts';
import { type Situation, situations } from '../combinations/situations.ts';
import { type Asked, changed } from './asked.ts';
import { controlsOf } from './controls.ts';
import { addRefused, overridesOf } from './refused-probe.ts';
import { combinationsOf, fullBody, fullRequest, isWorthIt, sendAccepted } from './valid-requests.ts';

/** Adds the cases of all probes of a suite for a protocol. */
export function probeCases(builder: CaseBuilder, suite: ProbeSuite, protocol: Protocol): void {
  for (const values of builder.asked(suite, protocol)) {
    for (const [at, asked] of values.entries()) {
      casesOf[asked.expect](builder, asked);
      const { situations: wanted } = asked;
      if (wanted && 'each' in wanted) eachSituation(builder, asked, wanted, at);
    }
    spreadOverSituations(builder, values);
  }
}

const caseOf = ({ caseId, requirement }: Asked, title: string): NewCase => ({
  id: caseId as NewCase['id'],
  title,
  requirements: [requirement],
});

const casesOf: Readonly<Record<Asked['expect'], (builder: CaseBuilder, asked: Asked) => void>> = {
  accepted: acceptedCase,
  optional: optionalCase,
  refused: refusedCase,
  observed: observedCase,
};

/** A valid value; one that the plain request has is no control of itself. */
function acceptedCase(builder: CaseBuilder, asked: Asked): void {
  const { protocol, requirement, what, change } = asked;
  if (!isWorthIt(builder, asked)) return;
  builder.add(caseOf(asked, `${protocol} accepts ${what}`), protocol, (): Check => {
    const common = { kind: 'accepted', requirement, controls: controlsOf(builder, asked) } as const;
    if (change === undefined) return { ...common, probe: builder.control(protocol) };
    return {
      ...common,
      combinations: combinationsOf(builder, asked),
      probe: sendAccepted(builder, asked),
      // Sent afterwards the control declines the stream as well.
      ...(Object.hasOwn(change.set ?? {}, 'stream') ? {} : { after: builder.after(protocol) }),
    };
  });
}

/** Left out in the smallest request; where that is refused, left out of a request with all the others. */
function optionalCase(builder: CaseBuilder, asked: Asked): void {
  const { protocol, requirement, parameter, what, id } = asked;
  builder.add(caseOf(asked, `${protocol} accepts ${what}`), protocol, () => {
    const full = fullRequest(builder, protocol);
    const without = builder.send(id, protocol, {
      json: changed(asked, fullBody(protocol)),
      callers: builder.callers(protocol).slice(0, 1),
      when: [{ kind: 'answered', any: [full] }],
      billed: 0,
    });
    const cells = builder.cells(protocol);
    const control = builder.control(protocol);
    // The plain request is a smallest one, too, but for the stream that it declines.
    const isStream = parameter.name === 'stream';
    return {
      kind: 'optional',
      requirement,
      smallest: isStream ? cells : [...cells, control],
      pairs: [
        ...(isStream ? cells.slice(0, 1).map((cell) => ({ without: cell, full: control })) : []),
        { without, full },
      ],
    };
  });
}

/** What is observed of a request; of those that are sent anyway where nothing is changed. */
function observedCase(builder: CaseBuilder, asked: Asked): void {
  const { protocol, requirement, caseId, id, title, what, change, aspect = 'answer-or-refusal' } = asked;
  addObservation(builder, {
    id: caseId as NewCase['id'],
    protocol,
    requirement,
    subject: asked.subject ?? `${protocol} given ${what}`,
    aspect: aspect as ObservedAspect,
    ...(title === undefined ? {} : { title }),
    probes: () => {
      if (change === undefined) return [asked.of ?? controlsOf(builder, asked)].flat();
      const json = changed(asked, plain[protocol]);
      return [builder.send(id, protocol, { json, ...overridesOf(asked), expect: 'either' })];
    },
  });
}

/**
 * What is wrong with a request for images is asked only while nothing that breaks the same requirement was answered:
 * one answer shows the failure, and each is billed as many texts are.
 */
function unlessShown({ cases }: CaseBuilder, { protocol, requirement }: Asked): readonly Condition[] {
  if (isTextProtocol(protocol)) return [];
  const before = cases.flatMap(({ check }) =>
    check.kind === 'refused' && check.requirement === requirement ? check.probe : [],
  );
  return before.length === 0 ? [] : [{ kind: 'unanswered', all: before }];
}

/** What is wrong in the plain request. */
function refusedCase(builder: CaseBuilder, asked: Asked): void {
  const { protocol, plainer, given } = asked;
  const when: readonly Condition[] = [
    given.always ? { kind: 'recorded', all: builder.cells(protocol) } : builder.served(protocol),
    ...(plainer === undefined ? [] : [{ kind: 'unanswered' as const, all: [plainer] }]),
    ...unlessShown(builder, asked),
  ];
  addRefused(builder, asked, {
    request: { json: changed(asked, plain[protocol]), when },
    controls: () => controlsOf(builder, asked),
    more: () => (asked.control === 'a stream' ? { controlMayBeRefused: true } : {}),
  });
}

/** The same in a situation, of which that is the control. */
export function refusedInSituation(
  builder: CaseBuilder,
  asked: Asked,
  { row, number, settings, body, overrides }: Situation,
): void {
  const when = [...(overrides.when ?? []), ...unlessShown(builder, asked)];
  addRefused(builder, asked, {
    request: { ...overrides, json: changed(asked, body), when },
    controls: () => [row],
    idOf: (id) => inSituationId(id, number),
    words: ` with ${describeSettings(settings.filter(({ factor }) => factor !== asked.parameter.name))}`,
    more: () => ({ controlMayBeRefused: true }),
  });
}

/** The same in other requests, which together have as much as can be of what requests may have. */
function eachSituation(
  builder: CaseBuilder,
  asked: Asked,
  { each, from = asked.parameter.slug.length }: Extract<Situations, { each: number }>,
  at: number,
): void {
  const wanted = { parameter: asked.parameter.name, count: each, from: from + 2 * at };
  for (const found of situations(builder, asked.protocol, wanted)) refusedInSituation(builder, asked, found);
}

/** One other request for each of the first values. */
function spreadOverSituations(builder: CaseBuilder, values: readonly Asked[]): void {
  const [first] = values;
  if (first?.situations === undefined || !('spread' in first.situations)) return;
  const spread = values.slice(0, first.situations.spread);
  const { name, slug } = first.parameter;
  const wanted = { parameter: name, count: spread.length, from: slug.length };
  for (const [at, found] of situations(builder, first.protocol, wanted).entries()) {
    const asked = spread[at];
    if (asked) refusedInSituation(builder, asked, found);
  }
}
