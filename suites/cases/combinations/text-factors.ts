import { groupBy } from '../../../spec/group-by.ts';
import { type Parameter, parameters } from '../../../spec/openapi.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { Protocol, TextProtocol } from '../../../spec/vocabulary.ts';
import type { Setting } from '../../types/combination.ts';
import type { Template } from '../../types/template.ts';
import { fractions, fractionOf } from '../builder/bodies.ts';
import type { Factors, Levels } from './covering-array.ts';

export const absent = 'absent';
export const isWith = (levels: Levels, factor: string): boolean => (levels[factor] ?? absent) !== absent;
export const present = 'present';

/** Parameters that are combined by what they do, and not by their values alone. */
const combinedOtherwise: readonly string[] = [
  'stream',
  'previous_response_id',
  'instructions',
  'system',
  'max_tokens',
];

/** Of these only one is given: the document asks for either (4.3). */
const exclusive: readonly (readonly string[])[] = [['temperature', 'top_p']];

export const excludedBy = (name: string): readonly string[] =>
  exclusive
    .filter((names) => names.includes(name))
    .flatMap((names) => names.filter((other) => other !== name));

export function edges({ types, minimum, maximum, allowed }: Parameter): readonly Template[] {
  if (allowed) return allowed;
  if (types.includes('boolean')) return [false, true];
  return [minimum, maximum].filter((bound) => bound !== undefined);
}

const levelOf = (name: string, value: Template): string => `${name} = ${JSON.stringify(value)}`;

/** The parameter and the value of a level; undefined where it names none. */
export function settingOfLevel(level: string) {
  const [name, value] = level.split(' = ', 2);
  if (name === undefined || value === undefined) return undefined;
  return { name, value: JSON.parse(value) as Template };
}

/** The factor of a parameter: those that exclude each other have one. */
const factorOf = (name: string) => exclusive.find((names) => names.includes(name))?.join(' or ') ?? name;

/** What no row has: a value between the bounds that no other request has, and the default where it is no bound. */
function unlisted(protocol: TextProtocol, parameter: Parameter): readonly Template[] {
  const { name, default: usual } = parameter;
  const between = name in fractions[protocol] ? undefined : fractionOf(parameter);
  const further = [between, usual].filter((value) => value !== undefined);
  return further.filter((value) => !edges(parameter).includes(value));
}

/** Optional parameters that are combined by their values, each with its factor. */
const combinedByValue = (protocol: Protocol) =>
  parameters(protocol)
    .filter(({ name, required }) => !required && !combinedOtherwise.includes(name))
    .map((parameter) => ({ parameter, factor: factorOf(parameter.name) }));

/** Values that no row has, as levels, each with its factor. */
export const fractionLevels = (protocol: TextProtocol) =>
  combinedByValue(protocol).flatMap(({ parameter, factor }) =>
    unlisted(protocol, parameter).map((value) => ({ factor, level: levelOf(parameter.name, value) })),
  );

/** Optional parameters with stated values, those that exclude each other as one factor. */
const valueFactors = (protocol: Protocol): Factors =>
  Object.fromEntries(
    [...groupBy(combinedByValue(protocol), ({ factor }) => factor)].map(([factor, those]) => {
      const levels = those.flatMap(({ parameter }) =>
        edges(parameter).map((value) => levelOf(parameter.name, value)),
      );
      return [factor, [absent, ...levels]];
    }),
  );

/** The requirement that what a prompt holds is taken. */
export const contentAccepted = (protocol: Protocol): string =>
  `${protocol}.param.${protocolFacts[protocol].content}.accepted`;

/** A setting of the prompt: the requirements that it breaks where it is refused, and what it changes. */
export const promptSetting = (
  factor: string,
  description: string,
  requirements: readonly string[],
  changes: Partial<Setting>,
): Setting => ({ factor, description, requirements, isOfPrompt: true, ...changes });

const twoLevels = [absent, present] as const;
/** What a request of each text protocol may have besides: its context, its bound, the form of its prompt. */
const contextFactors: Readonly<Record<TextProtocol, Factors>> = {
  responses: { instructions: twoLevels, list: twoLevels },
  messages: { system: twoLevels, history: twoLevels, limit: twoLevels },
  chat: { system: twoLevels, history: twoLevels, limit: twoLevels },
};

/** The level of the factor `caller` of a response that follows another: of the first caller. */
export const chained = 'chained';

/** Who calls; of responses, too, whether it is chained, which only the first caller's are. */
function callerFactor(protocol: TextProtocol, callers: number): Factors {
  const levels = Array.from({ length: callers }, (_, at) => String(at));
  if (protocol === 'responses') return { caller: [...levels, chained] };
  return callers > 1 ? { caller: levels } : {};
}

/** The factors of the valid requests of a text protocol, which so many callers may judge (4.1 to 4.3). */
export const textFactors = (protocol: TextProtocol, callers: number): Factors => ({
  ...callerFactor(protocol, callers),
  stream: twoLevels,
  ...valueFactors(protocol),
  ...contextFactors[protocol],
  scripts: twoLevels,
  length: twoLevels,
});
