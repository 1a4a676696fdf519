import { type TextProtocol, textProtocols } from '../../spec/vocabulary.ts';
import type { Asked } from '../model/case.ts';
import type { Template } from '../model/plan.ts';
import { asking, type Kit, plain, turn } from '../plan/kit.ts';
import { ask, question, told } from './asking.ts';
import { askAlongChain, branchCase, carriedInstructionsCase } from './chains.ts';

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
