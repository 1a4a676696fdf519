import type { Protocol } from '../../../spec/vocabulary.ts';
import type { NearMiss } from '../../types/plan.ts';
import type { CredentialForm } from './credential-form.ts';

/** The near-miss token that is also asked for as a stream: a gateway that accepts any of them accepts this one. */
export const streamedNearMiss = 'near-miss.last';

const descriptions: Readonly<Record<NearMiss, string>> = {
  last: 'the token with another last character',
  middle: 'the token with another character in its middle',
  shorter: 'the token without its last character',
  case: 'the token with upper and lower case swapped',
  unprefixed: 'the token without its beginning',
  wildcard: 'the token with a percent sign in its middle',
};

/**
 * A check by length, shape, beginning or end, one that ignores case, and one that searches for a pattern accept one
 * of these. Refused logins may trip abuse protection, and endpoints tend to share their check, so that only the three
 * that are most telling are shown to each.
 */
const shown = {
  'of-any-token': {
    responses: ['last', 'shorter', 'wildcard'],
    messages: ['last', 'shorter'],
    chat: ['last', 'shorter'],
    images: ['last', 'shorter'],
  },
  'of-some-tokens': {
    responses: ['unprefixed'],
    messages: ['case', 'unprefixed', 'middle'],
    chat: ['unprefixed', 'case'],
    images: ['unprefixed'],
  },
} as const satisfies Record<string, Readonly<Record<Protocol, readonly NearMiss[]>>>;

const nearMissForm = (how: NearMiss): CredentialForm => {
  const slug = `near-miss.${how}`;
  return {
    slug,
    description: descriptions[how],
    requirement: 'auth.invalid',
    credential: { form: 'near-miss', how },
    ...(slug === streamedNearMiss ? { streamed: true } : { in: 'situation' }),
    ...(how === 'unprefixed' || how === 'wildcard' ? { unless: streamedNearMiss } : {}),
  };
};

/** The token of the caller changed, in the documented form of an endpoint (section 5). */
export const nearMissForms = (protocol: Protocol, which: keyof typeof shown): readonly CredentialForm[] =>
  shown[which][protocol].map(nearMissForm);
