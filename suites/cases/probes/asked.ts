import { extension } from '../../../spec/extension.ts';
import { type Parameter, parameters } from '../../../spec/openapi.ts';
import { type Payloads as Data, payloads } from '../../../fixtures/payloads/payloads.ts';
import {
  type Probe,
  type ProbeGroup,
  type ProbeSuite,
  type ProbeValue,
  probeSuites,
  probesOf,
} from '../../../spec/probes.ts';
import { ownProbes } from '../../../spec/own-rows.ts';
import { requirement as requirementOf } from '../../../spec/requirements.ts';
import { type Facts, fill, holds } from '../../../spec/templates.ts';
import { factsOfParameter, factsOfProtocol } from '../../../spec/things.ts';
import { type Protocol, protocols } from '../../../spec/vocabulary.ts';
import type { Template } from '../../types/template.ts';
import { type Body, hello, manyScripts, plain, shortInstruction } from '../builder/bodies.ts';
import { factsOfSample, nameOfValue, valueSets } from './values.ts';

/** A probe with the facts of one thing and one value filled in. */
export interface Asked extends Probe {
  /** As spec/probes/ has it. */
  readonly row: Probe;
  readonly protocol: Protocol;
  /** Where it is about one; `body` otherwise. */
  readonly parameter: Pick<Parameter, 'name' | 'slug'>;
  readonly caseId: string;
  readonly given: ProbeValue;
  /** Id of the request with a plainer value. */
  readonly plainer?: string;
}

/** Whether its value lies outside the bounds of its parameter. */
export const isOutOfRange = ({ requirement, protocol, parameter }: Asked): boolean =>
  requirement === `${protocol}.param.${parameter.slug}.range`;

const generalFacts = (protocol: Protocol, data: Data): Facts => ({
  ...factsOfProtocol(protocol),
  plain: plain[protocol],
  hello,
  manyScripts,
  shortInstruction,
  unknownModel: data.unknownModel,
  notAllowed: data.notAllowed,
  unknownResponseId: data.unknownResponseId,
  unknownParameter: data.unknownParameter,
  stranger: data.invalidTokens[0],
  secondStranger: data.invalidTokens[1],
});

interface About {
  readonly facts: Facts;
  readonly parameter?: Parameter;
}

const aboutEach = ({ each }: ProbeGroup, protocol: Protocol, data: Data): readonly About[] => {
  const general = generalFacts(protocol, data);
  if (each === 'protocol') return [{ facts: general }];
  return parameters(protocol).map((parameter) => ({
    parameter,
    facts: { ...general, ...factsOfParameter(protocol, parameter), ...factsOfSample(parameter, data) },
  }));
};

/** The values of a probe for a thing; one without any where it has none. */
function valuesOf({ values }: Probe, { facts, parameter }: About, data: Data): readonly ProbeValue[] {
  if (values === undefined) return [{}];
  const listed = typeof values === 'string' ? parameter && valueSets[values]?.(parameter, data) : values;
  if (listed === undefined) throw new Error(`there are no values called ${values}`);
  return listed
    .filter(({ where = {} }) => holds(where, facts))
    .map((each) => {
      const given = fill(each, facts) as ProbeValue;
      return { as: nameOfValue(given.value), is: JSON.stringify(given.value), ...given };
    });
}

function filled(suite: ProbeSuite, protocol: Protocol, probe: Probe, about: About, given: ProbeValue): Asked {
  const facts = { ...about.facts, ...given };
  const made = fill(probe, facts) as Probe;
  const { parameter = { name: 'body', slug: 'body' } } = about;
  const plainer = given.after === undefined ? made.unless : fill(probe.id, { ...facts, as: given.after });
  return {
    ...made,
    row: probe,
    protocol,
    parameter,
    given,
    caseId: `${suite}.${made.case ?? made.id}`,
    ...(plainer === undefined ? {} : { plainer: String(plainer) }),
  };
}

/** By probe its values; of a case the first counts, and what the register excludes is not asked. Throws where it has no such row. */
export function askedOf(suite: ProbeSuite, protocol: Protocol, data: Data): readonly (readonly Asked[])[] {
  const known = new Set<string>();
  const isNew = ({ caseId }: Asked): boolean => !known.has(caseId) && known.add(caseId) !== undefined;
  return [...probesOf(suite), ...(suite === 'parameters' ? ownProbes() : [])].flatMap((group) =>
    aboutEach(group, protocol, data).flatMap((about) =>
      group.probes
        .filter(({ where = {} }) => holds(where, about.facts))
        .map((probe) =>
          valuesOf(probe, about, data)
            .map((given) => filled(suite, protocol, probe, about, given))
            .filter((asked) => requirementOf(asked.requirement).excluded === undefined)
            .filter(isNew),
        ),
    ),
  );
}

const fileOf = (suite: ProbeSuite, row: Probe): string =>
  extension()?.statements.some(({ id }) => id === row.requirement)
    ? (extension()?.files ?? []).map(({ name }) => name).join(', ')
    : `spec/probes/${suite}.yaml`;

export function rowsAsking(requirement: string): readonly { readonly file: string; readonly row: Probe }[] {
  const data = payloads(1, 0);
  const files = new Map<Probe, string>();
  for (const suite of probeSuites)
    for (const asked of protocols.flatMap((protocol) => askedOf(suite, protocol, data).flat()))
      if (asked.requirement === requirement) files.set(asked.row, fileOf(suite, asked.row));
  return [...files].map(([row, file]) => ({ row, file }));
}

export function changed({ change = {} }: Pick<Probe, 'change'>, body: Body): Template {
  if ('body' in change) return change.body as Template;
  const { [change.without ?? '']: _, ...others } = body;
  return { ...others, ...(change.set as Body | undefined) };
}
