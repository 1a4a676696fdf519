import { type TextProtocol, textProtocols } from '../../spec/vocabulary.ts';
import type { Asked, Place } from '../model/case.ts';
import type { Template } from '../model/plan.ts';
import { asking, type Kit, plain, turn } from '../plan/kit.ts';
import { ask, type Body, inline, systemWordings } from './asking.ts';
import {
  askAlongChain,
  askAlongChainInStream,
  askForReply,
  branchCase,
  carriedInstructionsCase,
  follow,
} from './chains.ts';
import { askBothWays, inStream, takenInStream } from './in-streams.ts';
import { assistantTurn, inputArray, small, userTurns, userTurnsOnly } from './turns.ts';

/** Of every text protocol, the same asked with the nonce in the question: a model that does not give it back then can tell nothing. */
type Controls = ReadonlyMap<TextProtocol, readonly Asked[]>;

interface Way {
  readonly protocol: TextProtocol;
  readonly slug: string;
  readonly words: string;
  /** It is not asked in a stream. */
  readonly unstreamed?: true;
  /** `before`: what is asked on the ways before it. */
  places(kit: Kit, controls: readonly Asked[], before: readonly Asked[]): readonly Place[];
}

/** A place outside the turns, judged with the wordings of a system prompt. */
const prompted = (
  protocol: TextProtocol,
  where: string,
  slug: string,
  words: string,
  body: (told: string, question: string) => { readonly [name: string]: Template },
  /** What stands beside it in the stream. */
  more: (told: string, question: string) => { readonly [name: string]: Template } = () => ({}),
  beside = '',
  alone: readonly string[] = [],
): Way => ({
  protocol,
  slug,
  words,
  places: (kit, controls) => {
    const id = `${protocol}.context.${slug}`;
    const asked: Body = (nonce, { told, question }) => body(told(nonce), question);
    const inOne: Body = (nonce, wording) => ({
      ...asked(nonce, wording),
      ...more(wording.told(nonce), wording.question),
    });
    const other = { body: inOne, beside, alone };
    return askBothWays(kit, protocol, where, id, asked, { wordings: systemWordings, controls }, other);
  },
});

/** How context reaches a model. */
const ways: readonly Way[] = [
  prompted(
    'responses',
    'in the instructions',
    'instructions',
    'gives the model the instructions',
    (told, question) => ({ ...asking('responses', question), instructions: told }),
    () => follow('responses.plain'),
    ' behind an earlier response',
    ['responses.previous-response-id.earlier'],
  ),
  {
    protocol: 'responses',
    slug: 'input',
    unstreamed: true,
    words: 'gives the model every element of an input array',
    places: (kit, controls) => [inputArray(kit, controls)],
  },
  prompted(
    'messages',
    'in the system prompt',
    'system',
    'gives the model the system prompt',
    (told, question) => ({ ...asking('messages', question), system: told }),
  ),
  {
    protocol: 'messages',
    slug: 'history',
    words: 'gives the model the turns resent',
    places: (kit, controls) => {
      const [user, streamed] = userTurns(kit, 'messages', controls);
      return [
        // Only the role `user` is shown, so that one of the assistant may be refused.
        { ...user, instead: userTurnsOnly(kit, user, controls) },
        { ...assistantTurn(kit, 'messages', controls), free: true },
        streamed,
      ];
    },
  },
  prompted(
    'chat',
    'in a turn of role system',
    'system',
    'gives the model a message of role system',
    (told, question) => ({ ...plain.chat, messages: [turn('system', told), turn('user', question)] }),
    (told, question) => ({ messages: [turn('system', told), ...small, turn('user', question)], top_p: 1 }),
    ' before a history',
    ['chat.top-p.1', 'chat.messages.assistant'],
  ),
  {
    protocol: 'chat',
    slug: 'history',
    words: 'gives the model the turns resent',
    places: (kit, controls) => [...userTurns(kit, 'chat', controls), assistantTurn(kit, 'chat', controls)],
  },
  {
    protocol: 'responses',
    slug: 'chain',
    words: 'carries the turns of an earlier response',
    places: (kit, controls, before) => {
      const probes = askAlongChain(kit, controls);
      const streamed = askAlongChainInStream(kit, controls, probes);
      const said = before.find(({ exchange }) => exchange === 'responses.context.instructions.1');
      return [
        { where: 'three responses earlier in the chain', probes },
        inStream(kit, 'responses', 'earlier in the chain beside instructions', streamed, [
          ...probes.slice(0, 1).map(({ exchange }) => exchange),
          'responses.instructions.sample',
        ]),
        ...(said ? [askForReply(kit, said, controls)] : []),
      ];
    },
  },
];

/** Whether what is given as context reaches the model, by nonce (4.1 to 4.3). */
export function contextCases(kit: Kit): void {
  const controls = controlsOf(kit);
  const asked: { readonly way: Way; readonly places: readonly Place[] }[] = [];
  for (const way of ways.filter(({ protocol }) => isDeclared(kit, protocol))) {
    const before = asked.flatMap(({ places }) => places.flatMap(({ probes }) => probes));
    asked.push({ way, places: way.places(kit, controls.get(way.protocol) ?? [], before) });
  }
  const elsewhere = asked.flatMap(({ way: { protocol }, places }) =>
    places.flatMap(({ probes }) => probes.map((probe) => ({ ...probe, protocol }))),
  );
  for (const way of ways) {
    const { protocol, slug, words } = way;
    const placesOf = (): readonly Place[] => asked.find((each) => each.way === way)?.places ?? [];
    if (!way.unstreamed) takenInStream(kit, protocol, slug, placesOf);
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
        places: placesOf(),
        controls: controls.get(protocol) ?? [],
        plain: kit.control(protocol),
        elsewhere,
      }),
    );
  }
  branchCase(kit, controls.get('responses') ?? []);
  carriedInstructionsCase(kit);
  assistantRoleCase(kit);
}

const isDeclared = (kit: Kit, protocol: TextProtocol): boolean => kit.venues(protocol).length > 0;

const controlsOf = (kit: Kit): Controls =>
  new Map(
    textProtocols
      .filter((protocol) => isDeclared(kit, protocol))
      .map((protocol) => [
        protocol,
        ask(kit, protocol, `${protocol}.context.inline`, (nonce, wording) =>
          asking(protocol, inline(nonce, wording)),
        ),
      ]),
  );

/** Of the roles of Messages only `user` is shown (4.2). */
function assistantRoleCase(kit: Kit): void {
  const requirement = 'messages.param.messages.unknown-role';
  const subject = `messages given a turn of role assistant`;
  kit.add(
    { id: 'context.messages.assistant-role', title: subject, suite: 'context', requirements: [requirement] },
    'messages',
    () => ({
      kind: 'observe',
      requirement,
      section: '4.2',
      subject,
      see: 'answer-or-refusal',
      protocol: 'messages',
      probes: ['messages.context.assistant.1'],
    }),
  );
}
