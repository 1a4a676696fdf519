import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import { type Kit, plain } from '../plan/kit.ts';

/** The failure classes of section 7, told apart; and what is not shown about them. */
export function errorCases(kit: Kit): void {
  for (const protocol of protocols) {
    authenticationCase(kit, protocol);
    observeCases(kit, protocol);
  }
  limitCases(kit);
  routeCase(kit);
}

/** Refusals of one invalid token: a reply that repeats the token is the same both times. */
const authentication = (protocol: Protocol): readonly string[] => [
  `${protocol}.auth.invalid.first`,
  `${protocol}.auth.invalid.again`,
];

const sendAuthentication = (kit: Kit, protocol: Protocol): readonly string[] => {
  const [token] = kit.data.invalidTokens;
  for (const id of authentication(protocol)) {
    kit.send(id, protocol, { credential: { form: 'invalid', token }, expect: 'refusal', when: [] });
  }
  return authentication(protocol);
};

/** Refusals for other reasons, with a valid token. */
const general = (protocol: Protocol): readonly string[] => [
  `${protocol}.model.unknown.unknown`,
  `${protocol}.model.missing`,
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
      protocol,
      probes: sendAuthentication(kit, protocol),
      others: [{ name: 'a general error', probes: general(protocol) }],
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

/** With the token whose limit is spent, where one is declared; on the first endpoint that takes Bearer. */
function limitCases(kit: Kit): void {
  const protocol =
    (['chat', 'responses', 'images', 'messages'] as const).find((p) => kit.venues(p).length > 0) ?? 'chat';
  const needs = kit.scope.rateLimited ? protocol : 'no rate-limited token is declared';
  const probes = [1, 2].map((count) => `${protocol}.rate-limited.${count}`);
  const send = () => {
    for (const id of probes) {
      kit.send(id, protocol, {
        credential: { form: 'token', token: 'rate-limited' },
        expect: 'limited',
        json: plain[protocol],
      });
    }
  };
  const entry = { suite: 'errors' } as const;
  kit.add(
    {
      ...entry,
      id: 'errors.rate-limit.enforced',
      title: 'a token whose limit is spent is refused',
      requirements: ['errors.rate-limit.enforced'],
    },
    needs,
    () => {
      send();
      return {
        kind: 'limited',
        requirement: 'errors.rate-limit.enforced',
        probes,
        control: kit.control(protocol),
      };
    },
  );
  kit.add(
    {
      ...entry,
      id: 'errors.rate-limit.distinct',
      title: 'a spent limit is told apart from other errors',
      requirements: ['errors.rate-limit.distinct'],
    },
    needs,
    () => ({
      kind: 'distinct',
      requirement: 'errors.rate-limit.distinct',
      protocol,
      probes,
      others: [
        { name: 'an authentication error', probes: authentication(protocol) },
        { name: 'a general error', probes: general(protocol) },
      ],
    }),
  );
  kit.add(
    {
      ...entry,
      id: 'errors.rate-limit.retry',
      title: 'whether a spent limit says when to come back',
      requirements: ['errors.rate-limit.retry'],
    },
    needs,
    () => ({
      kind: 'observe',
      requirement: 'errors.rate-limit.retry',
      section: '7',
      subject: 'Retry-After of the rate-limit error',
      see: 'retry-after',
      protocol,
      probes,
    }),
  );
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
