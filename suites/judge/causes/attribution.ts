import type { Protocol } from '../../../spec/vocabulary.ts';
import { type EvidenceView, isAnswered, isTaken, requestAt } from '../../checks/evidence-view.ts';
import { readsIn } from '../../checks/registry.ts';
import type { Tally } from '../../facts/exact-test.ts';
import type { Fact } from '../../facts/fact.ts';
import { modelAnswers } from '../../facts/model-answers.ts';
import type { RefusedFactor, RefusedRequest } from '../../facts/refused-requests.ts';
import { stopBehind } from '../../facts/stops.ts';
import { isRefused, validExchanges } from '../../facts/valid-replies.ts';
import { strangerIn, wronglyAnswered } from '../../facts/wrongly-answered.ts';
import type { Case } from '../../types/case.ts';
import type { Failure, FindingWithReason } from '../../types/finding.ts';
import type { Caller, PlannedRequest } from '../../types/plan.ts';
import { messageOf, shareWords } from '../../types/reasons/index.ts';
import type { ReportRequirement } from '../../types/report.ts';
import { configKeysOf } from '../../facts/mistakes.ts';
import { factOfMistake, refusedStatusOf, statusOf } from './unanswered.ts';
import { type Attributed, brokenBehind, type Deciding, type Failures, silentBehind } from './attributed.ts';

const refusals: ReadonlySet<Failure['reason']['kind']> = new Set([
  'valid-request-refused',
  'valid-value-refused',
  'combination-refused',
  'optional-parameter-required',
]);

/** Checks of the replies of all endpoints: their findings say where. */
const everyEndpoint: ReadonlySet<Case['check']['kind']> = new Set(['availability', 'whole-results']);

/** What a failure is about: the endpoint or the family behind a refusal, what is refused, a field of the result, or itself. */
export function factOfFailure(
  row: Pick<ReportRequirement, 'id' | 'statement'>,
  deciding: Deciding & { readonly finding: Failure },
  attributed: Attributed,
): Fact {
  const { entry, finding, shown } = deciding;
  const { view } = attributed;
  const evidence = shown === undefined ? [] : [shown];
  const request = requestAt(view, shown);
  if (finding.reason.kind === 'not-refused' && request)
    return factOfAnswer(finding.reason.rule, request, view, evidence);
  if (refusals.has(finding.reason.kind)) {
    const found = shown === undefined ? undefined : factOfRefusal(deciding, attributed, shown);
    if (found) return found;
  }
  if (finding.reason.kind === 'token-refused-once' && request) {
    const status = refusedStatusOf(view, shown);
    const { seen, of } = refusedAtFirst(view, request.protocol, status);
    return {
      kind: 'token-not-accepted',
      protocol: request.protocol,
      refused: seen,
      passingOf: of,
      status,
      evidence,
    };
  }
  return {
    kind: entry.check.kind === 'result-fields' ? 'result-field-broken' : 'requirement-broken',
    requirement: row.id,
    protocol: everyEndpoint.has(entry.check.kind) ? undefined : request?.protocol,
    message: messageOf(finding),
    reason: finding.reason,
    actual: finding.actual,
    pointer: finding.pointer,
    share: shareWords(finding),
    ...(refusals.has(finding.reason.kind) && shown !== undefined
      ? { refused: { status: statusOf(view, shown), statement: row.statement } }
      : {}),
    evidence,
  };
}

/** How many valid requests of an endpoint are answered in the end, and how many of them were refused at first with a status. */
function refusedAtFirst(view: EvidenceView, protocol: Protocol, status: string | undefined): Tally {
  const answered = validExchanges(view).filter(
    ([request, { id }]) => request.protocol === protocol && view.kind(id) === 'answered',
  );
  const seen = answered.filter(([, { id }]) => {
    const [first] = view.attempts(id);
    return first !== undefined && isRefused(first) && refusedStatusOf(view, id) === status;
  });
  return { seen: seen.length, of: answered.length };
}

function factOfAnswer(
  rule: string,
  request: PlannedRequest,
  view: EvidenceView,
  evidence: readonly string[],
): Fact {
  const open = view.plan.requests.find(
    (each) => each.protocol === request.protocol && strangerIn(each) && isAnswered(view, each.id),
  );
  const { kind: wrong, ...told } = wronglyAnswered(request, rule, open);
  return { kind: 'not-refused', wrong, ...told, evidence };
}

