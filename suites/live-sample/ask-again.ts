import type { Target, TokenName } from '../../fixtures/target/target.ts';
import { createEvidenceView, type EvidenceView, isAnswered, type State } from '../checks/evidence-view.ts';
import { describeState } from '../checks/shared/findings.ts';
import { tellsApart } from '../checks/shared/refusal-features.ts';
import { reproduce } from '../judge/reproduce.ts';
import { type Exchange, isExchange } from '../types/exchange.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import { unclearWords } from '../types/reasons/exchange-words.ts';
import { executePlan } from '../run/execute-plan.ts';
import { isOwnLimit } from '../facts/replies.ts';
import {
  type Change,
  changesBetween,
  judgedReply,
  type Recorded,
  type Repeatable,
  isInvented,
  tokenOf,
} from './repeatable.ts';

/** What is said of a token that a reply may be owed to, and not to the gateway. */
interface TokenDoubt {
  readonly token: TokenName;
  /** Nothing is answered to it today, and it is refused as a token is that nobody issued, or not; or it was limited. */
  readonly kind: 'not-accepted' | 'not-answered' | 'not-limited';
}

function doubtWords({ token, kind }: TokenDoubt, now: State): string {
  const unanswered = `refused, and nothing was answered to the token ${token}: it`;
  const words = {
    'not-limited': `the token ${token} does not get its limit, which may not be spent`,
    'not-answered': `${unanswered} may be the token`,
    'not-accepted': `${unanswered} is not accepted, for an invented one is refused in the same words`,
  };
  return `${words[kind]} (${describeState(now)})`;
}

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
  /** The token that it may be owed to. */
  readonly token?: TokenDoubt;
  /** A curl command that asks the live gateway; tokens as environment variables. */
  readonly reproduce?: string;
}

/** Wall clock of one request and of all together, in milliseconds, and how many are under way at once. */
const bounds = { timeoutMs: 60_000, longestMs: 900_000, concurrency: 4 } as const;

const startOf = ({ exchange }: State): string => exchange?.timing.startedAt ?? '';

/** What tells whether a token is accepted today. */
interface TokenSigns {
  readonly today: EvidenceView;
  /** Tokens that something was answered to, in the report and now. */
  readonly before: ReadonlySet<TokenName>;
  readonly now: ReadonlySet<TokenName>;
  /** Refusals of a token that nobody issued. */
  readonly invented: readonly Exchange[];
}

const workingTokens = (requests: readonly PlannedRequest[], view: EvidenceView): ReadonlySet<TokenName> =>
  new Set(requests.filter(({ id }) => isAnswered(view, id)).flatMap((request) => tokenOf(request) ?? []));

const refusalOf = (view: EvidenceView, id: string): readonly Exchange[] => {
  const state = view.state(id);
  return state.kind === 'refused' ? [state.exchange] : [];
};

/** What is to be said of the token that a refusal may be owed to: it shows something only where its token is answered (principle 4). */
function tokenDoubt(
  request: PlannedRequest,
  signs: TokenSigns,
  changes: readonly Change[],
): TokenDoubt | undefined {
  const { today, before, now, invented } = signs;
  const token = tokenOf(request);
  if (token === undefined) return undefined;
  const refusals = now.has(token) ? [] : refusalOf(today, request.id);
  if (refusals.length > 0 && invented.length > 0 && tellsApart(refusals, invented) === undefined)
    return { token, kind: 'not-accepted' };
  if (refusals.length > 0 && before.has(token)) return { token, kind: 'not-answered' };
  const { exchange } = today.state(request.id);
  const isLimited = exchange !== undefined && isOwnLimit(request, exchange);
  return request.expect === 'limited' && changes.length > 0 && !isLimited
    ? { token, kind: 'not-limited' }
    : undefined;
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
  const { evidence } = await executePlan(live, plan, {
    ...bounds,
    seed: plan.seed,
    selection,
    signal,
    keepGoing: true,
  });
  const [then, today] = [createEvidenceView(run.plan, run.evidence), createEvidenceView(plan, evidence)];
  const signs: TokenSigns = {
    today,
    before: workingTokens(run.plan.requests, then),
    now: workingTokens(plan.requests, today),
    invented: plan.requests.filter(isInvented).flatMap(({ id }) => refusalOf(today, id)),
  };
  return plan.requests.map((request) => {
    const { id, protocol } = request;
    const [before, now] = [then.state(id), today.state(id)];
    const [judgedThen, judgedNow] = [judgedReply(then, request), judgedReply(today, request)];
    const command = reproduce(today, id);
    const asked = {
      id,
      before: { reply: describeState(before), at: startOf(before) },
      now: { reply: describeState(now), ...(isExchange(now.exchange) ? { at: startOf(now) } : {}) },
      ...(command === undefined ? {} : { reproduce: command }),
    };
    if (judgedNow === undefined && now.kind === 'unclear')
      return { ...asked, changes: [], unasked: unclearWords(now.why) };
    const changes = judgedThen && judgedNow ? changesBetween(judgedThen, judgedNow, protocol) : [];
    const doubt = tokenDoubt(request, signs, changes);
    if (doubt !== undefined) return { ...asked, changes: [], unasked: doubtWords(doubt, now), token: doubt };
    return { ...asked, changes };
  });
}
