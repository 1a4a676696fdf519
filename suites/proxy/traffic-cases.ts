import { extension, oncePerExtension, type ReplyRule } from '../../spec/extension.ts';
import { cellsWhere } from '../../spec/matrix.ts';
import { nameOf } from '../cases/families/cells.ts';
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
import { fieldRequirements } from '../cases/results/results.ts';
import { streamRequirements } from '../cases/streams/streams.ts';
import { type EvidenceView, isAnswered, isTaken } from '../checks/evidence-view.ts';
import type { Case } from '../types/case.ts';
import type { Check } from '../types/checks/check.ts';
import type { SuiteName } from '../types/suite-names.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Classified } from './classify.ts';

/** An exchange of live traffic, and what its request is. */
export interface TrafficExchange {
  readonly exchange: Exchange;
  readonly known: Classified;
  /** The exchange whose response it continues, where that is known. */
  readonly chainedOn?: string;
}

/** Valid requests of one protocol, and which of them are answered. */
interface Shown {
  readonly protocol: Protocol;
  readonly valid: readonly TrafficExchange[];
  readonly taken: readonly TrafficExchange[];
}

const idsOf = (some: readonly TrafficExchange[]) => some.map(({ exchange }) => exchange.id);

/** What a request has of a parameter. */
const given = ({ known }: TrafficExchange, name: string): unknown => known.parameters[name];

/** The cases that traffic can decide, with the ids of a run: those that rest on answers alone, for it has no control. */
export const trafficCases = (all: readonly TrafficExchange[], view: EvidenceView): readonly Case[] =>
  protocols.flatMap((protocol): readonly Case[] => {
    const valid = all.filter(({ known }) => known.protocol === protocol && known.setAside === undefined);
    if (valid.length === 0) return [];
    const shown = { protocol, valid, taken: valid.filter(({ exchange }) => isTaken(view, exchange.id)) };
    const ofStreams = isTextProtocol(protocol) ? streamCases(shown, protocol) : [];
    const ofAnswers = [...servedCases(shown), ...resultCases(shown, view), ...acceptedCases(shown)];
    return [...ofAnswers, ...ofStreams, ...ownCases(shown)];
  });

/** A case that judges one requirement; its suite is the first part of its id. */
const single = (
  id: string,
  title: string,
  check: Extract<Check, { readonly requirement: string }>,
): Case => ({ id, title, suite: id.split('.')[0] as SuiteName, requirements: [check.requirement], check });

function servedCases({ protocol, taken }: Shown): readonly Case[] {
  if (taken.length === 0) return [];
  const served = (id: string, title: string, requirement: string, some: readonly TrafficExchange[]): Case =>
    single(id, title, { kind: 'served', requirement, probes: idsOf(some) });
  const by = (family: Family, group: Group, stream: boolean) =>
    taken.filter(
      ({ known }) =>
        known.stream === stream && known.families.includes(family) && known.groups.includes(group),
    );
  const judged = cellsWhere({ protocol, expectation: 'served', anyGroup: false });
  const cells = judged.flatMap(({ family, group, stream, requirements: rows }): readonly Case[] => {
    const requirement = rows.find((id) => id !== 'chat-image.reply');
    const probes = by(family, group, stream);
    if (requirement === undefined || probes.length === 0) return [];
    const id = `families.${family}.${protocol}.${group}${stream ? '.stream' : ''}`;
    const title = `${nameOf({ family, protocol, group, stream })}: must be served`;
    const { requirements, check, ...own } = served(id, title, requirement, probes);
    return [{ ...own, cell: { family, protocol, group, stream }, requirements, check }];
  });
  const { families, group } = protocolFacts[protocol].callers;
  const [family] = families;
  const ofFamily = taken.filter(({ known }) => known.families.includes(family));
  const someGroup = `${family} model on ${protocol} is served for at least one group`;
  const documented = `${protocol} takes a token in the documented form`;
  return [
    ...cells,
    ...(group === 'any' && ofFamily.length > 0
      ? [
          served(
            `families.${family}.${protocol}.some-group`,
            someGroup,
            `family.${family}.${protocol}`,
            ofFamily,
          ),
        ]
      : []),
    served(`families.${protocol}.endpoint`, `${protocol} answers on its path`, `${protocol}.endpoint`, taken),
    served(`authentication.${protocol}.accepted`, documented, `${protocol}.auth.accepted`, taken),
  ];
}

function resultCases({ protocol, taken }: Shown, view: EvidenceView): readonly Case[] {
  const unstreamed = taken.filter(({ known }) => !known.stream);
  const answered = idsOf(taken.filter(({ exchange }) => isAnswered(view, exchange.id)));
  const fields = fieldRequirements(protocol);
  const output = { kind: 'output', requirement: 'service.output', protocol, probes: answered } as const;
  return [
    {
      id: `results.${protocol}.fields`,
      title: `every result of ${protocol} has the fields of section 2`,
      suite: 'results',
      requirements: fields,
      check: { kind: 'result-fields', protocol, requirements: fields, probes: idsOf(unstreamed) },
    },
    ...(isTextProtocol(protocol)
      ? [single(`results.${protocol}.output`, `${protocol} returns model output`, output)]
      : []),
    ...(protocol === 'images' ? imageCases(unstreamed) : []),
    ...(protocol === 'chat' ? chatImageCases(unstreamed) : []),
  ];
}

