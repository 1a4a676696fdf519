import { matrix } from '../../spec/matrix.ts';
import { once } from '../../spec/once.ts';
import { parameters } from '../../spec/openapi.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { requirements } from '../../spec/requirements.ts';
import {
  type Family,
  type Group,
  isTextProtocol,
  type Protocol,
  protocols,
  type TextProtocol,
} from '../../spec/vocabulary.ts';
import { fieldRequirements } from '../cases/results/field-requirements.ts';
import { streamRequirements } from '../cases/streams/streams.ts';
import { type EvidenceView, isAnswered, isTaken } from '../checks/evidence-view.ts';
import type { Case } from '../types/case.ts';
import type { TrafficExchange } from './traffic-exchange.ts';

/** Valid requests of one protocol, and which of them are answered. */
interface Shown {
  readonly protocol: Protocol;
  readonly valid: readonly TrafficExchange[];
  /** With output, or the stream that was asked for. */
  readonly taken: readonly TrafficExchange[];
}

const idsOf = (some: readonly TrafficExchange[]): readonly string[] =>
  some.map(({ exchange }) => exchange.id);

/** What a request has of a parameter. */
const given = ({ known }: TrafficExchange, name: string): unknown => known.parameters[name];

/**
 * The cases of a run that rest on answers alone, on what traffic shows. A refusal decides nothing here: there is no
 * control. Ids are those of a run where a case asks for the same.
 */
export function trafficCases(all: readonly TrafficExchange[], view: EvidenceView): readonly Case[] {
  return protocols.flatMap((protocol): readonly Case[] => {
    const valid = all.filter(({ known }) => known.protocol === protocol && known.setAside === undefined);
    if (valid.length === 0) return [];
    const taken = valid.filter(({ exchange }) => isTaken(view, exchange.id));
    const shown = { protocol, valid, taken };
    return [
      ...servedCases(shown),
      ...resultCases(shown, view),
      ...acceptedCases(shown),
      ...(isTextProtocol(protocol) ? streamCases(shown, protocol) : []),
    ];
  });
}

function servedCases({ protocol, taken }: Shown): readonly Case[] {
  if (taken.length === 0) return [];
  const served = (requirement: string, probes: readonly TrafficExchange[]) =>
    ({ requirements: [requirement], check: { kind: 'served', requirement, probes: idsOf(probes) } }) as const;
  const by = (family: Family, group: Group, stream: boolean) =>
    taken.filter(
      ({ known }) =>
        known.stream === stream && known.families.includes(family) && known.groups.includes(group),
    );
  const cells = matrix().flatMap(
    ({ family, group, stream, requirements: rows, ...cell }): readonly Case[] => {
      const isJudged = cell.protocol === protocol && cell.expectation === 'served' && !cell.anyGroup;
      const requirement = rows.find((id) => id !== 'chat-image.reply');
      const probes = isJudged ? by(family, group, stream) : [];
      if (requirement === undefined || probes.length === 0) return [];
      return [
        {
          id: `families.${family}.${protocol}.${group}${stream ? '.stream' : ''}`,
          title: `${family} model on ${protocol} with a ${group} token${stream ? ', streamed' : ''}: must be served`,
          suite: 'families',
          cell: { family, protocol, group, stream },
          ...served(requirement, probes),
        },
      ];
    },
  );
  const { families, group } = protocolFacts[protocol].callers;
  const [family] = families;
  const ofFamily = taken.filter(({ known }) => known.families.includes(family));
  const isAnyGroup = group === 'any' && ofFamily.length > 0;
  const accepted = `${protocol}.auth.accepted`;
  return [
    ...cells,
    ...(isAnyGroup
      ? [
          {
            id: `families.${family}.${protocol}.some-group`,
            title: `${family} model on ${protocol} is served for at least one group`,
            suite: 'families' as const,
            ...served(`family.${family}.${protocol}`, ofFamily),
          },
        ]
      : []),
    {
      id: `families.${protocol}.endpoint`,
      title: `${protocol} answers on its path`,
      suite: 'families',
      ...served(`${protocol}.endpoint`, taken),
    },
    {
      id: `authentication.${protocol}.accepted`,
      title: `${protocol} takes a token in the documented form`,
      suite: 'authentication',
      ...served(accepted, taken),
    },
  ];
}

function resultCases({ protocol, taken }: Shown, view: EvidenceView): readonly Case[] {
  const suite = 'results';
  const unstreamed = taken.filter(({ known }) => !known.stream);
  const answered = idsOf(taken.filter(({ exchange }) => isAnswered(view, exchange.id)));
  const fields = fieldRequirements(protocol);
  const cases: Case[] = [
    {
      id: `results.${protocol}.fields`,
      title: `every result of ${protocol} has the fields of section 2`,
      suite,
      requirements: fields,
      check: { kind: 'result-fields', protocol, requirements: fields, probes: idsOf(unstreamed) },
    },
  ];
  if (isTextProtocol(protocol)) {
    const requirement = 'service.output';
    cases.push({
      id: `results.${protocol}.output`,
      title: `${protocol} returns model output`,
      suite,
      requirements: [requirement],
      check: { kind: 'output', requirement, protocol, probes: answered },
    });
  }
  return [
    ...cases,
    ...(protocol === 'images' ? imageCases(unstreamed) : []),
    ...(protocol === 'chat' ? chatImageCases(unstreamed) : []),
  ];
}

