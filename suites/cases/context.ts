import { type TextProtocol, textProtocols } from '../../spec/vocabulary.ts';
import type { NoncePlacement } from '../checks/recall.ts';
import type { NonceQuestion } from '../checks/shared/nonces.ts';
import { asking } from './builder/bodies.ts';
import type { CaseBuilder } from './builder/case-builder.ts';
import { ask, inline } from './asking.ts';
import { branchCase, carriedInstructionsCase } from './chains.ts';
import { takenInStream, type Twin } from './in-streams.ts';
import { type Way, ways } from './ways.ts';

/** Of every text protocol, the same asked with the nonce in the question: a model that does not give it back then can tell nothing. */
type Controls = ReadonlyMap<TextProtocol, readonly NonceQuestion[]>;

/** Whether what is given as context reaches the model, by nonce (4.1 to 4.3). */
export function contextCases(builder: CaseBuilder): void {
  const controls = controlsOf(builder);
  const asked: { readonly way: Way; readonly places: readonly NoncePlacement[] }[] = [];
  for (const way of ways.filter(({ protocol }) => isDeclared(builder, protocol))) {
    const before = asked.flatMap(({ places }) => places.flatMap(({ probes }) => probes));
    asked.push({ way, places: way.places(builder, controls.get(way.protocol) ?? [], before) });
  }
  const otherQuestions = asked.flatMap(({ way: { protocol }, places }) =>
    places.flatMap(({ probes }) => probes.map((probe) => ({ ...probe, protocol }))),
  );
  for (const way of ways) {
    const { protocol, slug, words } = way;
    const placesOf = (): readonly NoncePlacement[] => asked.find((each) => each.way === way)?.places ?? [];
    if (!way.unstreamed) takenInStream(builder, protocol, slug, () => twinOf(placesOf()));
    const requirement = `${protocol}.context.${slug}`;
    builder.add(
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
        placements: placesOf(),
        controls: controls.get(protocol) ?? [],
        plainRequest: builder.control(protocol),
        otherQuestions,
      }),
    );
  }
  branchCase(builder, controls.get('responses') ?? []);
  carriedInstructionsCase(builder);
  assistantRoleCase(builder);
}

function twinOf(places: readonly NoncePlacement[]): Twin {
  const place = places.find(({ unstreamedParts }) => unstreamedParts !== undefined);
  return { probe: place?.probes[0]?.exchange ?? '', parts: place?.unstreamedParts ?? [] };
}

const isDeclared = (builder: CaseBuilder, protocol: TextProtocol): boolean =>
  builder.callers(protocol).length > 0;

const controlsOf = (builder: CaseBuilder): Controls =>
  new Map(
    textProtocols
      .filter((protocol) => isDeclared(builder, protocol))
      .map((protocol) => [
        protocol,
        ask(builder, protocol, `${protocol}.context.inline`, (nonce, wording) =>
          asking(protocol, inline(nonce, wording)),
        ),
      ]),
  );

/** Of the roles of Messages only `user` is shown (4.2). */
function assistantRoleCase(builder: CaseBuilder): void {
  const requirement = 'messages.param.messages.unknown-role';
  const subject = `messages given a turn of role assistant`;
  builder.add(
    { id: 'context.messages.assistant-role', title: subject, suite: 'context', requirements: [requirement] },
    'messages',
    () => ({
      kind: 'observe',
      requirement,
      section: '4.2',
      subject,
      aspect: 'answer-or-refusal',
      protocol: 'messages',
      probes: ['messages.context.assistant.1'],
    }),
  );
}
