import {
  groups,
  isTextProtocol,
  type Protocol,
  protocols,
  type TextProtocol,
} from '../../../spec/vocabulary.ts';
import { plainStream, asking, plain } from '../builder/bodies.ts';
import { addObservation, type CaseBuilder, type Needs } from '../builder/case-builder.ts';
import {
  cellAskedId,
  cellId,
  inSituationId,
  rateLimitedAfterId,
  rateLimitedId,
  rateLimitedStreamId,
  tokenAskedId,
  invalidTokenId,
  malformedBodyId,
  missingParameterId,
  streamedId,
  wrongValueId,
} from '../../types/request-ids.ts';
import type { Condition } from '../../types/plan.ts';
import { behindDiscovery } from '../authentication/credential-situations.ts';
import { type Situation, situations } from '../combinations/situations.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { Template } from '../../types/template.ts';
import { isOutOfRange } from '../probes/asked.ts';

/** Valid in other words, and of another length: what a reply repeats of a request is not the same twice. */
const otherBody = (protocol: Protocol): Template =>
  isTextProtocol(protocol)
    ? asking(protocol, 'Name one colour, please, and nothing else.')
    : { ...plain[protocol], prompt: 'Two small squares' };

/** Refusals of one invalid token: a reply that repeats the token is the same both times. */
export const authenticationErrors = (protocol: Protocol): readonly string[] => [
  invalidTokenId(protocol, 'first'),
  invalidTokenId(protocol, 'again'),
];

/** The same as a stream, where the protocol has one: both are told apart there, too. */
const streamedBody = (protocol: Protocol): Template =>
  isTextProtocol(protocol) ? { ...Object(otherBody(protocol)), stream: true } : otherBody(protocol);

/** Plans them; the first is planned by the authentication area, too. */
export function sendAuthenticationErrors(builder: CaseBuilder, protocol: Protocol): readonly string[] {
  const [token] = builder.data.invalidTokens;
  const overrides = { credential: { form: 'invalid', token }, expect: 'refusal', when: [] } as const;
  return [
    builder.send(invalidTokenId(protocol, 'first'), protocol, overrides),
    builder.send(invalidTokenId(protocol, 'again'), protocol, { ...overrides, json: streamedBody(protocol) }),
  ];
}

/** Invalid tokens that are shown anyway, most of them in situations. */
export function furtherAuthenticationErrors(builder: CaseBuilder, protocol: Protocol) {
  const ids = builder
    .asked('authentication', protocol)
    .flat()
    .flatMap(({ id, given }) => (given.looksIssued ? [id] : []));
  return [...ids, ...ids.map(streamedId), ...inSituations(builder, ids)].filter(
    (id) => builder.requests.has(id) && !authenticationErrors(protocol).includes(id),
  );
}

/** Tokens that are invented where a first cell is not answered: of a gateway that limits failed logins the only ones it tells so. */
const inventedTokens = ({ cells }: CaseBuilder, protocol: Protocol): readonly string[] =>
  cells(protocol).map((cell) => cellAskedId(cell, 'invented-token'));

/** The same in each situation that shows it anyway: clients tell the classes apart there, too. */
const inSituations = ({ requests }: CaseBuilder, ids: readonly string[]): readonly string[] =>
  [...requests.keys()].filter((id) => ids.some((each) => id.startsWith(inSituationId(each, ''))));

/** Refusals for an unknown and for a missing model, with a valid token, and one with the model that others name. */
export function generalErrors(builder: CaseBuilder, protocol: Protocol) {
  const ids = [
    wrongValueId(protocol, 'model', 'unknown', 'unknown'),
    missingParameterId(protocol, 'model'),
    // A reply that repeats a model tells no class.
    missingParameterId(protocol, protocolFacts[protocol].content),
  ];
  const further = inSituations(builder, ids);
  const streamed = further.filter((id) => builder.requests.get(id)?.stream === true);
  return { probes: [...ids, ...streamed], further };
}

/** A general error that names no model and no token: a client that gets that of an invalid token is misled. */
export const bodyErrors = (protocol: Protocol): readonly string[] => [malformedBodyId(protocol, 'cut')];

/** What a parameter beyond its range gets: a general error that is judged by one check of the gateway alone. */
export const rangeErrors = (builder: CaseBuilder, protocol: Protocol) =>
  builder
    .asked('parameters', protocol)
    .map((values) => values.filter((one) => isOutOfRange(one) && !one.plainer))
    .flatMap((values) => {
      const [first] = values;
      const ids = values.map(({ id }) => id);
      return first
        ? [{ parameter: first.parameter.name, probes: ids, further: inSituations(builder, ids) }]
        : [];
    });

export const rateLimitErrors = (protocol: Protocol): readonly string[] => [
  rateLimitedId(protocol, 1),
  rateLimitedId(protocol, 2),
];

const spentToken = { credential: { form: 'token', token: 'rate-limited' }, expect: 'limited' } as const;

