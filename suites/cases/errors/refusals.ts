import { protocolFacts } from '../../../spec/protocols.ts';
import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import type { Template } from '../../types/template.ts';
import { asking, plain } from '../builder/bodies.ts';
import { isOutOfRange } from '../probes/asked.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import {
  inSituationId,
  invalidTokenId,
  malformedBodyId,
  missingParameterId,
  rateLimitedId,
  streamedId,
  wrongValueId,
} from '../../types/request-ids.ts';

/** Valid in other words, and of another length: what a reply repeats of a request is not the same twice. */
export const otherBody = (protocol: Protocol): Template =>
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
export const furtherAuthenticationErrors = (
  { asked, requests }: CaseBuilder,
  protocol: Protocol,
): readonly string[] =>
  asked('authentication', protocol)
    .flat()
    .filter(({ given }) => given.looksIssued)
    .flatMap(({ id }) => [id, streamedId(id)])
    .filter((id) => requests.has(id) && !authenticationErrors(protocol).includes(id));

/** The same in streams that show it anyway: clients tell the classes apart there, too. */
const alsoStreamed = ({ requests }: CaseBuilder, ids: readonly string[]): readonly string[] => [
  ...ids,
  ...[...requests.values()]
    .filter(({ id, stream }) => stream && ids.some((each) => id.startsWith(inSituationId(each, ''))))
    .map(({ id }) => id),
];

/** Refusals for an unknown and for a missing model, with a valid token, and one with the model that others name. */
export const generalErrors = (builder: CaseBuilder, protocol: Protocol): readonly string[] =>
  alsoStreamed(builder, [
    wrongValueId(protocol, 'model', 'unknown', 'unknown'),
    missingParameterId(protocol, 'model'),
    // A reply that repeats a model tells no class.
    missingParameterId(protocol, protocolFacts[protocol].content),
  ]);

/** A general error that names no model and no token: a client that gets that of an invalid token is misled. */
export const bodyErrors = (protocol: Protocol): readonly string[] => [malformedBodyId(protocol, 'cut')];

/** What a parameter beyond its range gets: a general error that is judged by one check of the gateway alone. */
export const rangeErrors = (
  { asked }: CaseBuilder,
  protocol: Protocol,
): readonly { readonly parameter: string; readonly probes: readonly string[] }[] =>
  asked('parameters', protocol)
    .map((values) => values.filter((one) => isOutOfRange(one) && !one.plainer))
    .flatMap((values) => {
      const [first] = values;
      return first ? [{ parameter: first.parameter.name, probes: values.map(({ id }) => id) }] : [];
    });

/** Refusals of a token whose limit is spent. */
export const rateLimitErrors = (protocol: Protocol): readonly string[] => [
  rateLimitedId(protocol, 1),
  rateLimitedId(protocol, 2),
];
