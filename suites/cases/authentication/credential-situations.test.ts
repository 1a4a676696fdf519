import { describe, expect, it } from 'vitest';
import { type Protocol, protocols } from '../../../spec/vocabulary.ts';
import type { PlannedRequest } from '../../types/plan.ts';
import type { Built } from '../cases.fixture.ts';
import { everyPlan } from '../combinations/rows.fixture.ts';

/** Read of a request alone: each parameter, the values of those that are words, the family, and what is said. */
function featuresOf({ body, callers: [caller] }: PlannedRequest): readonly string[] {
  const json = Object(body?.json);
  const text = JSON.stringify(json);
  const words = Object.entries(json).filter(([, value]) => typeof value === 'string');
  return [
    ...Object.keys(json),
    ...words
      .filter(([name]) => /^(size|quality|response_format)$/.test(name))
      .map((entry) => entry.join(' ')),
    `stream ${json.stream}`,
    `family ${caller?.family}`,
    ...(Array.isArray(json.input) ? ['list'] : []),
    ...(json.messages?.length > 3 ? ['history'] : []),
    ...(json.messages?.[0]?.role === 'system' ? ['system turn'] : []),
    ...(/[^\p{ASCII}]/u.test(text) ? ['scripts'] : []),
    ...(text.length > 4000 ? ['long'] : []),
  ];
}

const all = (requests: readonly PlannedRequest[]): ReadonlySet<string> =>
  new Set(requests.flatMap(featuresOf));

const isControl = ({ id, body }: PlannedRequest): boolean =>
  (/\.combination\.\d+$/.test(id) && !(Object(body?.json).n > 2)) || /^cell\.chat-image\.chat\.\w+$/.test(id);

const wrong = ({ requests }: Built, protocol: Protocol, matches: (request: PlannedRequest) => boolean) =>
  requests.filter(
    (request) => request.protocol === protocol && request.expect === 'refusal' && matches(request),
  );

/** Whether it is an invalid token whatever the right one is like: not every token has letters of two cases. */
const isOfAnyToken = ({ credential }: PlannedRequest): boolean =>
  credential.form === 'invalid' || (credential.form === 'near-miss' && credential.how !== 'case');

/** What is wrong, and whether a request has that wrong. */
const kinds = {
  'no credential': ({ credential }: PlannedRequest) => credential.form === 'none',
  'an invalid token': (request: PlannedRequest) =>
    isOfAnyToken(request) || /\.auth\.(longer|listed)$/.test(request.id),
  'a Bearer token': ({ id }: PlannedRequest) => id.startsWith('messages.auth.bearer'),
  'no version': ({ version }: PlannedRequest) => version === 'absent',
} as const;

describe.each(everyPlan)('where a credential is wrong, planned for %s', (_, plan) => {
  it.each(
    protocols.flatMap((protocol) =>
      Object.entries(kinds)
        .filter(([name]) => protocol === 'messages' || !/Bearer|version/.test(name))
        .map(([name, matches]) => [name, protocol, matches] as const),
    ),
  )('%s of %s is shown with all that valid requests have', (_name, protocol, matches) => {
    const valid = all(plan.requests.filter((each) => each.protocol === protocol && isControl(each)));
    const shown = all(wrong(plan, protocol, matches));
    expect([...valid].filter((feature) => !shown.has(feature))).toEqual([]);
  });
});
