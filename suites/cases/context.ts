import { type TextProtocol, textProtocols } from '../../spec/vocabulary.ts';
import type { Asked } from '../model/case.ts';
import type { Template } from '../model/plan.ts';
import { asking, type Kit, plain, turn } from '../plan/kit.ts';

const question = 'What is the code name? Reply with the code name only.';
const told = (nonce: string): string => `The code name is ${nonce}.`;

interface Route {
  readonly protocol: TextProtocol;
  readonly slug: string;
  readonly words: string;
  /** A request whose context, and nothing else, holds the nonce. */
  body(nonce: string): { readonly [name: string]: Template };
}

const history = (nonce: string): Template => [
  turn('user', told(nonce)),
  turn('assistant', 'Noted.'),
  turn('user', question),
];

/** How context reaches a model, but for the chain of responses. */
const routes: readonly Route[] = [
  {
    protocol: 'responses',
    slug: 'instructions',
    words: 'gives the model the instructions',
    body: (nonce) => ({ ...asking('responses', question), instructions: told(nonce) }),
  },
  {
    protocol: 'messages',
    slug: 'system',
    words: 'gives the model the system prompt',
    body: (nonce) => ({ ...asking('messages', question), system: told(nonce) }),
  },
  {
    protocol: 'messages',
    slug: 'history',
    words: 'gives the model the turns resent',
    body: (nonce) => ({ ...plain.messages, messages: history(nonce) }),
  },
  {
    protocol: 'chat',
    slug: 'system',
    words: 'gives the model a message of role system',
    body: (nonce) => ({ ...plain.chat, messages: [turn('system', told(nonce)), turn('user', question)] }),
  },
  {
    protocol: 'chat',
    slug: 'history',
    words: 'gives the model the turns resent',
    body: (nonce) => ({ ...plain.chat, messages: history(nonce) }),
  },
];

/** How often a model is asked before its silence counts (design principle 9). */
const attempts = [1, 2, 3] as const;

/** A way that context takes, with what was asked along it. */
interface Way {
  readonly protocol: TextProtocol;
  readonly slug: string;
  readonly probes: readonly Asked[];
}

/** Whether what is given as context reaches the model, by nonce (4.1 to 4.3). */
export function contextCases(kit: Kit): void {
  const ways = waysOf(kit);
  const controls = controlsOf(kit);
  for (const { protocol, slug, words } of [...routes, chain]) {
    const requirement = `${protocol}.context.${slug}`;
    kit.add(
      {
        id: `context.${protocol}.${slug}`,
        title: `${protocol} ${words}`,
        suite: 'context',
        requirements: [requirement],
      },
      protocol,
      () => ({
        kind: 'recall',
        requirement,
        protocol,
        probes: ways.find((way) => way.protocol === protocol && way.slug === slug)?.probes ?? [],
        controls: controls.get(protocol) ?? [],
        question,
        elsewhere: ways
          .filter((way) => way.protocol !== protocol || way.slug !== slug)
          .flatMap((way) => way.probes.map((asked) => ({ ...asked, protocol: way.protocol }))),
      }),
    );
  }
  branchCase(kit);
  carriedInstructionsCase(kit);
}

const chain = {
  protocol: 'responses',
  slug: 'chain',
  words: 'carries the turns of an earlier response',
} as const;

const isDeclared = (kit: Kit, protocol: TextProtocol): boolean => kit.venues(protocol).length > 0;

function waysOf(kit: Kit): readonly Way[] {
  const plain = routes
    .filter(({ protocol }) => isDeclared(kit, protocol))
    .map(({ protocol, slug, body }) => ({
      protocol,
      slug,
      probes: ask(kit, protocol, `${protocol}.context.${slug}`, body),
    }));
  return isDeclared(kit, 'responses') ? [...plain, { ...chain, probes: askAlongChain(kit) }] : plain;
}

/** The nonce stands in the question itself: a model that does not give it back then can tell nothing. */
const controlsOf = (kit: Kit): ReadonlyMap<TextProtocol, readonly Asked[]> =>
  new Map(
    textProtocols
      .filter((protocol) => isDeclared(kit, protocol))
      .map((protocol) => [
        protocol,
        ask(kit, protocol, `${protocol}.context.inline`, (nonce) =>
          asking(protocol, `${told(nonce)} ${question}`),
        ),
      ]),
  );

