import type { ProbeSuite } from '../../../spec/probes.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { ObservedAspect } from '../../types/checks/replies.ts';
import { plain } from '../builder/bodies.ts';
import { type CaseBuilder, addObservation } from '../builder/case-builder.ts';
import { type Asked, changed } from './asked.ts';
import {
  combinationsOf,
  controlsOf,
  fullBody,
  fullRequest,
  inSituations,
  isWorthIt,
  refusedCases,
  sendAccepted,
} from './refused-cases.ts';
import { overridesOf } from './refused-probe.ts';

export function probeCases(builder: CaseBuilder, suite: ProbeSuite, protocol: Protocol): void {
  for (const values of builder.asked(suite, protocol)) {
    const shown = inSituations(builder, values);
    for (const [at, asked] of values.entries()) {
      const found = shown[at] ?? { further: [] };
      if (asked.expect === 'refused') refusedCases(builder, asked, found);
      else otherCases[asked.expect](builder, asked);
    }
  }
}

const caseOf = ({ caseId, requirement, protocol }: Asked, title: string) => ({
  id: caseId,
  title,
  requirement,
  needs: protocol,
});

const otherCases: Readonly<
  Record<Exclude<Asked['expect'], 'refused'>, (builder: CaseBuilder, asked: Asked) => void>
> = { accepted: acceptedCase, optional: optionalCase, observed: observedCase };

/** A valid value; one that the plain request has is no control of itself. */
function acceptedCase(builder: CaseBuilder, asked: Asked): void {
  const { protocol, what, change } = asked;
  if (!isWorthIt(builder, asked)) return;
  builder.add({
    ...caseOf(asked, `${protocol} accepts ${what}`),
    check: () => {
      const common = { kind: 'accepted', controls: controlsOf(builder, asked) } as const;
      if (change === undefined) return { ...common, probe: builder.control(protocol) };
      return {
        ...common,
        combinations: combinationsOf(builder, asked),
        probe: sendAccepted(builder, asked),
        // Sent afterwards the control declines the stream as well.
        ...(Object.hasOwn(change.set ?? {}, 'stream') ? {} : { after: builder.after(protocol) }),
      };
    },
  });
}

/** Left out in the smallest request; where that is refused, left out of a request with all the others. */
function optionalCase(builder: CaseBuilder, asked: Asked): void {
  const { protocol, parameter, what, id } = asked;
  builder.add({
    ...caseOf(asked, `${protocol} accepts ${what}`),
    check: () => {
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
      const pair = { without, full };
      return {
        kind: 'optional',
        smallest: isStream ? cells : [...cells, control],
        pairs: isStream
          ? [...cells.slice(0, 1).map((cell) => ({ without: cell, full: control })), pair]
          : [pair],
      };
    },
  });
}

/** What is observed of a request; of those that are sent anyway where nothing is changed. */
function observedCase(builder: CaseBuilder, asked: Asked): void {
  const { protocol, requirement, caseId, id, title, what, change, aspect = 'answer-or-refusal' } = asked;
  addObservation(builder, {
    id: caseId,
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
