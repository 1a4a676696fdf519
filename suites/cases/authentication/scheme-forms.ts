import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Payloads } from '../../../fixtures/payloads/payloads.ts';
import type { Credential } from '../../types/plan.ts';
import type { CredentialForm } from './credential-form.ts';

const authorization = (value: string): Credential => ({ form: 'header', name: 'authorization', value });

const everywhere: readonly CredentialForm[] = [
  {
    slug: 'bare',
    description: 'the token without `Bearer`',
    requirement: 'auth.scheme',
    credential: authorization('{token}'),
    in: 'stream',
  },
  {
    slug: 'basic',
    description: 'the token under the scheme Basic',
    requirement: 'auth.scheme',
    credential: authorization('Basic {token}'),
  },
  {
    slug: 'lower-case',
    description: 'the scheme in lower case',
    requirement: 'auth.scheme-case',
    unspecified: true,
    credential: authorization('bearer {token}'),
  },
  {
    slug: 'x-api-key',
    description: 'the token in x-api-key',
    requirement: 'auth.x-api-key',
    unspecified: true,
    credential: { form: 'header', name: 'x-api-key', value: '{token}' },
  },
];

/** A gateway that takes the token under any word, or under none, takes these as well. */
const otherShape = (
  slug: string,
  unless: 'bare' | 'basic',
  [value, description]: readonly [value: string, description: string],
): CredentialForm => ({
  slug,
  description,
  requirement: 'auth.scheme',
  credential: authorization(value),
  unless,
  asInvalid: true,
});

/** What is read by taking the header apart carelessly; spread over the endpoints, which tend to share the code. */
const somewhere = (stranger: string): Readonly<Record<Protocol, readonly CredentialForm[]>> => ({
  messages: [],
  responses: [
    otherShape('token', 'basic', ['Token {token}', 'the token under the scheme Token']),
    otherShape('twice', 'basic', ['Bearer Bearer {token}', 'the token behind `Bearer` twice']),
  ],
  chat: [
    otherShape('followed', 'basic', [
      `Bearer {token} ${stranger}`,
      'the token and, behind a blank, one that was never issued',
    ]),
    otherShape('colon', 'bare', ['Bearer:{token}', 'the token behind `Bearer` and a colon']),
  ],
  images: [
    otherShape('api-key', 'basic', ['ApiKey {token}', 'the token under the scheme ApiKey']),
    otherShape('attached', 'bare', ['Bearer{token}', 'the token behind `Bearer` without a blank']),
    otherShape('listed', 'bare', [
      `Bearer {token},${stranger}`,
      'the token and, behind a comma, one that was never issued',
    ]),
  ],
});

/** Forms of a token in `Authorization` that are not the documented `Bearer <API_KEY>` (section 5). */
export const schemeForms = (
  { invalidTokens: [stranger] }: Payloads,
  protocol: Protocol,
): readonly CredentialForm[] => [...everywhere, ...somewhere(stranger)[protocol]];