/** Asks up to three times, each with a nonce of its own; a later one only where the earlier was not recalled. */
function ask(
  kit: Kit,
  protocol: TextProtocol,
  id: string,
  body: (nonce: string) => Template,
): readonly Asked[] {
  const asked: Asked[] = [];
  for (const attempt of attempts) {
    const nonce = kit.data.nonce();
    const before = asked.at(-1);
    const exchange = kit.send(`${id}.${attempt}`, protocol, {
      json: body(nonce),
      ...(before ? { billed: 0, when: [{ kind: 'not-recalled', ...before }] } : {}),
    });
    asked.push({ exchange, nonce });
  }
  return asked;
}

/** A response to chain from; `previous` is the id of the exchange before it. */
function teach(
  kit: Kit,
  id: string,
  input: string,
  more: { readonly previous?: string; readonly instructions?: string } = {},
): string {
  const { previous, instructions } = more;
  return kit.send(id, 'responses', {
    json: {
      ...asking('responses', input),
      ...(instructions ? { instructions } : {}),
      ...(previous ? follow(previous) : {}),
    },
    ...(previous ? { when: [{ kind: 'answered', any: [previous] }] } : {}),
  });
}

const follow = (previous: string): { readonly [name: string]: Template } => ({
  previous_response_id: { $: 'reply', exchange: previous, pointer: '/id' },
});

function askAlongChain(kit: Kit): readonly Asked[] {
  const probes: Asked[] = [];
  for (const attempt of attempts) {
    const nonce = kit.data.nonce();
    const before = probes.at(-1);
    const again = before ? ({ billed: 0, when: [{ kind: 'not-recalled', ...before }] } as const) : {};
    const first = kit.send(`responses.chain.tell.${attempt}`, 'responses', {
      json: asking('responses', `${told(nonce)} Reply with the word OK.`),
      ...again,
    });
    const exchange = kit.send(`responses.chain.ask.${attempt}`, 'responses', {
      json: { ...asking('responses', question), ...follow(first) },
      ...again,
      when: [{ kind: 'answered', any: [first] }],
    });
    probes.push({ exchange, nonce });
  }
  return probes;
}

function branchCase(kit: Kit): void {
  const requirement = 'responses.context.branch';
  kit.add(
    {
      id: 'context.responses.branch',
      title: 'responses keeps two branches of a chain apart',
      suite: 'context',
      requirements: [requirement],
    },
    'responses',
    () => {
      const own = kit.data.nonce();
      const foreign = kit.data.nonce();
      const root = teach(kit, 'responses.branch.root', `${told(own)} Reply with the word OK.`);
      const other = teach(
        kit,
        'responses.branch.other',
        `The code name is now ${foreign}. Reply with the word OK.`,
        { previous: root },
      );
      const probe = kit.send('responses.branch.ask', 'responses', {
        json: { ...asking('responses', question), ...follow(root) },
        when: [{ kind: 'answered', any: [other] }],
      });
      return { kind: 'branch', requirement, probe, own, foreign };
    },
  );
}

function carriedInstructionsCase(kit: Kit): void {
  const requirement = 'responses.context.instructions-carried';
  kit.add(
    {
      id: 'context.responses.instructions-carried',
      title: 'whether instructions are carried along a chain',
      suite: 'context',
      requirements: [requirement],
    },
    'responses',
    () => {
      const nonce = kit.data.nonce();
      const first = teach(kit, 'responses.carried.tell', 'Reply with the word OK.', {
        instructions: told(nonce),
      });
      const probe = teach(kit, 'responses.carried.ask', question, { previous: first });
      const subject = 'instructions of an earlier response, asked for along the chain';
      return {
        kind: 'observe',
        requirement,
        section: '4.1',
        subject,
        see: 'recalled',
        nonce,
        protocol: 'responses',
        probes: [probe],
      };
    },
  );
}
