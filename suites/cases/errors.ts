import { type Protocol, protocols, textProtocols } from '../../spec/vocabulary.ts';
import type { Check } from '../checks/registry.ts';
import type { Template } from '../model/plan.ts';
import { asking, plain } from './builder/bodies.ts';
import type { CaseBuilder } from './builder/case-builder.ts';

/** The failure classes of section 7, told apart; and what is not shown about them. */
export function errorCases(builder: CaseBuilder): void {
  for (const protocol of protocols) {
    authenticationCase(builder, protocol);
    observeCases(builder, protocol);
  }
  limitCases(builder);
  routeCase(builder);
}

/** Valid in other words, and of another length: what a reply repeats of a request is not the same twice. */
const otherBody: Readonly<Record<Protocol, Template>> = {
  responses: asking('responses', 'Name one colour, please, and nothing else.'),
  messages: asking('messages', 'Name one colour, please, and nothing else.'),
  chat: asking('chat', 'Name one colour, please, and nothing else.'),
  images: { ...plain.images, prompt: 'Two small squares' },
};

/** Refusals of one invalid token: a reply that repeats the token is the same both times. */
const authentication = (protocol: Protocol): readonly string[] => [
  `${protocol}.auth.invalid.first`,
  `${protocol}.auth.invalid.again`,
];

const sendAuthentication = (builder: CaseBuilder, protocol: Protocol): readonly string[] => {
  const [token] = builder.data.invalidTokens;
  const wish = { credential: { form: 'invalid', token }, expect: 'refusal', when: [] } as const;
  const [first = '', again = ''] = authentication(protocol);
  builder.send(first, protocol, wish);
  builder.send(again, protocol, { ...wish, json: otherBody[protocol] });
  return [first, again];
};

/** What is required beside the model. */
const content = { responses: 'input', messages: 'messages', chat: 'messages', images: 'prompt' } as const;

/** Refusals for other reasons, with a valid token. */
const general = (protocol: Protocol): readonly string[] => [
  `${protocol}.model.unknown.unknown`,
  `${protocol}.model.missing`,
];

/** One more with the model that the other classes name: a reply that repeats it tells no class. */
const allGeneral = (protocol: Protocol): readonly string[] => [
  ...general(protocol),
  `${protocol}.${content[protocol]}.missing`,
];

function authenticationCase(builder: CaseBuilder, protocol: Protocol): void {
  const requirement = 'errors.authentication.distinct';
  builder.add(
    {
      id: `errors.${protocol}.authentication`,
      title: `${protocol}: an invalid token is told apart from other errors`,
      suite: 'errors',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'distinct',
      requirement,
      comparisons: [
        {
          probes: sendAuthentication(builder, protocol),
          others: [{ name: 'a general error', probes: allGeneral(protocol) }],
          control: builder.after(protocol),
        },
      ],
    }),
  );
}

function observeCases(builder: CaseBuilder, protocol: Protocol): void {
  const aspects = [
    ['status', 'refusal-status', 'status'],
    ['body', 'refusal-body', 'body'],
  ] as const;
  for (const [slug, aspect, words] of aspects) {
    const requirement = `errors.${slug}`;
    const classes = [
      ['authentication', 'an invalid token', authentication(protocol)],
      ['general', 'an unknown or a missing model', general(protocol)],
    ] as const;
    for (const [name, subject, probes] of classes) {
      builder.add(
        {
          id: `errors.${protocol}.${slug}.${name}`,
          title: `${words} of the reply of ${protocol} to ${subject}`,
          suite: 'errors',
          requirements: [requirement],
        },
        protocol,
        () => ({
          kind: 'observe',
          requirement,
          section: '7',
          subject: `${protocol}: ${words} of the reply to ${subject}`,
          aspect,
          protocol,
          probes,
        }),
      );
    }
  }
}

const spent = { credential: { form: 'token', token: 'rate-limited' }, expect: 'limited' } as const;

/** The spent token is of a group that is not declared: it is tried on every endpoint, and one that shows it is enough. */
function limitCases(builder: CaseBuilder): void {
  const declared = protocols.filter((protocol) => builder.callers(protocol).length > 0);
  const needs = !builder.scope.rateLimited
    ? 'no rate-limited token is declared'
    : declared.length === 0
      ? 'no model is declared that its token can call'
      : null;
  const probesOf = (protocol: Protocol) => [1, 2].map((count) => `${protocol}.rate-limited.${count}`);
  const add = (slug: string, title: string, check: () => Check): void =>
    builder.add(
      {
        id: `errors.rate-limit.${slug}`,
        title,
        suite: 'errors',
        requirements: [`errors.rate-limit.${slug}`],
      },
      needs,
      check,
    );
  add('enforced', 'a token whose limit is spent is refused', () => ({
    kind: 'limited',
    requirement: 'errors.rate-limit.enforced',
    endpoints: [
      ...declared.map((protocol) => ({
        probes: probesOf(protocol).map((id, index) =>
          builder.send(id, protocol, {
            ...(index === 0 ? {} : { json: otherBody[protocol] }),
            ...spent,
          }),
        ),
        control: builder.control(protocol),
      })),
      ...textProtocols
        .filter((protocol) => declared.includes(protocol))
        .map((protocol) => {
          const id = `${protocol}.rate-limited.streamed`;
          const json = { ...plain[protocol], stream: true };
          const first = builder.send(id, protocol, { ...spent, turned: true, json });
          const when = [{ kind: 'answered', any: [first] }] as const;
          const again = builder.send(`${id}.again`, protocol, { ...spent, turned: true, json, when });
          return { probes: [first, again], control: builder.streams(protocol)[0] ?? '' };
        }),
    ],
  }));
  add('distinct', 'a spent limit is told apart from other errors', () => ({
    kind: 'distinct',
    requirement: 'errors.rate-limit.distinct',
    comparisons: declared.map((protocol) => ({
      probes: probesOf(protocol),
      others: [
        { name: 'an authentication error', probes: authentication(protocol) },
        { name: 'a general error', probes: allGeneral(protocol) },
      ],
      control: builder.after(protocol),
    })),
  }));
  add('retry', 'whether a spent limit says when to come back', () => ({
    kind: 'observe',
    requirement: 'errors.rate-limit.retry',
    section: '7',
    subject: 'Retry-After of the rate-limit error',
    aspect: 'retry-after',
    protocol: 'chat',
    probes: declared.flatMap(probesOf),
  }));
}

/** The reply to a model on a protocol that does not support it is not shown (7). */
function routeCase(builder: CaseBuilder): void {
  const probes = [
    'cell.multimodal.responses.default',
    'cell.conversational.messages.coding-tool',
    'cell.conversational.responses.default',
  ];
  const known = probes.filter((id) => builder.requests.has(id));
  builder.add(
    {
      id: 'errors.unsupported-route',
      title: 'the reply to a model on a protocol or group that does not support it',
      suite: 'errors',
      requirements: ['errors.unsupported-route'],
    },
    known.length > 0 ? null : 'no model with an unsupported protocol is declared',
    () => ({
      kind: 'observe',
      requirement: 'errors.unsupported-route',
      section: '7',
      subject: 'a model on a protocol or group that does not support it',
      aspect: 'answer-or-refusal',
      protocol: 'responses',
      probes: known,
    }),
  );
}