function factOfRefusal(
  { entry, finding }: Deciding,
  { view, unanswered, refusedRequest }: Attributed,
  shown: string,
): Fact | undefined {
  const evidence = [shown];
  const status = statusOf(view, shown);
  const behind = unanswered.ofRequest(shown);
  if (behind) return { ...behind, evidence: [...new Set([shown, ...behind.evidence])] };
  if (entry.check.kind === 'served' && view.request(shown)?.version === 'declared')
    return factOfFamily(entry, view, evidence);
  const isSmallest = finding.reason.kind === 'combination-refused';
  const request = refusedRequest(shown, isSmallest);
  if (request === undefined || !isTold(request, isSmallest)) return undefined;
  const { factors } = request;
  const kind = factors.some(isParameter) ? 'parameter-not-supported' : 'text-refused';
  return { kind, factors, request, status, evidence };
}

/** Several things may differ by chance, but of the smallest refused part; where such requests are answered, it is something else. */
const isTold = ({ factors, refused, others }: RefusedRequest, isSmallest: boolean): boolean =>
  (factors.length === 1 ? others.seen === 0 : isSmallest && factors.length > 0) &&
  refused.seen === refused.of &&
  !factors.some(({ kind }) => kind === 'caller');

const isParameter = ({ kind }: RefusedFactor): boolean =>
  kind === 'member' || kind === 'any-value' || kind === 'left-out' || kind === 'unstreamed';

/** A family that no group is served of which it must be. */
function factOfFamily(entry: Case, view: EvidenceView, evidence: readonly string[]): Fact | undefined {
  const probes = readsIn(entry.check, view.plan).filter(
    (id) => view.state(id).kind === 'refused' && view.request(id)?.callers.length === 1,
  );
  const callers = probes.flatMap((id) => view.request(id)?.callers ?? []);
  const [caller] = callers;
  const protocol = probes[0] === undefined ? undefined : view.request(probes[0])?.protocol;
  if (caller === undefined || protocol === undefined) return undefined;
  const groups = [
    ...new Set(callers.filter(({ family }) => family === caller.family).map(({ group }) => group)),
  ];
  const status = statusOf(view, probes[0]);
  const isStreamed = probes.every((id) => view.request(id)?.stream) && isServedWhole(view, caller, protocol);
  return { kind: 'family-not-served', family: caller.family, protocol, groups, isStreamed, status, evidence };
}

/** Whether a caller is served on an endpoint where it asks for no stream. */
const isServedWhole = (view: EvidenceView, { family, group }: Caller, protocol: Protocol): boolean =>
  view.plan.requests.some(
    (request) =>
      request.protocol === protocol &&
      !request.stream &&
      request.callers.every((each) => each.family === family && each.group === group) &&
      isTaken(view, request.id),
  );

type NotAsked = Extract<Fact, { kind: 'not-asked' }>['why'];

/** Reasons that name their cause by themselves. */
const notAsked: Readonly<Partial<Record<string, NotAsked>>> = {
  'not-selected': 'selection',
  'not-in-profile': 'profile',
  'not-in-shard': 'shard',
  'not-in-traffic': 'traffic',
  'too-costly': 'skip-costly',
  'not-needed': 'not-needed',
};
const undeclared: ReadonlySet<string> = new Set(['undeclared', 'offered-undeclared', 'no-control-declared']);

/** What an undecided requirement rests on: its reason, the failure that it names, or what became of its requests. */
export function factOfUndecided(
  { code = 'not-run', nonGating, reason, verdict }: ReportRequirement,
  deciding: readonly Deciding[],
  attributed: Attributed,
  failures: Failures,
): Fact {
  const { viewOf, view, unanswered } = attributed;
  const { failureAt } = failures;
  const evidence = [...new Set(deciding.flatMap(({ shown }) => shown ?? []))];
  const message = deciding[0] ? messageOf(deciding[0].finding) : (reason ?? 'not run');
  const why = notAsked[code];
  if (why !== undefined) return { kind: 'not-asked', why, message, evidence: [] };
  if (undeclared.has(code)) return { kind: 'not-declared', message, evidence: [] };
  const own =
    deciding.map(({ finding }) => ownFact(finding, attributed, failureAt)).find(Boolean) ??
    brokenBehind(deciding, attributed, failures);
  if (own) return own;
  const protocol = requestAt(view, evidence[0])?.protocol;
  // Streams came and were timed: what else the case reads does not matter.
  if (nonGating === 'too-fast') return { kind: nonGating, protocol, message, evidence };
  const silent = nonGating === 'model-behaviour' ? silentBehind(deciding, attributed, failures) : undefined;
  if (silent) return silent;
  const told = factOfModel(message, deciding, view);
  if (told && deciding.some(({ finding }) => finding.reason.kind === 'no-word-shown')) return told;
  for (const { entry, shown } of deciding) {
    const own = viewOf(entry);
    for (const read of [shown ?? [], readsIn(entry.check, own.plan)].flat()) {
      // A refusal that others are compared with may never have come: the request was answered.
      const found =
        unusedBehind(unanswered.ofRequest(read), failures) ??
        refusedElsewhere(read, attributed, failureAt) ??
        stoppedBehind(read, attributed, failureAt) ??
        (isTaken(own, read) && own.request(read)?.expect === 'refusal' ? failureAt(read) : undefined);
      if (found) return found;
    }
  }
  if (told) return told;
  return (
    (protocol && unanswered.ofEndpoint(protocol)) ?? {
      kind: 'not-decided',
      code: deciding.length === 0 ? verdict : code,
      message,
      evidence,
    }
  );
}

