import { type Protocol, protocols, textProtocols } from '../../spec/vocabulary.ts';
import type { Check } from '../model/case.ts';
import type { Template } from '../model/plan.ts';
import { asking, plain } from '../plan/bodies.ts';
import type { Kit } from '../plan/kit.ts';

/** The failure classes of section 7, told apart; and what is not shown about them. */
export function errorCases(kit: Kit): void {
  for (const protocol of protocols) {
    authenticationCase(kit, protocol);
    observeCases(kit, protocol);
  }
  limitCases(kit);
  routeCase(kit);
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

const sendAuthentication = (kit: Kit, protocol: Protocol): readonly string[] => {
  const [token] = kit.data.invalidTokens;
  const wish = { credential: { form: 'invalid', token }, expect: 'refusal', when: [] } as const;
  const [first = '', again = ''] = authentication(protocol);
  kit.send(first, protocol, wish);
  kit.send(again, protocol, { ...wish, json: otherBody[protocol] });
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

function authenticationCase(kit: Kit, protocol: Protocol): void {
  const requirement = 'errors.authentication.distinct';
  kit.add(
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
          probes: sendAuthentication(kit, protocol),
          others: [{ name: 'a general error', probes: allGeneral(protocol) }],
          control: kit.after(protocol),
        },
      ],
    }),
  );
}

function observeCases(kit: Kit, protocol: Protocol): void {
  const sights = [
    ['status', 'refusal-status', 'status'],
    ['body', 'refusal-body', 'body'],
  ] as const;
  for (const [slug, see, words] of sights) {
    const requirement = `errors.${slug}`;
    const classes = [
      ['authentication', 'an invalid token', authentication(protocol)],
      ['general', 'an unknown or a missing model', general(protocol)],
    ] as const;
    for (const [name, subject, probes] of classes) {
      kit.add(
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
          see,
          protocol,
          probes,
        }),
      );
    }
  }
}

const spent = { credential: { form: 'token', token: 'rate-limited' }, expect: 'limited' } as const;

/** The spent token is of a group that is not declared: it is tried on every endpoint, and one that shows it is enough. */
function limitCases(kit: Kit): void {
  const declared = protocols.filter((protocol) => kit.venues(protocol).length > 0);
  const needs = !kit.scope.rateLimited
    ? 'no rate-limited token is declared'
    : declared.length === 0
      ? 'no model is declared that its token can call'
      : null;
  const probesOf = (protocol: Protocol) => [1, 2].map((count) => `${protocol}.rate-limited.${count}`);
  const add = (slug: string, title: string, check: () => Check): void =>
    kit.add(
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
          kit.send(id, protocol, {
            ...(index === 0 ? {} : { json: otherBody[protocol] }),
            ...spent,
          }),
        ),
        control: kit.control(protocol),
      })),
      ...textProtocols
        .filter((protocol) => declared.includes(protocol))
        .map((protocol) => {
          const id = `${protocol}.rate-limited.streamed`;
          const json = { ...plain[protocol], stream: true };
          const first = kit.send(id, protocol, { ...spent, turned: true, json });
          const when = [{ kind: 'answered', any: [first] }] as const;
          const again = kit.send(`${id}.again`, protocol, { ...spent, turned: true, json, when });
          return { probes: [first, again], control: kit.streams(protocol)[0] ?? '' };
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
      control: kit.after(protocol),
    })),
  }));
  add('retry', 'whether a spent limit says when to come back', () => ({
    kind: 'observe',
    requirement: 'errors.rate-limit.retry',
    section: '7',
    subject: 'Retry-After of the rate-limit error',
    see: 'retry-after',
    protocol: 'chat',
    probes: declared.flatMap(probesOf),
  }));
}

/** The reply to a model on a protocol that does not support it is not shown (7). */
function routeCase(kit: Kit): void {
  const probes = [
    'cell.multimodal.responses.default',
    'cell.conversational.messages.coding-tool',
    'cell.conversational.responses.default',
  ];
  const known = probes.filter((id) => kit.requests.has(id));
  kit.add(
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
      see: 'answer-or-refusal',
      protocol: 'responses',
      probes: known,
    }),
  );
}
