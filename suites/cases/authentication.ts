import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import type { Credential, PlannedRequest } from '../model/plan.ts';
import type { Kit } from '../plan/kit.ts';

/** A request whose credential is not in the documented form, and what the document makes of it. */
interface Form {
  readonly slug: string;
  readonly words: string;
  /** Id of the requirement behind the protocol; `open` ones are observed. */
  readonly requirement: string;
  readonly open?: boolean;
  readonly credential?: Credential;
  readonly version?: PlannedRequest['version'];
}

const header = (name: string, value: string): Credential => ({ form: 'header', name, value });

const invalidSlug = (index: number): string => `invalid.${index === 0 ? 'first' : 'second'}`;

const everywhere = (kit: Kit, protocol: Protocol): readonly Form[] => [
  { slug: 'missing', words: 'no credential', requirement: 'auth.missing', credential: { form: 'none' } },
  {
    slug: 'longer',
    words: 'the token with one letter more',
    requirement: 'auth.invalid',
    credential:
      protocol === 'messages' ? header('x-api-key', '{token}x') : header('authorization', 'Bearer {token}x'),
  },
  ...kit.data.invalidTokens.map((token, index) => ({
    slug: invalidSlug(index),
    words: index === 0 ? 'a token that was never issued' : 'another token that was never issued',
    requirement: 'auth.invalid',
    credential: { form: 'invalid', token } as const,
  })),
];

const bearerForms: readonly Form[] = [
  {
    slug: 'bare',
    words: 'the token without `Bearer`',
    requirement: 'auth.scheme',
    credential: header('authorization', '{token}'),
  },
  {
    slug: 'basic',
    words: 'the token under the scheme Basic',
    requirement: 'auth.scheme',
    credential: header('authorization', 'Basic {token}'),
  },
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

const messagesForms: readonly Form[] = [
  {
    slug: 'bearer',
    words: 'Authorization: Bearer in place of x-api-key',
    requirement: 'auth.bearer',
    credential: header('authorization', 'Bearer {token}'),
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

/** All of section 5, on each endpoint. */
export function authenticationCases(kit: Kit): void {
  for (const protocol of protocols) {
    const forms = [...everywhere(kit, protocol), ...(protocol === 'messages' ? messagesForms : bearerForms)];
    acceptedCases(kit, protocol, forms);
    for (const form of forms) formCase(kit, protocol, form);
  }
}

/** Refused in the documented form and answered in another: only then is the form what is wrong. */
function acceptedCases(kit: Kit, protocol: Protocol, forms: readonly Form[]): void {
  const rows = [
    ['auth.accepted', 'the documented credential', forms.filter((form) => form.credential)],
    ['auth.version.shown-value', 'the version that is shown', forms.filter((form) => form.version)],
  ] as const;
  for (const [aspect, words, others] of rows) {
    if (others.length === 0) continue;
    const requirement = `${protocol}.${aspect}`;
    kit.add(
      {
        id: `authentication.${protocol}.${aspect.slice('auth.'.length)}`,
        title: `${protocol} takes ${words}`,
        suite: 'authentication',
        requirements: [requirement],
      },
      protocol,
      () => ({
        kind: 'served',
        requirement,
        probes: [...kit.cells(protocol), kit.control(protocol)],
        unless: others.map((form) => send(kit, protocol, form)),
      }),
    );
  }
  steadyCase(kit, protocol);
}

/** The documented credential is taken on every request: what was refused once and then answered is no refusal. */
function steadyCase(kit: Kit, protocol: Protocol): void {
  const requirement = `${protocol}.auth.accepted`;
  kit.add(
    {
      id: `authentication.${protocol}.every-request`,
      title: `${protocol} takes the documented credential on every request`,
      suite: 'authentication',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'steady',
      requirement,
      protocol,
      probes: [kit.control(protocol)],
      invalid: kit.data.invalidTokens.map((_, index) => `${protocol}.auth.${invalidSlug(index)}`),
      limited: kit.scope.rateLimited ? [`${protocol}.rate-limited.1`] : [],
    }),
  );
}

/** Sent even where nothing was answered before: an answer to a wrong form explains why. */
const send = (
  kit: Kit,
  protocol: Protocol,
  { slug, credential = { form: 'right' }, version = 'declared', open = false }: Form,
): string =>
  kit.send(`${protocol}.auth.${slug}`, protocol, {
    credential,
    version,
    expect: open ? 'either' : 'refusal',
    when: [],
  });

function formCase(kit: Kit, protocol: Protocol, form: Form): void {
  const requirement = `${protocol}.${form.requirement}`;
  const { open = false } = form;
  kit.add(
    {
      id: `authentication.${protocol}.${form.slug}`,
      title: `${protocol} ${open ? 'given' : 'refuses'} ${form.words}`,
      suite: 'authentication',
      requirements: [requirement],
    },
    protocol,
    () => {
      const probe = send(kit, protocol, form);
      if (open) {
        const subject = `${protocol} given ${form.words}`;
        return {
          kind: 'observe',
          requirement,
          section: '5',
          subject,
          see: 'answer-or-refusal',
          protocol,
          probes: [probe],
        };
      }
      return {
        kind: 'refused',
        requirement,
        probe,
        controls: [kit.control(protocol)],
        after: kit.after(protocol),
        expected: `no output: ${form.words}`,
      };
    },
  );
}
