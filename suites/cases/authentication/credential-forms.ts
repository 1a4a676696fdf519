import type { CredentialForm } from './credential-form.ts';
import type { Payloads } from '../../../fixtures/payloads/payloads.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import type { Credential } from '../../types/plan.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { type InvalidToken, invalidTokenForm } from '../builder/request-ids.ts';
import { nearMissForms, streamedNearMiss } from './near-miss-forms.ts';
import { schemeForms } from './scheme-forms.ts';

const header = (name: string, value: string): Credential => ({ form: 'header', name, value });

/** The documented form of an endpoint with this in place of a token. */
function inPlaceOfToken(protocol: Protocol, value: string): Credential {
  const { credential } = protocolFacts[protocol];
  return header(credential.header, credential.value.replace('{token}', value).trimEnd());
}

/** The form that has no credential. */
export const noCredential = 'missing';

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
    isShortest: true,
    everywhere: true,
  },
  {
    slug: 'empty',
    description: 'a header with no token in it',
    requirement: 'auth.missing',
    credential: inPlaceOfToken(protocol, ''),
    asInvalid: true,
    in: 'stream',
  },
  {
    slug: 'longer',
    description: 'the token with `-1` behind it',
    requirement: 'auth.invalid',
    credential: inPlaceOfToken(protocol, '{token}-1'),
    in: 'situation',
  },
  ...nearMissForms(protocol, 'of-any-token'),
  ...tokensSomewhere(data, protocol),
  invalidForm('first', data.invalidTokens[0], 'a token that was never issued'),
  {
    ...invalidForm('second', data.invalidTokens[1], 'another token that was never issued'),
    // Of images the plain request is the shortest.
    ...(isTextProtocol(protocol) ? { isShortest: true } : { in: 'situation' }),
  },
  // Not every token has letters of two cases or a prefix: the situations that are needed are not left to these.
  ...nearMissForms(protocol, 'of-some-tokens'),
];

/** Spread over the endpoints, as other near misses are. */
const tokensSomewhere = (
  { invalidTokens: [stranger] }: Payloads,
  protocol: Protocol,
): readonly CredentialForm[] => {
  const forms: Readonly<Record<Protocol, readonly CredentialForm[]>> = {
    responses: [],
    messages: [
      {
        slug: 'listed',
        description: 'a token that was never issued and, behind a comma, the right one',
        requirement: 'auth.invalid',
        credential: inPlaceOfToken(protocol, `${stranger},{token}`),
        unless: streamedNearMiss,
        in: 'situation',
      },
    ],
    // Found in every table of tokens that is an object of JavaScript.
    chat: [
      {
        ...invalidForm('member', 'constructor', 'the name of what every JavaScript object has, as a token'),
        unless: invalidTokenForm('first'),
        in: 'situation',
      },
    ],
    images: [],
  };
  return forms[protocol];
};

const apiKeyForms = ({ data }: CaseBuilder): readonly CredentialForm[] => [
  {
    slug: 'bearer',
    description: 'Authorization: Bearer in place of x-api-key',
    requirement: 'auth.bearer',
    credential: header('authorization', 'Bearer {token}'),
    isShortest: true,
    everywhere: true,
  },
  {
    slug: 'beside-bearer',
    description: 'a token that was never issued in x-api-key, with a valid Authorization: Bearer',
    // Whoever has the token gets in by the form that the endpoint does not accept.
    requirement: 'auth.bearer',
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
    isShortest: true,
    everywhere: true,
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
  ...(protocolFacts[protocol].credential.header === 'x-api-key'
    ? apiKeyForms(builder)
    : schemeForms(builder.data, protocol)),
  ...(protocolFacts[protocol].hasVersionHeader ? versionForms : []),
];
