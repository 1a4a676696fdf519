import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { RequestOverrides } from '../builder/planned-request.ts';

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
  readonly reason: string;
}

/**
 * What is wrong with a request for images is asked only while nothing that breaks the same requirement was answered:
 * one answer shows the failure, and each is billed as many texts are.
 */
function unlessShown(
  builder: CaseBuilder,
  protocol: Protocol,
  { requirement, overrides }: RefusedRequest,
): Pick<RequestOverrides, 'when'> {
  if (isTextProtocol(protocol)) return {};
  const before = builder.cases.flatMap(({ check }) =>
    check.kind === 'refused' && check.requirement === requirement ? check.probe : [],
  );
  if (before.length === 0) return {};
  const when = overrides.when ?? [builder.served(protocol)];
  return { when: [...when, { kind: 'unanswered', all: before }] };
}

export function refusedCase(builder: CaseBuilder, protocol: Protocol, request: RefusedRequest): void {
  const { caseId, title, requirement, requestId, overrides, controls, controlMayBeRefused } = request;
  builder.add(
    {
      id: `parameters.${protocol}.${caseId}`,
      title: `${protocol} refuses ${title}`,
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'refused',
      requirement,
      probe: builder.send(requestId, protocol, {
        ...overrides,
        ...unlessShown(builder, protocol, request),
        expect: 'refusal',
      }),
      controls: controls?.() ?? [builder.control(protocol)],
      after: builder.after(protocol),
      rule: request.reason,
      ...(controlMayBeRefused ? { controlMayBeRefused } : {}),
    }),
  );
}