/** The group of a spent token is not declared: it is tried on every endpoint, and one that shows it is enough (7). */
export function rateLimitCases(builder: CaseBuilder): void {
  const declared = protocols.filter((protocol) => builder.callers(protocol).length > 0);
  const needs = needsOf(builder, declared);
  const named = (slug: string) => ({
    id: `errors.rate-limit.${slug}`,
    requirement: `errors.rate-limit.${slug}`,
    needs,
  });
  builder.add({
    ...named('enforced'),
    title: 'a token whose limit is spent is refused',
    check: () => ({
      kind: 'limited',
      first: tokenAskedId('rate-limited'),
      endpoints: spentEndpoints(builder, declared),
    }),
  });
  builder.add({
    ...named('distinct'),
    title: 'the error for a spent limit differs from other errors',
    check: () => ({
      kind: 'distinct',
      comparisons: declared.map((protocol) => ({
        probes: [
          ...rateLimitErrors(protocol),
          ...limitSituations(builder, protocol).map(({ number }) =>
            inSituationId(rateLimitedId(protocol, 1), number),
          ),
          ...(isTextProtocol(protocol) ? [rateLimitedStreamId(protocol, 1)] : []),
        ],
        others: [
          {
            name: 'an authentication error',
            probes: authenticationErrors(protocol),
            further: inventedTokens(builder, protocol),
          },
          { name: 'a general error', ...generalErrors(builder, protocol) },
        ],
        control: builder.after(protocol),
        ofGroups: cellsOfGroups(builder, protocol),
      })),
    }),
  });
  addObservation(builder, {
    ...named('retry'),
    title: 'whether the error for a spent limit says when to retry',
    subject: 'Retry-After of the rate-limit error',
    aspect: 'retry-after',
    protocol: 'chat',
    probes: () => declared.flatMap(rateLimitErrors),
  });
}

/** What is sent with the spent token on each endpoint, and as a stream. */
function spentEndpoints(builder: CaseBuilder, declared: readonly Protocol[]) {
  const shown = declared.flatMap((protocol) => {
    const inRows = limitSituations(builder, protocol).map((found) => endpointIn(builder, protocol, found));
    return [plainEndpoint(builder, protocol), ...inRows].map((endpoint) => ({ protocol, endpoint }));
  });
  const streamed = declared.filter(isTextProtocol).map((protocol) => streamedEndpoint(builder, protocol));
  const any = [...shown.map(({ endpoint }) => endpoint), ...streamed].flatMap(({ probes }) => probes);
  // Where any request with the spent token is answered, once more: its limit may have ended meanwhile.
  const again = shown.map(({ protocol, endpoint }) => ({
    ...endpoint,
    after: builder.send(rateLimitedAfterId(protocol), protocol, {
      json: otherBody(protocol),
      ...spentToken,
      when: [{ kind: 'answered', any }],
    }),
  }));
  return [...again, ...streamed];
}

/** The smallest request for a model that the protocol must serve, with a token of each declared group. */
function cellsOfGroups(builder: CaseBuilder, protocol: Protocol): readonly string[] {
  const [caller] = builder.callers(protocol);
  return groups
    .flatMap((group) => (caller ? [cellId({ ...caller, group }, protocol)] : []))
    .filter((id) => builder.requests.has(id));
}

function needsOf({ scope }: CaseBuilder, declared: readonly Protocol[]): Needs {
  if (!scope.rateLimited) return { undeclared: 'no rate-limited token is declared' };
  return declared.length === 0 ? { undeclared: 'no model is declared that its token can call' } : null;
}

const plainEndpoint = (builder: CaseBuilder, protocol: Protocol) => ({
  probes: [
    builder.send(rateLimitedId(protocol, 1), protocol, spentToken),
    builder.send(rateLimitedId(protocol, 2), protocol, { json: otherBody(protocol), ...spentToken }),
  ],
  control: builder.control(protocol),
});

/** So many situations of an endpoint have most of what requests may have. */
const limitSituationsOfEach = 3;

/** The situations in which a spent token is shown; none in `smoke`. */
const limitSituations = (builder: CaseBuilder, protocol: Protocol): readonly Situation[] =>
  situations(builder, protocol, { parameter: '', count: limitSituationsOfEach, from: 0 });

/** The same in a situation; the second only where the first is answered. */
function endpointIn(builder: CaseBuilder, protocol: Protocol, { number, body, overrides }: Situation) {
  const { callers = [], headers } = overrides;
  const request = {
    ...spentToken,
    json: behindDiscovery(protocol, body),
    callers,
    ...(headers ? { headers } : {}),
  };
  const send = (attempt: 1 | 2, when: Condition): string =>
    builder.send(inSituationId(rateLimitedId(protocol, attempt), number), protocol, {
      ...request,
      when: [when],
    });
  const first = send(1, builder.served(protocol));
  return {
    probes: [first, send(2, { kind: 'answered', any: [first] })],
    control: builder.control(protocol),
  };
}

/** The same as a stream; the second only where the first is answered. */
function streamedEndpoint(builder: CaseBuilder, protocol: TextProtocol) {
  const overrides = { ...spentToken, secondFamilyFirst: true, json: plainStream(protocol) };
  const first = builder.send(rateLimitedStreamId(protocol, 1), protocol, overrides);
  const when = [{ kind: 'answered', any: [first] }] as const;
  const again = builder.send(rateLimitedStreamId(protocol, 2), protocol, { ...overrides, when });
  return { probes: [first, again], control: builder.streams(protocol)[0] };
}