function chatImageCases(unstreamed: readonly TrafficExchange[]): readonly Case[] {
  const [probe, ...again] = idsOf(unstreamed.filter(({ known }) => known.families.includes('chat-image')));
  if (probe === undefined) return [];
  const check = { kind: 'chat-completion', requirement: 'chat-image.reply', probe, again } as const;
  return [single('results.chat-image.reply', 'an image model on chat replies with a chat completion', check)];
}

function imageCases(unstreamed: readonly TrafficExchange[]): readonly Case[] {
  const counted = [...new Set(unstreamed.map((each) => given(each, 'n')))].filter(
    (n) => typeof n === 'number' || n === undefined,
  );
  const counts = counted.map((count): Case => {
    const probes = idsOf(unstreamed.filter((each) => given(each, 'n') === count));
    const check = { kind: 'image-count', requirement: 'images.result.data.count', probes } as const;
    const id = 'results.images.count';
    return count === undefined
      ? single(`${id}.left-out`, 'images returns an image where n is left out', check)
      : single(`${id}.${count}`, `images returns ${count} for n = ${count}`, { ...check, count });
  });
  const probes = idsOf(unstreamed.filter((each) => given(each, 'response_format') === 'url'));
  if (probes.length === 0) return counts;
  const check = { kind: 'image-url', requirement: 'images.result.data.url', probes } as const;
  const title = 'images returns a url for each image where response_format is url';
  return [...counts, single('results.images.url', title, check)];
}

const judgeable = oncePerExtension(
  () => new Set(requirements().flatMap(({ id, excluded }) => (excluded === undefined ? [id] : []))),
);

const acceptedCases = ({ protocol, taken }: Shown): readonly Case[] =>
  parameters(protocol).flatMap(({ name, slug }): readonly Case[] => {
    const requirement = `${protocol}.param.${slug}.accepted`;
    const [probe] = idsOf(taken.filter((each) => isGiven(each, name)));
    if (probe === undefined || !judgeable().has(requirement)) return [];
    const id = `parameters.${protocol}.${slug}.accepted.in-traffic`;
    const check = { kind: 'accepted', requirement, probe, controls: [] } as const;
    return [single(id, `${protocol} answers requests with ${name}`, check)];
  });

/** Of refusals traffic shows no control, and how long a reply took hung on its client, too. */
const ofTraffic = ({ within: _, ...rule }: ReplyRule): readonly ReplyRule[] =>
  (rule.of === 'answers' || rule.of === 'streams') &&
  Object.keys(rule).some((key) => !/^(of|protocols)$/.test(key))
    ? [rule]
    : [];

/** What an extension in force states of replies. */
const ownCases = ({ protocol, taken }: Shown): readonly Case[] =>
  (extension()?.statements ?? []).flatMap(({ id: requirement, statement, replies = [] }) =>
    replies.flatMap(ofTraffic).flatMap((rule, at): readonly Case[] => {
      const probes = idsOf(
        taken.filter(({ known }) => rule.of === 'every reply' || known.stream === (rule.of === 'streams')),
      );
      if (probes.length === 0 || !(rule.protocols ?? protocols).includes(protocol)) return [];
      const check = { kind: 'reply-rule', requirement, protocol, rule, probes } as const;
      return [single(`results.${protocol}.${requirement}.${at + 1}`, statement, check)];
    }),
  );

/** Lists and texts are always there where they are required; of an id only one that came from here counts. */
function isGiven(one: TrafficExchange, name: string): boolean {
  if (name === 'previous_response_id') return one.chainedOn !== undefined;
  return name === protocolFacts[one.known.protocol].content || given(one, name) !== undefined;
}

function streamCases({ valid, taken }: Shown, protocol: TextProtocol): readonly Case[] {
  const streamed = valid.filter(({ known }) => known.stream);
  const unstreamed = (id: string, title: string, value: false | undefined): readonly Case[] => {
    const requirement = `${protocol}.param.stream.${id === 'declined' ? 'accepted' : 'default'}`;
    const probes = idsOf(taken.filter((each) => !each.known.stream && given(each, 'stream') === value));
    const check = { kind: 'unstreamed', requirement, protocol, declined: id === 'declined', probes } as const;
    return probes.length === 0 ? [] : [single(`streams.${protocol}.${id}`, title, check)];
  };
  const shape: Case = {
    id: `streams.${protocol}.shape`,
    title: `every stream of ${protocol} is given, readable and whole`,
    suite: 'streams',
    requirements: streamRequirements(protocol),
    check: { kind: 'stream', protocol, probes: idsOf(streamed) },
  };
  return [
    ...(streamed.length > 0 ? [shape] : []),
    ...unstreamed('default', `${protocol} streams only when asked to`, undefined),
    ...unstreamed('declined', `${protocol} does not stream when asked not to`, false),
  ];
}