function chatImageCases(unstreamed: readonly TrafficExchange[]): readonly Case[] {
  const requirement = 'chat-image.reply';
  const [probe, ...again] = idsOf(unstreamed.filter(({ known }) => known.families.includes('chat-image')));
  if (probe === undefined) return [];
  return [
    {
      id: 'results.chat-image.reply',
      title: 'an image model on chat replies with a chat completion',
      suite: 'results',
      requirements: [requirement],
      check: { kind: 'chat-completion', requirement, probe, again },
    },
  ];
}

function imageCases(unstreamed: readonly TrafficExchange[]): readonly Case[] {
  const suite = 'results';
  const counted = [...new Set(unstreamed.map((each) => given(each, 'n')))].filter(
    (n) => typeof n === 'number' || n === undefined,
  );
  const counts = counted.map((count): Case => {
    const requirement = 'images.result.data.count';
    const probes = idsOf(unstreamed.filter((each) => given(each, 'n') === count));
    return {
      ...(count === undefined
        ? { id: 'results.images.count.left-out', title: 'images returns an image where n is left out' }
        : { id: `results.images.count.${count}`, title: `images returns ${count} for n = ${count}` }),
      suite,
      requirements: [requirement],
      check: { kind: 'image-count', requirement, probes, ...(count === undefined ? {} : { count }) },
    };
  });
  const requirement = 'images.result.data.url';
  const links = idsOf(unstreamed.filter((each) => given(each, 'response_format') === 'url'));
  const url: Case = {
    id: 'results.images.url',
    title: 'images returns a url for each image where response_format is url',
    suite,
    requirements: [requirement],
    check: { kind: 'image-url', requirement, probes: links },
  };
  return links.length > 0 ? [...counts, url] : counts;
}

const judgeable = once(
  () => new Set(requirements().flatMap(({ id, excluded }) => (excluded === undefined ? [id] : []))),
);

/** Each parameter that an answered request has. */
function acceptedCases({ protocol, taken }: Shown): readonly Case[] {
  return parameters(protocol).flatMap(({ name, slug }): readonly Case[] => {
    const requirement = `${protocol}.param.${slug}.accepted`;
    const [probe] = idsOf(taken.filter((each) => isGiven(each, name)));
    if (probe === undefined || !judgeable().has(requirement)) return [];
    return [
      {
        id: `parameters.${protocol}.${slug}.accepted.in-traffic`,
        title: `${protocol} answers requests with ${name}`,
        suite: 'parameters',
        requirements: [requirement],
        check: { kind: 'accepted', requirement, probe, controls: [] },
      },
    ];
  });
}

/** Lists and texts are always there where they are required; of an id only one that came from here counts. */
function isGiven(one: TrafficExchange, name: string): boolean {
  if (name === 'previous_response_id') return one.chainedOn !== undefined;
  return name === protocolFacts[one.known.protocol].content || given(one, name) !== undefined;
}

function streamCases({ valid, taken }: Shown, protocol: TextProtocol): readonly Case[] {
  const suite = 'streams';
  const streamed = valid.filter(({ known }) => known.stream);
  const plain = taken.filter(({ known }) => !known.stream);
  const absent = plain.filter((each) => given(each, 'stream') === undefined);
  const declined = plain.filter((each) => given(each, 'stream') === false);
  const unstreamed = (id: string, title: string, isDeclined: boolean): readonly Case[] => {
    const requirement = `${protocol}.param.stream.${isDeclined ? 'accepted' : 'default'}`;
    const probes = idsOf(isDeclined ? declined : absent);
    if (probes.length === 0) return [];
    const check = { kind: 'unstreamed', requirement, protocol, declined: isDeclined, probes } as const;
    return [{ id: `streams.${protocol}.${id}`, title, suite, requirements: [requirement], check }];
  };
  return [
    ...(streamed.length > 0
      ? [
          {
            id: `streams.${protocol}.shape`,
            title: `every stream of ${protocol} is given, readable and whole`,
            suite: 'streams' as const,
            requirements: streamRequirements(protocol),
            check: { kind: 'stream' as const, protocol, probes: idsOf(streamed) },
          },
        ]
      : []),
    ...unstreamed('default', `${protocol} streams only when asked to`, false),
    ...unstreamed('declined', `${protocol} does not stream when asked not to`, true),
  ];
}
