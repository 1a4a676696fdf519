import type { Protocol } from '../../../spec/vocabulary.ts';
import { protocols } from '../../../spec/vocabulary.ts';
import { type EvidenceView, isAnswered, isTaken } from '../../checks/evidence-view.ts';
import type { ViewOf } from '../../checks/model-views.ts';
import { readsIn } from '../../checks/registry.ts';
import type { Failure, FindingWithReason } from '../../types/finding.ts';
import type { CauseKind } from '../../types/cause.ts';
import type { Case } from '../../types/case.ts';
import type { ReportRequirement } from '../../types/report.ts';
import type { Mistake } from './mistake.ts';
import { type Origin, originOfMistake, type OriginReader } from './origin.ts';

/** A finding that decided a requirement, with its case. */
export interface Deciding {
  readonly entry: Case;
  readonly finding: FindingWithReason;
  /** The exchange that shows it, where there is one. */
  readonly shown: string | undefined;
}

/** What attributing needs of a judged run. */
export interface Attributed {
  readonly viewOf: ViewOf;
  readonly mistakes: readonly Mistake[];
  readonly origins: OriginReader;
}

const protocolOf = (id: string): Protocol | undefined =>
  protocols.find((protocol) => id.startsWith(`${protocol}.`));

/** The parameter that a requirement is about, by its id: `chat.param.top-p.range` is about `chat.top-p`. */
function parameterOf(id: string): { readonly protocol: Protocol; readonly parameter: string } | undefined {
  const [protocol, area, parameter] = [protocolOf(id), ...id.split('.').slice(1, 3)];
  return protocol !== undefined && area === 'param' && parameter !== undefined
    ? { protocol, parameter }
    : undefined;
}

/** Failures of a valid request that is not taken. */
const refusals: ReadonlySet<Failure['reason']['kind']> = new Set([
  'valid-request-refused',
  'valid-value-refused',
  'combination-refused',
  'optional-parameter-required',
]);

/** What a failure is about: the endpoint or the family behind a refusal, a parameter, a field of the result, or itself. */
export function originOfFailure(
  { id }: Pick<ReportRequirement, 'id'>,
  { entry, finding, shown }: Deciding & { readonly finding: Failure },
  { origins }: Attributed,
): Origin {
  const evidence = shown === undefined ? [] : [shown];
  const protocol = protocolOf(id) ?? entry.cell?.protocol;
  if (finding.reason.kind === 'not-refused') return { kind: 'not-refused', about: entry.suite, evidence };
  if (refusals.has(finding.reason.kind)) {
    const behind = shown === undefined ? undefined : origins.ofRequest(shown);
    if (behind && behind.kind !== 'family-not-served') return withEvidence(behind, evidence);
    const about = parameterOf(id);
    if (about?.parameter === 'stream') return { kind: 'stream-not-offered', about: about.protocol, evidence };
    if (about)
      return { kind: 'parameter-not-supported', about: `${about.protocol}.${about.parameter}`, evidence };
    if (entry.suite === 'authentication' && protocol)
      return { kind: 'token-not-accepted', about: protocol, evidence };
    if (behind) return withEvidence(behind, evidence);
    if (entry.cell)
      return { kind: 'family-not-served', about: `${entry.cell.family}.${entry.cell.protocol}`, evidence };
  }
  if (finding.reason.kind === 'token-refused-once' && protocol)
    return { kind: 'token-not-accepted', about: protocol, evidence };
  const isField = entry.suite === 'results' && /[.]result[.]/.test(id);
  return { kind: isField ? 'result-field-broken' : 'requirement-broken', about: id, evidence };
}

const withEvidence = (origin: Origin, evidence: readonly string[]): Origin => ({
  ...origin,
  evidence: [...new Set([...evidence, ...origin.evidence])],
});

/** Reasons that name their origin by themselves. */
const byReason: Readonly<
  Partial<Record<FindingWithReason['reason']['kind'], readonly [CauseKind, string?]>>
