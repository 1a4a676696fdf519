import { protocolFacts } from '../../../spec/protocols.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Credential, NearMiss, PlannedRequest } from '../../model/plan.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { type InvalidToken, invalidTokenForm } from '../builder/request-ids.ts';

/** A request whose credential is not in the documented form, and what the document makes of it. */
export interface CredentialForm {
  readonly slug: string;
  readonly description: string;
  /** Id of the requirement behind the protocol; `unspecified` ones are observed. */
  readonly requirement: string;
  readonly unspecified?: true;
  readonly credential?: Credential;
  readonly version?: PlannedRequest['version'];
  /** Slug of another form: where that one is answered already, this one shows no more. */
  readonly unless?: string;
  /** What has no token in it may be taken for an invalid one, where those are accepted. */
  readonly asInvalid?: true;
  /** Asked for as a stream, too: a gateway may check a credential for plain replies and not for streams. */
  readonly streamed?: true;
}

const header = (name: string, value: string): Credential => ({ form: 'header', name, value });

/** The documented form of an endpoint with this in place of a token. */
function inPlaceOfToken(protocol: Protocol, value: string): Credential {
  const { credential } = protocolFacts[protocol];
  return header(credential.header, credential.value.replace('{token}', value).trimEnd());
}

/** The near-miss token that is also asked for as a stream: a gateway that accepts any of them accepts this one. */
export const streamedNearMiss = 'near-miss.last';

/** The form that has no credential. */
export const noCredential = 'missing';

/** A check by length, shape, beginning or end, or one that ignores case, accepts one of these. */
const nearMissDescriptions = [
  ['last', 'the token with another last character'],
  ['middle', 'the token with another character in its middle'],
  ['shorter', 'the token without its last character'],
  ['case', 'the token with upper and lower case swapped'],
] as const satisfies readonly (readonly [NearMiss, string])[];

const nearMissForm = ([how, description]: readonly [NearMiss, string]): CredentialForm => {
  const slug = `near-miss.${how}`;
  return {
    slug,
    description,
    requirement: 'auth.invalid',
    credential: { form: 'near-miss', how },
    ...(slug === streamedNearMiss ? { streamed: true } : {}),
  };
};

const invalidForm = (which: InvalidToken, token: string, description: string): CredentialForm => ({
  slug: invalidTokenForm(which),
  description,
  requirement: 'auth.invalid',
  credential: { form: 'invalid', token },
});

const formsOfEveryProtocol = ({ data }: CaseBuilder, protocol: Protocol): readonly CredentialForm[] => [
  {
    slug: noCredential,
    description: 'no credential',
    requirement: 'auth.missing',
    credential: { form: 'none' },
    streamed: true,
  },
  {
    slug: 'empty',
    description: 'a header with no token in it',
    requirement: 'auth.missing',
    credential: inPlaceOfToken(protocol, ''),
    asInvalid: true,
    streamed: true,
  },
  {
    slug: 'longer',
    description: 'the token with one letter more',
    requirement: 'auth.invalid',
    credential: inPlaceOfToken(protocol, '{token}x'),
  },
  ...nearMissDescriptions.map(nearMissForm),
  invalidForm('first', data.invalidTokens[0], 'a token that was never issued'),
  invalidForm('second', data.invalidTokens[1], 'another token that was never issued'),
];

const bearerForms: readonly CredentialForm[] = [
  {
    slug: 'bare',
    description: 'the token without `Bearer`',
    requirement: 'auth.scheme',
    credential: header('authorization', '{token}'),
    streamed: true,
  },
  {
    slug: 'basic',
    description: 'the token under the scheme Basic',
    requirement: 'auth.scheme',
    credential: header('authorization', 'Basic {token}'),
    streamed: true,
  },
  {
    slug: 'token',
    description: 'the token under the scheme Token',
    requirement: 'auth.scheme',
    credential: header('authorization', 'Token {token}'),
  },
  {
    slug: 'lower-case',
    description: 'the scheme in lower case',
    requirement: 'auth.scheme-case',
    unspecified: true,
    credential: header('authorization', 'bearer {token}'),
  },
  {
    slug: 'x-api-key',
    description: 'the token in x-api-key',
    requirement: 'auth.x-api-key',
    unspecified: true,
    credential: header('x-api-key', '{token}'),
  },
];

const apiKeyForms = ({ data }: CaseBuilder): readonly CredentialForm[] => [
  {
    slug: 'bearer',
    description: 'Authorization: Bearer in place of x-api-key',
    requirement: 'auth.bearer',
    credential: header('authorization', 'Bearer {token}'),
    streamed: true,
  },
  {
    slug: 'beside-bearer',
    description: 'a token that was never issued in x-api-key, with a valid Authorization: Bearer',
    requirement: 'auth.invalid',
    credential: { form: 'conflicting', token: data.invalidTokens[0] },
    unless: 'bearer',
  },
  {
    slug: 'prefixed',
    description: '`Bearer` before the token in x-api-key',
    requirement: 'auth.bearer-prefix',
    unspecified: true,
    credential: header('x-api-key', 'Bearer {token}'),
  },
];

const versionForms: readonly CredentialForm[] = [
  {
    slug: 'version.missing',
    description: 'no version header',
    requirement: 'auth.version.required',
    version: 'absent',
    streamed: true,
  },
  {
    slug: 'version.later',
    description: 'another date as the version',
    requirement: 'auth.version.other-values',
    unspecified: true,
    version: { value: '2030-01-01' },
  },
  {
    slug: 'version.word',
    description: 'a version that is no date',
    requirement: 'auth.version.other-values',
    unspecified: true,
    version: { value: 'latest' },
  },
];

/** Every form that differs from the documented one of an endpoint (section 5). */
export const credentialForms = (builder: CaseBuilder, protocol: Protocol): readonly CredentialForm[] => [
  ...formsOfEveryProtocol(builder, protocol),
  ...(protocolFacts[protocol].credential.header === 'x-api-key' ? apiKeyForms(builder) : bearerForms),
  ...(protocolFacts[protocol].hasVersionHeader ? versionForms : []),
];
