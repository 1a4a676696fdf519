import { type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { Check } from '../../checks/registry.ts';
import type { NonceQuestion } from '../../checks/shared/nonces.ts';
import { asking } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { NonEmpty } from '../builder/non-empty.ts';
import { contextId } from '../builder/request-ids.ts';
import { acceptedStreamCase } from '../streams/accepted-stream.ts';
import { branchCase, carriedInstructionsCase } from './branches.ts';
import type { ContextSource, Placements } from './context-source.ts';
import { contextSources, firstInstructionsId } from './context-sources.ts';
import { ask, inline } from './nonce-questions.ts';
import { firstAssistantTurnId } from './resent-turns.ts';

/**
 * Of every declared text protocol, the same asked with the nonce in the question: a model that does not give it
 * back then shows nothing about its context.
 */
type Controls = ReadonlyMap<TextProtocol, NonEmpty<NonceQuestion>>;

/** Of every source whose protocol is declared, where its nonces stand. */
type Placed = ReadonlyMap<ContextSource, Placements>;

/** Whether what is given as context reaches the model, by nonce (4.1 to 4.3). */
export function contextCases(builder: CaseBuilder): void {
  const controls = controlsOf(builder);
  const placed = placementsOf(builder, controls);
  for (const source of contextSources) {
    if (source.streamed) streamCase(builder, source, placed);
    recallCase(builder, source, { controls, placed });
  }
  branchCase(builder, controls.get('responses') ?? []);
  const asked = [...placed.values()].flatMap(probesOf);
  carriedInstructionsCase(
    builder,
    asked.find(({ exchange }) => exchange === firstInstructionsId),
  );
  assistantRoleCase(builder);
}

const controlsOf = (builder: CaseBuilder): Controls =>
  new Map(
    textProtocols
      .filter((protocol) => builder.callers(protocol).length > 0)
      .map((protocol) => [
        protocol,
        ask(builder, {
          protocol,
          id: contextId(protocol, 'inline'),
          body: (nonce, wording) => asking(protocol, inline(nonce, wording)),
        }),
      ]),
  );

const probesOf = ({ placements }: Placements): readonly NonceQuestion[] =>
  placements.flatMap(({ probes }) => probes);

function placementsOf(builder: CaseBuilder, controls: Controls): Placed {
  const placed = new Map<ContextSource, Placements>();
  for (const source of contextSources) {
    const own = controls.get(source.protocol);
    const before = [...placed.values()].flatMap(probesOf);
    if (own) placed.set(source, source.place(builder, own, before));
  }
  return placed;
}

/** The stream that a source is asked in is accepted. */
function streamCase(builder: CaseBuilder, source: ContextSource, placed: Placed): void {
  const { protocol, slug } = source;
  acceptedStreamCase(builder, protocol, slug, () => {
    const stream = placed.get(source)?.stream;
    if (!stream) throw new Error(`${protocol} asks for ${slug} in no stream`);
    return stream;
  });
}

function recallCase(
  builder: CaseBuilder,
  source: ContextSource,
  { controls, placed }: { readonly controls: Controls; readonly placed: Placed },
): void {
  const { protocol, slug, description } = source;
  const requirement = `${protocol}.context.${slug}`;
  const check = (): Check => ({
    kind: 'recall',
    requirement,
    protocol,
    placements: placed.get(source)?.placements ?? [],
    controls: controls.get(protocol) ?? [],
    plainRequest: builder.control(protocol),
    otherQuestions: [...placed].flatMap(([other, placements]) =>
      probesOf(placements).map((probe) => ({ ...probe, protocol: other.protocol })),
    ),
  });
  builder.add(
    {
      id: `context.${protocol}.${slug}`,
      title: `${protocol} ${description}`,
      requirements: [requirement],
    },
    protocol,
    check,
  );
}

/** Of the roles of Messages only `user` is shown (4.2). */
function assistantRoleCase(builder: CaseBuilder): void {
  const requirement = 'messages.param.messages.unknown-role';
  const subject = 'messages given a turn of role assistant';
  builder.add(
    { id: 'context.messages.assistant-role', title: subject, requirements: [requirement] },
    'messages',
    () => ({
      kind: 'observe',
      requirement,
      section: '4.2',
      subject,
      aspect: 'answer-or-refusal',
      protocol: 'messages',
      probes: [firstAssistantTurnId('messages')],
    }),
  );
}
