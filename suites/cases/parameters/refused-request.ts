import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import { type Body, minimal, plainStream } from '../builder/bodies.ts';
import { secondCaller } from '../builder/callers.ts';
import type { CaseBuilder, Undeclared } from '../builder/case-builder.ts';
import type { RequestOverrides } from '../builder/planned-request.ts';
import { cellId, forFamilyId, streamedId } from '../builder/request-ids.ts';

/** A request that is wrong in one thing. */
export interface RefusedRequest {
  /** Behind `parameters.<protocol>.`. */
  readonly caseId: string;
  /** Behind "refuses". */
  readonly title: string;
  readonly requirement: string;
  readonly requestId: string;
  readonly overrides: RequestOverrides;
  /** The control of the protocol, where left out. */
  readonly controls?: () => readonly string[];
  /** A control that is refused is blamed elsewhere, and leaves the requirement to its other cases. */
  readonly controlMayBeRefused?: true;
  /** Where the target declares nothing to test it with. */
  readonly undeclared?: Undeclared;
  readonly reason: string;
}

export function refusedCase(builder: CaseBuilder, protocol: Protocol, request: RefusedRequest): void {
  const { caseId, title, requirement, requestId, overrides, controls, controlMayBeRefused, undeclared } =
    request;
  builder.add(
    {
      id: `parameters.${protocol}.${caseId}`,
      title: `${protocol} refuses ${title}`,
      requirements: [requirement],
    },
    undeclared ?? protocol,
    () => ({
      kind: 'refused',
      requirement,
      probe: builder.send(requestId, protocol, { ...overrides, expect: 'refusal' }),
      controls: controls?.() ?? [builder.control(protocol)],
      after: builder.after(protocol),
      rule: request.reason,
      ...(controlMayBeRefused ? { controlMayBeRefused } : {}),
    }),
  );
}

/** Another kind of request in which the same thing is wrong, with a control of its own. */
export interface RequestVariant {
  /** Behind the id of the case. */
  readonly slug: string;
  /** The id of its request, from that of the plain one. */
  readonly idOf: (plain: string) => string;
  /** Behind the title. */
  readonly description: string;
  readonly body: Body;
  readonly overrides: RequestOverrides;
  readonly controls: () => readonly string[];
  readonly undeclared?: Undeclared;
}

/** A gateway may check its parameters for plain replies and not for streams. */
export const streamedVariant = (builder: CaseBuilder, protocol: Protocol): readonly RequestVariant[] =>
  isTextProtocol(protocol)
    ? [
        {
          slug: 'streamed',
          idOf: streamedId,
          description: 'with stream true',
          body: plainStream(protocol),
          overrides: { secondFamilyFirst: true },
          controls: () => builder.streams(protocol),
        },
      ]
    : [];

/** Chat is stated to serve general models, too: what holds for the first caller is checked on the second. */
export function secondFamilyVariant(builder: CaseBuilder, protocol: Protocol): readonly RequestVariant[] {
  const second = secondCaller(protocol);
  if (second === undefined) return [];
  const [first, ...others] = builder.callers(protocol);
  const hasSecond = first?.family !== second.family && others.length > 0;
  return [
    {
      slug: second.family,
      idOf: (id) => forFamilyId(id, second),
      description: `for a ${second.family} model`,
      body: minimal[protocol],
      overrides: { callers: [second], when: [builder.served(protocol)] },
      controls: () => [cellId(second, protocol)],
      ...(hasSecond
        ? {}
        : { undeclared: { undeclared: `no second family that ${protocol} serves is declared` } }),
    },
  ];
}