> = {
  undeclared: ['not-declared'],
  'no-control-declared': ['not-declared'],
  'not-selected': ['not-asked', 'selection'],
  'not-in-profile': ['not-asked', 'profile'],
  'not-in-shard': ['not-asked', 'shard'],
  'not-in-traffic': ['not-asked', 'traffic'],
  'too-costly': ['not-asked', 'skip-costly'],
  'not-needed': ['not-asked', 'not-needed'],
};

/**
 * What an undecided requirement rests on: what its reason names, the failure that it points to, or else what became
 * of the requests that its case reads, in their order.
 * @param failureAt the origin of the failure that an exchange shows, or that breaks a requirement
 */
export function originOfUndecided(
  { id, code, nonGating, verdict }: ReportRequirement,
  deciding: readonly Deciding[],
  { viewOf, mistakes, origins }: Attributed,
  failureAt: (name: string) => Origin | undefined,
): Origin {
  const [kind, about] = byReason[(code ?? 'not-run') as keyof typeof byReason] ?? [];
  if (kind !== undefined) return { kind, ...(about === undefined ? {} : { about }), evidence: [] };
  const own = deciding.map(({ finding }) => ownOrigin(finding, mistakes, failureAt)).find(Boolean);
  if (own) return own;
  if (deciding.some((each) => saysNoWord(each, viewOf(each.entry))))
    return { kind: 'model-behaviour', evidence: shownIn(deciding) };
  for (const { entry, shown } of deciding)
    for (const read of [
      ...(shown === undefined ? [] : [shown]),
      ...readsIn(entry.check, viewOf(entry).plan),
    ]) {
      const isAnswered = isWronglyAnswered(viewOf(entry), read);
      const origin = origins.ofRequest(read) ?? (isAnswered ? failureAt(read) : undefined);
      if (origin) return origin;
    }
  if (nonGating !== undefined) return { kind: nonGating, evidence: shownIn(deciding) };
  const protocol = protocolOf(id);
  return (
    within(id, failureAt) ??
    (protocol && origins.ofEndpoint(protocol)) ?? {
      kind: 'not-decided',
      about: code ?? verdict,
      evidence: shownIn(deciding),
    }
  );
}

/** A check reads every reply, and some are answers: one that is refused is not why none of them has a word. */
const saysNoWord = ({ entry, finding }: Deciding, view: EvidenceView): boolean =>
  finding.reason.kind === 'no-word-shown' &&
  readsIn(entry.check, view.plan).some((id) => isAnswered(view, id));

/** A refusal that others are compared with never came: the request was answered. */
const isWronglyAnswered = (view: EvidenceView, id: string): boolean =>
  isTaken(view, id) && view.request(id)?.expect === 'refusal';

const shownIn = (deciding: readonly Deciding[]): readonly string[] => [
  ...new Set(deciding.flatMap(({ shown }) => shown ?? [])),
];

/** What the reason of a finding points to. */
function ownOrigin(
  { reason }: FindingWithReason,
  mistakes: readonly Mistake[],
  failureAt: (name: string) => Origin | undefined,
): Origin | undefined {
  switch (reason.kind) {
    case 'every-path-alike':
    case 'declared-token-refused':
    case 'declared-model-unknown': {
      const mistake = mistakes.find((one) => originOfMistake(one).configKeys?.[0] === reason.keys[0]);
      return mistake && originOfMistake(mistake);
    }
    case 'no-stream-answered':
      return failureAt(reason.requirement);
    case 'part-refused':
    case 'part-unanswered':
      return failureAt(reason.part);
    case 'answer-explained':
      return failureAt(reason.exchange);
    default:
      return undefined;
  }
}

/** The failure of what contains it: of `usage`, where `usage.total-tokens` can't be seen. */
function within(id: string, failureAt: (name: string) => Origin | undefined): Origin | undefined {
  const parts = id.split('.');
  const containers = parts.map((_, at) => parts.slice(0, parts.length - at - 1).join('.'));
  return containers.map((name) => (name === '' ? undefined : failureAt(name))).find(Boolean);
}
