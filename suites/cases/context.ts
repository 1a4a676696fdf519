import type { TextProtocol } from '../../spec/vocabulary.ts';
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
    words: 'instructions',
    body: (nonce) => ({ ...asking('responses', question), instructions: told(nonce) }),
  },
  {
    protocol: 'messages',
    slug: 'system',
    words: 'system',
    body: (nonce) => ({ ...asking('messages', question), system: told(nonce) }),
  },
  {
    protocol: 'messages',
    slug: 'history',
    words: 'the turns resent',
    body: (nonce) => ({ ...plain.messages, messages: history(nonce) }),
  },
  {
    protocol: 'chat',
    slug: 'system',
    words: 'a message of role system',
    body: (nonce) => ({ ...plain.chat, messages: [turn('system', told(nonce)), turn('user', question)] }),
  },
  {
    protocol: 'chat',
    slug: 'history',
    words: 'the turns resent',
    body: (nonce) => ({ ...plain.chat, messages: history(nonce) }),
  },
];

/** How often a model is asked before its silence counts (design principle 9). */
const attempts = [1, 2, 3] as const;

/** Whether what is given as context reaches the model, by nonce (4.1 to 4.3). */
export function contextCases(kit: Kit): void {
  const inline = new Map<TextProtocol, readonly Asked[]>();
  const controls = (protocol: TextProtocol): readonly Asked[] => {
    const asked =
      inline.get(protocol) ??
      ask(kit, protocol, `${protocol}.context.inline`, (nonce) =>
        asking(protocol, `${told(nonce)} ${question}`),
      );
    inline.set(protocol, asked);
    return asked;
  };
  for (const route of routes) routeCase(kit, route, controls);
  chainCase(kit, controls);
  branchCase(kit);
  carriedInstructionsCase(kit);
}

type Controls = (protocol: TextProtocol) => readonly Asked[];

interface Asked {
  readonly exchange: string;
  readonly nonce: string;
}

/** Asks up to three times, each with a nonce of its own; a later one only where the earlier was not recalled. */
function ask(
  kit: Kit,
  protocol: TextProtocol,
  id: string,
  body: (nonce: string, attempt: number) => Template,
): readonly Asked[] {
  const asked: Asked[] = [];
  for (const attempt of attempts) {
    const nonce = kit.data.nonce();
    const before = asked.at(-1);
    const exchange = kit.send(`${id}.${attempt}`, protocol, {
      json: body(nonce, attempt),
      ...(before ? { billed: 0, when: [{ kind: 'not-recalled', ...before }] } : {}),
    });
    asked.push({ exchange, nonce });
  }
  return asked;
}

function routeCase(kit: Kit, route: Route, controls: Controls): void {
  const { protocol, slug, words } = route;
  const requirement = `${protocol}.context.${slug}`;
  kit.add(
    {
      id: `context.${protocol}.${slug}`,
      title: `${protocol} gives the model ${words}`,
      suite: 'context',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'recall',
      requirement,
      protocol,
      probes: ask(kit, protocol, `${protocol}.context.${slug}`, (nonce) => route.body(nonce)),
      controls: controls(protocol),
    }),
  );
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

function chainCase(kit: Kit, controls: Controls): void {
  const requirement = 'responses.context.chain';
  kit.add(
    {
      id: 'context.responses.chain',
      title: 'responses carries the turns of an earlier response',
      suite: 'context',
      requirements: [requirement],
    },
    'responses',
    () => {
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
      return { kind: 'recall', requirement, protocol: 'responses', probes, controls: controls('responses') };
    },
  );
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
