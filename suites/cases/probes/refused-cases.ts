import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import { describeSettings, type Setting } from '../../types/combination.ts';
import type { Condition } from '../../types/plan.ts';
import { fullId, inPlainId, inSituationId, listedInputId, plainId } from '../../types/request-ids.ts';
import { type Body, fractions, hello, minimal, plain, user } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { anyValue, rowsShowing, rowsWhere, type Situation, situations } from '../combinations/situations.ts';
import { type Asked, changed } from './asked.ts';
import { addRefused, overridesOf } from './refused-probe.ts';
import { type Parameter, parameters } from '../../../spec/openapi.ts';
import type { Template } from '../../types/template.ts';
import { instead } from '../builder/shared-requests.ts';

/** Sent as the first caller, and only where no smaller request was answered. */
const whereSmallestFails = (builder: CaseBuilder, protocol: Protocol) =>
  ({
    callers: builder.callers(protocol).slice(0, 1),
    when: [{ kind: 'unanswered', all: [...builder.cells(protocol), builder.control(protocol)] }],
    billed: 0,
  }) as const;

export const fullRequest = (builder: CaseBuilder, protocol: Protocol): string =>
  builder.send(fullId(protocol), protocol, {
    json: fullBody(protocol),
    ...whereSmallestFails(builder, protocol),
  });

/** Another form of a parameter that has two: `input` as a list, in the shape that the register tries. */
export const listedRequest = (builder: CaseBuilder): string =>
  builder.send(listedInputId, 'responses', {
    json: { ...plain.responses, input: user(hello) },
    ...whereSmallestFails(builder, 'responses'),
  });

const validValue = ({ types, allowed, minimum, maximum, example }: Parameter): Template =>
  types.includes('boolean') ? false : (allowed?.[0] ?? minimum ?? maximum ?? example ?? null);

/** Every parameter but an id to chain from, which needs an answer first. */
export function fullBody(protocol: Protocol): Body {
  const optional = parameters(protocol).filter(
    ({ name, required }) => !required && name !== 'previous_response_id',
  );
  return {
    ...minimal[protocol],
    ...Object.fromEntries(optional.map((parameter) => [parameter.name, validValue(parameter)])),
  };
}

/** Ids of the rows of the covering array that show what a probe does. */
export function combinationsOf(builder: CaseBuilder, asked: Asked): readonly string[] {
  const { protocol, parameter, rows, given } = asked;
  if (typeof rows === 'object') return rowsWhere(builder, protocol, ({ factor }) => factor === rows.factor);
  const value = rows === 'any value' ? anyValue : (given.value as Template);
  return rowsShowing(builder, protocol, { name: parameter.name, value });
}

/** Plans the smallest request with a valid value: it is sent where none of the rows that have it is answered. */
export const sendAccepted = (builder: CaseBuilder, asked: Asked): string =>
  builder.send(asked.id, asked.protocol, {
    json: changed(asked, minimal[asked.protocol]),
    ...(asked.billed === undefined ? {} : { billed: Number(asked.billed) }),
    ...instead(combinationsOf(builder, asked)),
    ...(asked.waits === undefined ? {} : { when: [{ kind: 'answered', any: [asked.waits] }] }),
  });

/** A fraction is asked for where a request that is sent anyway has it, and otherwise in `full`. */
export function isWorthIt(builder: CaseBuilder, { protocol, parameter: { name }, given }: Asked): boolean {
  const { value } = given;
  return (
    typeof value !== 'number' ||
    Number.isInteger(value) ||
    builder.depth.profile === 'full' ||
    !isTextProtocol(protocol) ||
    name in fractions[protocol] ||
    rowsShowing(builder, protocol, { name, value }).length > 0
  );
}

export const acceptedOf = (
  builder: Pick<CaseBuilder, 'asked'>,
  protocol: Protocol,
  { slug }: Pick<Parameter, 'slug'>,
): readonly Asked[] =>
  builder
    .asked('parameters', protocol)
    .flat()
    .filter(({ expect, parameter }) => expect === 'accepted' && parameter.slug === slug);

/** Ids of the requests that show that valid values of a parameter are accepted, the plain one first. */
const acceptedIds = (builder: CaseBuilder, { protocol, parameter }: Asked): readonly string[] => [
  plainId(protocol),
  ...acceptedOf(builder, protocol, parameter)
    .filter((asked) => asked.change !== undefined && isWorthIt(builder, asked))
    .flatMap((asked) => [...combinationsOf(builder, asked), asked.id]),
];

/** Ids of the requests that have a valid value of a parameter: rows, and the one in their stead, which is planned. */
export const requestsWith = (
  builder: CaseBuilder,
  protocol: Protocol,
  parameter: Pick<Parameter, 'slug'>,
  value: unknown,
): readonly string[] =>
  acceptedOf(builder, protocol, parameter)
    .filter(({ given }) => given.value === value)
    .flatMap((asked) => [...combinationsOf(builder, asked), sendAccepted(builder, asked)]);

/** Requests that differ from a probe in what is asked of it alone, by the name that the probe gives them. */
const controls: Readonly<Record<string, (builder: CaseBuilder, asked: Asked) => readonly string[]>> = {
  plain: (builder, { protocol }) => [builder.control(protocol)],
  smallest: (builder, { protocol }) => builder.controls(protocol),
  'accepted values': acceptedIds,
  'a stream': (builder, { protocol }) => (isTextProtocol(protocol) ? [builder.streamed(protocol)] : []),
  'Accept: */*': (builder, { protocol }) => (isTextProtocol(protocol) ? [builder.acceptAny(protocol)] : []),
  'a list': (builder) => [listedRequest(builder)],
  none: () => [],
};

