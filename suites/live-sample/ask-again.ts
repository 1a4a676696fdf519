import type { Target } from '../../fixtures/target/target.ts';
import type { Group } from '../../spec/vocabulary.ts';
import { createEvidenceView, type EvidenceView, isAnswered, type State } from '../checks/evidence-view.ts';
import { describeState } from '../checks/shared/describe.ts';
import { reproduce } from '../judge/reproduce.ts';
import { isExchange } from '../types/exchange.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import { unclearWords } from '../types/reasons/exchange-words.ts';
import { credentialOf } from '../reading/request-facts.ts';
import { executePlan } from '../run/execute-plan.ts';
import { type Change, changesBetween } from './compare.ts';
import type { Recorded, Repeatable } from './repeatable.ts';

/** One exchange of a sample, then and now. */
export interface AskedAgain {
  readonly id: string;
  /** Both replies in words, and when they began. */
  readonly before: { readonly reply: string; readonly at: string };
  readonly now: { readonly reply: string; readonly at?: string };
  /** In what they differ; none where they are the same. */
  readonly changes: readonly Change[];
  /** Why it could not be asked. */
  readonly unasked?: string;
  /** A curl command that asks the live gateway; tokens as environment variables. */
  readonly reproduce?: string;
}

/** Wall clock of one request and of all together, in milliseconds, and how many are under way at once. */
const bounds = { timeoutMs: 60_000, longestMs: 900_000, concurrency: 4 } as const;

const startOf = ({ exchange }: State): string => exchange?.timing.startedAt ?? '';

/** Groups whose token was seen to work: something that it sent was answered. */
const workingGroups = (
  requests: readonly PlannedRequest[],
  today: EvidenceView,
): ReadonlySet<Group | undefined> =>
  new Set(
    requests
      .filter(({ id, credential }) => credentialOf(credential) === 'right' && isAnswered(today, id))
      .map(({ callers: [caller] }) => caller?.group),
  );

/** Whether a refusal may be owed to the token that is used now, such as one of another group or without a balance. */
function isOfToken(
  { id, credential, callers }: PlannedRequest,
  today: EvidenceView,
  working: ReturnType<typeof workingGroups>,
): boolean {
  return (
    today.kind(id) === 'refused' && credentialOf(credential) === 'right' && !working.has(callers[0]?.group)
  );
}

/** Sends a sample to the live target by the rules of a run, and compares each reply with the recorded one. */
export async function askAgain(
  sample: readonly Repeatable[],
  run: Recorded,
  live: Target,
  signal: AbortSignal,
): Promise<readonly AskedAgain[]> {
  const plan: Plan = { ...run.plan, cases: [], requests: sample.map(({ request }) => request) };
  const selection = { suites: [], requirements: [], families: [], groups: [] };
  const { evidence } = await executePlan(live, plan, { ...bounds, seed: plan.seed, selection, signal });
  const [then, today] = [createEvidenceView(run.plan, run.evidence), createEvidenceView(plan, evidence)];
  const working = workingGroups(plan.requests, today);
  return plan.requests.map((request) => {
    const { id, protocol, callers } = request;
    const [before, now] = [then.state(id), today.state(id)];
    const command = reproduce(today, id);
    const asked = {
      id,
      before: { reply: describeState(before), at: startOf(before) },
      now: { reply: describeState(now), ...(isExchange(now.exchange) ? { at: startOf(now) } : {}) },
      ...(command === undefined ? {} : { reproduce: command }),
    };
    if (now.kind === 'unclear') return { ...asked, changes: [], unasked: unclearWords(now.why) };
    const changes = before.kind === 'unclear' ? [] : changesBetween(before, now, protocol);
    if (changes.length === 0 || !isOfToken(request, today, working)) return { ...asked, changes };
    const unasked = `refused, and nothing was answered to the token of the group ${callers[0]?.group}: it may be the token (${describeState(now)})`;
    return { ...asked, changes: [], unasked };
  });
}
