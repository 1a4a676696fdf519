import type { Protocol } from '../../spec/vocabulary.ts';
import type { NearMiss, Credential, PlannedRequest } from '../model/plan.ts';
import type { CaseBuilder } from './builder/case-builder.ts';

/** A request whose credential is not in the documented form, and what the document makes of it. */
export interface Form {
  readonly slug: string;
  readonly words: string;
  /** Id of the requirement behind the protocol; `open` ones are observed. */
  readonly requirement: string;
  readonly open?: boolean;
  readonly credential?: Credential;
  readonly version?: PlannedRequest['version'];
  /** Slug of another form: where that is taken already, this one shows no more. */
  readonly unless?: string;
  /** What has no token in it may be taken for an invalid one, where those are taken. */
  readonly asInvalid?: true;
  /** Asked for as a stream, too: a gateway may look at a credential on one way and forget it on the other. */
  readonly streamed?: boolean;
}

const header = (name: string, value: string): Credential => ({ form: 'header', name, value });

/** The documented form around something that is no token of the console. */
const around = (protocol: Protocol, value: string): Credential =>
  protocol === 'messages'
    ? header('x-api-key', value)
    : header('authorization', value === '' ? 'Bearer' : `Bearer ${value}`);

/** Behind the protocol: the id of a request with a token that was never issued. */
export const invalidSlug = (index: number): string => `invalid.${index === 0 ? 'first' : 'second'}`;

/** A check by length, shape, beginning or end, or one that pays no attention to case, takes one of these. */
const nearMissWords: Readonly<Record<NearMiss, string>> = {
  last: 'the token with another last character',
  middle: 'the token with another character in its middle',
  shorter: 'the token without its last character',
  case: 'the token with upper and lower case swapped',
};

const nearMissForm = ([how, words]: readonly [string, string]): Form => ({
  slug: `near-miss.${how}`,
  words,
  requirement: 'auth.invalid',
  credential: { form: 'near-miss', how: how as NearMiss },
  // What takes any token, or any like it, takes this one.
  streamed: how === 'last',
});

const everywhere = (builder: CaseBuilder, protocol: Protocol): readonly Form[] => [
  {
    slug: 'missing',
    words: 'no credential',
    requirement: 'auth.missing',
    credential: { form: 'none' },
    streamed: true,
  },
  {
    slug: 'empty',
    words: 'a header with no token in it',
    requirement: 'auth.missing',
    credential: around(protocol, ''),
    asInvalid: true,
    streamed: true,
  },
  {
    slug: 'longer',
    words: 'the token with one letter more',
    requirement: 'auth.invalid',
    credential: around(protocol, '{token}x'),
  },
  ...Object.entries(nearMissWords).map(nearMissForm),
  ...builder.data.invalidTokens.map((token, index) => ({
    slug: invalidSlug(index),
    words: index === 0 ? 'a token that was never issued' : 'another token that was never issued',
    requirement: 'auth.invalid',
    credential: { form: 'invalid', token } as const,
  })),
];

const schemeForm = (scheme: 'Basic' | 'Token'): Form => ({
  slug: scheme.toLowerCase(),
  words: `the token under the scheme ${scheme}`,
  requirement: 'auth.scheme',
  credential: header('authorization', `${scheme} {token}`),
  streamed: scheme === 'Basic',
});

const bearerForms: readonly Form[] = [
  {
    slug: 'bare',
    words: 'the token without `Bearer`',
    requirement: 'auth.scheme',
    credential: header('authorization', '{token}'),
    streamed: true,
  },
  schemeForm('Basic'),
  schemeForm('Token'),
  {
    slug: 'lower-case',
    words: 'the scheme in lower case',
    requirement: 'auth.scheme-case',
    open: true,
    credential: header('authorization', 'bearer {token}'),
  },
  {
    slug: 'x-api-key',
    words: 'the token in x-api-key',
    requirement: 'auth.x-api-key',
    open: true,
    credential: header('x-api-key', '{token}'),
  },
];

const messagesForms = ({ data }: CaseBuilder): readonly Form[] => [
  {
    slug: 'bearer',
    words: 'Authorization: Bearer in place of x-api-key',
    requirement: 'auth.bearer',
    credential: header('authorization', 'Bearer {token}'),
    streamed: true,
  },
  {
    slug: 'beside-bearer',
    words: 'a token that was never issued in x-api-key, beside a right Authorization: Bearer',
    requirement: 'auth.invalid',
    credential: { form: 'conflicting', token: data.invalidTokens[0] },
    unless: 'bearer',
  },
  {
    slug: 'prefixed',
    words: '`Bearer` before the token in x-api-key',
    requirement: 'auth.bearer-prefix',
    open: true,
    credential: header('x-api-key', 'Bearer {token}'),
  },
  {
    slug: 'version.missing',
    words: 'no version header',
    requirement: 'auth.version.required',
    version: 'absent',
    streamed: true,
  },
  {
    slug: 'version.later',
    words: 'another date as the version',
    requirement: 'auth.version.other-values',
    open: true,
    version: { value: '2030-01-01' },
  },
  {
    slug: 'version.word',
    words: 'a version that is no date',
    requirement: 'auth.version.other-values',
    open: true,
    version: { value: 'latest' },
  },
];

/** Every form that differs from the documented one of an endpoint. */
export const formsOf = (builder: CaseBuilder, protocol: Protocol): readonly Form[] => [
  ...everywhere(builder, protocol),
  ...(protocol === 'messages' ? messagesForms(builder) : bearerForms),
];
