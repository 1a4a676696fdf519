import { type TrafficExchange, trafficCases } from './traffic-cases.ts';
import { type Extension, withExtension } from '../../spec/extension.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { isOwn } from '../../spec/requirements.ts';
import { createEvidenceView } from '../checks/evidence-view.ts';
import { judgementOf } from '../checks/registry.ts';
import type { Case } from '../types/case.ts';
import { type Evidence, type Exchange, isExchange } from '../types/exchange.ts';
import type { Finding } from '../types/finding.ts';
import type { Caller, Plan, PlannedRequest } from '../types/plan.ts';
import type { Template } from '../types/template.ts';
import type { Depth } from '../types/profile.ts';
import { isText, parseJson, valueAt } from '../reading/json.ts';
import { type Classified, classify, type KnownTarget } from './classify.ts';

/** How much live traffic asks: whatever clients send. The profile says nothing of it. */
export const trafficDepth: Depth = { profile: 'smoke', skipCostly: false, source: 'live-traffic' };

/** Each family with each group; without a group none, for who called is not known. */
const callersOf = ({ families, groups }: Classified): readonly Caller[] =>
  families.flatMap((family) => groups.map((group) => ({ family, group })));

/** The request of an exchange as if it had been planned. Of its body only what checks read: parameters. */
function requestOf({ exchange, known, chainedOn }: TrafficExchange): PlannedRequest {
  const { protocol, parameters, stream, setAside } = known;
  const chain: Record<string, Template> =
    chainedOn === undefined
      ? {}
      : { previous_response_id: { $: 'reply', exchange: chainedOn, pointer: '/id' } };
  const { headers } = exchange.request;
  return {
    id: exchange.id,
    protocol,
    method: 'POST',
    path: protocolFacts[protocol].path,
    callers: callersOf(known),
    credential: { form: 'right' },
    version: 'declared',
    accept: headers.accept ?? '',
    contentType: headers['content-type'] ?? '',
    body: { json: { ...parameters, ...chain } },
    stream,
    expect: setAside === undefined ? 'answer' : 'either',
    stage: 'lanes',
    billed: protocol === 'images' ? Number(parameters.n ?? 1) : 1,
    when: [],
  };
}

function responseId({ response }: Exchange): string | undefined {
  const parsed = parseJson(response?.body.text ?? '');
  const id = parsed.ok && valueAt(parsed.value, '/id');
  return isText(id) ? id : undefined;
}

/** Where a reply has no text: of another client's question nobody knows whether there is something to say. */
const ofModel: ReadonlySet<string> = new Set([
  'no-text',
  'stream-without-text',
  'streams-silent',
  'image-missing-in-chat',
]);

const isOfModel = (finding: Finding): boolean => 'reason' in finding && ofModel.has(finding.reason.kind);

/** Recorded traffic as a plan without cases, and each case that may be one, with what came of it; `own`: in place of the interface. */
const judgeTraffic = (target: KnownTarget, evidence: Evidence, own: Extension | undefined) =>
  withExtension(own, () => judged(target, evidence, own));

function judged(target: KnownTarget, evidence: Evidence, own: Extension | undefined) {
  const roots = new Map<string, string>();
  const all: TrafficExchange[] = [];
  for (const exchange of [...evidence.values()].filter(isExchange)) {
    const known = classify(exchange.request, target);
    if (known === undefined) continue;
    // Only what ended before can be chained on, so that no chain is a ring.
    const chainedOn = roots.get(String(known.parameters.previous_response_id));
    all.push({ exchange, known, ...(chainedOn === undefined ? {} : { chainedOn }) });
    const id = known.protocol === 'responses' && !known.stream ? responseId(exchange) : undefined;
    if (id !== undefined && !roots.has(id)) roots.set(id, exchange.id);
  }
  const extension = own === undefined ? {} : { extension: own };
  const requests = all.map(requestOf);
  const plan: Plan = { ...trafficDepth, ...extension, seed: 0, requests, cases: [], notAsked: [] };
  const view = createEvidenceView(plan, evidence);
  const cases = trafficCases(all, view).map((entry) => {
    const { findings } = judgementOf(entry, view);
    const isMeant = (finding: Finding): boolean => own === undefined || isOwn(finding.requirement);
    return { entry, findings: findings.filter((finding) => isMeant(finding) && !isOfModel(finding)) };
  });
  return { plan, view, cases };
}

/**
 * The plan that recorded traffic amounts to, with the cases that it decides. Pure. `evidence` is in the order in which exchanges
 * ended; `own` is judged in place of the interface.
 */
export function planTraffic(target: KnownTarget, evidence: Evidence, own?: Extension): Plan {
  const { plan, cases } = judgeTraffic(target, evidence, own);
  return { ...plan, cases: cases.flatMap(({ entry, findings }) => decided(entry, findings) ?? []) };
}

/** Judges one exchange of live traffic alone: what fails by it must be kept, and what does not need not be. Pure. */
export function readSingle(target: KnownTarget, exchange: Exchange, own?: Extension) {
  const { view, cases } = judgeTraffic(target, new Map([[exchange.id, exchange]]), own);
  const all = cases.flatMap(({ findings }) => findings);
  const failed = all.flatMap(({ verdict, requirement }) => (verdict === 'fail' ? [requirement] : []));
  return { failed, state: view.state(exchange.id) };
}

/** A case with those of its requirements that the traffic decides; undefined where it decides none. */
function decided(entry: Case, findings: readonly Finding[]): Case | undefined {
  const isBroken = findings.some(({ verdict }) => verdict === 'fail');
  // What is undecided because something around it is broken belongs to that.
  const verdicts = ['pass', 'fail', ...(isBroken ? ['inconclusive'] : [])];
  const requirements = findings.flatMap(({ verdict, requirement }) =>
    verdicts.includes(verdict) ? [requirement] : [],
  );
  if (requirements.length === 0) return undefined;
  const { check } = entry;
  return {
    ...entry,
    requirements,
    check: check.kind === 'result-fields' ? { ...check, requirements } : check,
  };
}