/** The failure that all replies show which can't be judged: that is why they can't. */
function unusedBehind(fact: Fact | undefined, { brokenAt }: Failures): Fact | undefined {
  if (fact?.kind !== 'no-usable-reply') return fact;
  const [first = '', ...others] = fact.replies.exchanges;
  return brokenAt(first).find((own) => others.every((id) => brokenAt(id).includes(own))) ?? fact;
}

/** That it depends on what models answer, where replies show that they do not always say what they are asked for. */
function factOfModel(message: string, deciding: readonly Deciding[], view: EvidenceView): Fact | undefined {
  const asked = deciding.flatMap(({ finding }) => ('asked' in finding ? (finding.asked ?? []) : []));
  const [first, ...others] = modelAnswers(view, asked).filter(({ unsaid }) => unsaid.length > 0);
  if (first === undefined) return undefined;
  const answers = [first, ...others] as const;
  const evidence = answers.flatMap(({ unsaid, said }) => [...unsaid, ...said]);
  return { kind: 'model-behaviour', message, answers, evidence };
}

/** The failure that tells what a refused valid request is refused for, where another request showed it. */
function refusedElsewhere(id: string, { view }: Attributed, failureAt: (name: string) => Fact | undefined) {
  if (view.kind(id) !== 'refused' || view.request(id)?.expect !== 'answer') return undefined;
  const found = failureAt(id);
  const isOfRefusal =
    found?.kind === 'text-refused' ||
    found?.kind === 'parameter-not-supported' ||
    (found?.kind === 'requirement-broken' && found.refused !== undefined);
  return isOfRefusal ? found : undefined;
}

/** That an endpoint had stopped when it refused a request: that shows nothing else (principle 4). */
function stoppedBehind(
  id: string,
  { view }: Attributed,
  failureAt: (name: string) => Fact | undefined,
): Fact | undefined {
  const stop = stopBehind(view, id);
  if (stop === undefined) return undefined;
  const { protocol, since, answered } = stop;
  const failed = failureAt('service.availability');
  const isOfStop = failed?.kind === 'requirement-broken' && failed.reason.kind === 'endpoint-stopped';
  if (isOfStop && requestAt(view, failed.evidence[0])?.protocol === protocol) return failed;
  const evidence = since.map((exchange) => exchange.id);
  const status = statusOf(view, evidence[0]);
  return { kind: 'endpoint-unanswered', protocol, refused: since.length, answered, status, evidence };
}

/** What the reason of a finding points to. */
function ownFact(
  { reason }: FindingWithReason,
  { mistakes, view }: Attributed,
  failureAt: (name: string) => Fact | undefined,
): Fact | undefined {
  switch (reason.kind) {
    case 'every-path-alike':
    case 'declared-token-refused':
    case 'declared-tokens-exchanged':
    case 'declared-token-of-one-group':
    case 'declared-token-not-told':
    case 'declared-model-unknown':
    case 'declared-model-not-told': {
      const keys = reason.keys.join();
      const mistake = mistakes.find((one) => configKeysOf(one).join() === keys);
      return mistake && factOfMistake(mistake, view);
    }
    case 'no-stream-answered':
      return failureAt(reason.requirement);
    case 'no-result-with-field':
      return reason.within && failureAt(reason.within.requirement);
    case 'part-refused':
    case 'part-unanswered':
      return failureAt(reason.part);
    case 'answer-explained':
      return failureAt(reason.exchange);
    default:
      return undefined;
  }
}