/** The controls of a probe. Throws where it names one that there is not. */
export function controlsOf(builder: CaseBuilder, asked: Asked): readonly string[] {
  const found = controls[asked.control ?? 'plain'];
  if (found === undefined) throw new Error(`there is no control called ${asked.control}`);
  return found(builder, asked);
}

/** What must be refused: in the plain request where no situation stands for it, and in each of these situations. */
export function refusedCases(builder: CaseBuilder, asked: Asked, { own, further }: Shown): void {
  if (own) ownSituation(builder, asked, own);
  else plainCase(builder, asked);
  for (const found of further) refusedInSituation(builder, asked, found);
}

/** In which situations a value is shown: one in place of the plain request, and others. */
interface Shown {
  readonly own?: Situation | undefined;
  readonly further: readonly Situation[];
}

const nowhere: Shown = { further: [] };

/** The situations of each value of a probe, which together have most of what requests may have. */
export function inSituations(builder: CaseBuilder, values: readonly Asked[]): readonly Shown[] {
  const [first] = values;
  const wanted = first?.situations;
  if (first === undefined || wanted === undefined) return values.map(() => nowhere);
  const { name: parameter, slug } = first.parameter;
  const from = slug.length;
  if ('each' in wanted)
    return values.map((_, at) => {
      const of = { parameter, count: wanted.each, from: (wanted.from ?? from) + 2 * at };
      return { further: situations(builder, first.protocol, of) };
    });
  const found = situations(builder, first.protocol, { parameter, count: values.length, from });
  return values.map((_, at) => {
    const situation = found[at % found.length];
    if (situation === undefined) return nowhere;
    return at < wanted.spread
      ? { further: at < found.length ? [situation] : [] }
      : { own: situation, further: [] };
  });
}

/** Wrong requests for images are asked until one is answered: that shows the failure, and each is billed as many texts are. */
function unlessShown(builder: CaseBuilder, { protocol, requirement }: Asked): readonly Condition[] {
  if (isTextProtocol(protocol)) return [];
  const before = builder.refusedFor(requirement);
  return before.length === 0 ? [] : [{ kind: 'unanswered', all: before }];
}

const unlessPlainer = ({ plainer }: Asked): readonly Condition[] =>
  plainer === undefined ? [] : [{ kind: 'unanswered', all: [plainer] }];

function plainCase(builder: CaseBuilder, asked: Asked): void {
  const { protocol, given } = asked;
  const when: readonly Condition[] = [
    given.always ? { kind: 'recorded', all: builder.cells(protocol) } : builder.served(protocol),
    ...unlessPlainer(asked),
    ...unlessShown(builder, asked),
  ];
  addRefused(builder, asked, {
    request: { json: changed(asked, plain[protocol]), when },
    controls: () => controlsOf(builder, asked),
    more: () => (asked.control === 'a stream' ? { controlMayBeRefused: true } : {}),
  });
}

/** What of a situation a probe leaves in it: another content has none of what stands in that. */
const keptOf = ({ protocol, parameter, change: { set = {} } = {} }: Asked, settings: readonly Setting[]) =>
  settings.filter(
    ({ factor, fields }) =>
      factor !== parameter.name && (!(protocolFacts[protocol].content in set) || fields !== undefined),
  );

const requestIn = (asked: Asked, { body, overrides }: Situation, when: readonly Condition[]) => ({
  ...overrides,
  json: changed(asked, body),
  when: [...(overrides.when ?? []), ...when],
});

const wordsOf = (asked: Asked, { settings }: Situation): string => {
  const kept = keptOf(asked, settings);
  return kept.length === 0 ? '' : ` with ${describeSettings(kept)}`;
};

/** Where the situation itself is refused, the plain request shows it. */
function inPlain(builder: CaseBuilder, asked: Asked, { row }: Situation) {
  const probe = builder.send(inPlainId(asked.id), asked.protocol, {
    ...overridesOf(asked),
    json: changed(asked, plain[asked.protocol]),
    expect: 'refusal',
    when: [{ kind: 'refused', exchange: row }],
  });
  return { instead: { probe, controls: controlsOf(builder, asked) } };
}

function ownSituation(builder: CaseBuilder, asked: Asked, situation: Situation): void {
  const when = [...unlessPlainer(asked), ...unlessShown(builder, asked)];
  addRefused(builder, asked, {
    request: requestIn(asked, situation, when),
    controls: () => [situation.row],
    words: wordsOf(asked, situation),
    more: () => ({ controlMayBeRefused: true, ...inPlain(builder, asked, situation) }),
  });
}

/** The same in a situation, of which that is the control. */
export function refusedInSituation(builder: CaseBuilder, asked: Asked, situation: Situation): void {
  addRefused(builder, asked, {
    request: requestIn(asked, situation, unlessShown(builder, asked)),
    controls: () => [situation.row],
    idOf: (id) => inSituationId(id, situation.number),
    words: wordsOf(asked, situation),
    more: () => ({ controlMayBeRefused: true }),
  });
}
