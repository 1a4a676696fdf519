import type { ReplyRule } from '../../spec/extension.ts';
import type { PlannedRequest } from '../types/plan.ts';
import type { ReplyRuleCheck } from '../types/checks/replies.ts';
import { decisions } from '../../spec/decisions.ts';
import { chanceOf, levelOf } from '../facts/exact-test.ts';
import { testsIn } from '../facts/tests-in.ts';
import type { Failure } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { EvidenceView, State } from './evidence-view.ts';
import { failureIn, type JudgedReply } from './shared/failure-in.ts';
import { type Aspect, fail, inconclusive, pass } from './shared/findings.ts';
import { everyReply, type ReplyState } from './shared/selections.ts';

export const replyRule: CheckDefinition<ReplyRuleCheck> = {
  kind: 'reply-rule',
  explanation:
    'Reads each reply of its kind that the run got: status, headers, end, time. Outages, and what proves nothing, are left out. Late are they where an exact test shows more of them than passing outages of one reply in twenty explain.',
  reads: ({ probes }) => probes,
  readsFurther: ({ protocol, rule }, { requests }) =>
    requests.filter((request) => request.protocol === protocol && isAsked(rule, request)).map(({ id }) => id),
  smaller: () => ({}),
  judge(check, view) {
    const { protocol, rule, probes } = check;
    const ids = view.plan.requests
      .filter((request) => request.protocol === protocol && isAsked(rule, request))
      .map(({ id }) => id);
    const seen = new Set<string>();
    // In an order of their own: of two replies with the same value the second one is told.
    const all = everyReply(view, [...new Set([...probes, ...ids])]).toSorted((one, other) =>
      one.id < other.id ? -1 : 1,
    );
    const meant = all.filter(({ id, state }) => {
      const request = view.request(state.exchange?.repeats ?? id);
      return request !== undefined && isMeant(rule, request, state, view);
    });
    const late = lateOf(rule, meant);
    // What passes makes some replies late, as it makes some missing.
    const areLate =
      chanceOf({ seen: late.size, of: meant.length }, decisions.lawfulOutages) <= levelOf(testsIn(view.plan));
    const replies = meant.map((reply): JudgedReply => {
      const { id, attempt, state } = reply;
      const slow = areLate ? late.get(reply) : undefined;
      return { id, attempt, aspect: slow ?? aspectOf(rule, state, seen) };
    });
    // Where nothing else is answered either, a refusal says nothing of its token.
    if (!probes.some((id) => view.kind(id) === 'answered')) return inconclusive('nothing-answered');
    return failureIn(view, replies) ?? (replies.length === 0 ? inconclusive('nothing-answered') : pass());
  },
};

/** Whether a request is one whose replies the rule is about. */
function isAsked({ of }: ReplyRule, { credential, expect, stream }: PlannedRequest): boolean {
  switch (of) {
    case 'answers':
      return expect === 'answer' && !stream;
    case 'streams':
      return expect === 'answer' && stream;
    case 'invalid tokens':
      return credential.form === 'invalid';
    default:
      return true;
  }
}

/** Whether a reply is one of those: an answer to what must be answered, a refusal of a token that must be refused. */
function isMeant(rule: ReplyRule, request: PlannedRequest, state: State, view: EvidenceView): boolean {
  if (state.kind === 'unclear' || !isAsked(rule, request)) return false;
  if (rule.of === 'every reply') return view.lockOutOf(state.exchange) === undefined;
  if (rule.of === 'invalid tokens')
    return state.kind === 'refused' && view.lockOutOf(state.exchange) === undefined;
  return state.kind === 'answered' && (state.reading.kind === 'stream') === (rule.of === 'streams');
}

const broken = ({ of }: ReplyRule, wanted: string, actual: string): Failure =>
  fail({ kind: 'reply-rule-broken', of, wanted }, actual);

/** Replies that took longer than a rule says, less the time that our own machine stood still. */
function lateOf(rule: ReplyRule, replies: readonly ReplyState[]): ReadonlyMap<ReplyState, Failure> {
  const { within = Number.POSITIVE_INFINITY } = rule;
  const late = replies.flatMap((reply) => {
    const { endMs = 0, stallMs = 0 } = reply.state.exchange?.timing ?? {};
    const seconds = (endMs - stallMs) / 1000;
    // Only of the last attempt is it known how long we stood still.
    return reply.isLast && seconds > within
      ? [[reply, broken(rule, `its end within ${within} s`, `${seconds.toFixed(1)} s`)] as const]
      : [];
  });
  return new Map(late);
}

const headerOf = ({ exchange }: State, wanted: string): string =>
  exchange?.response?.headers.find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1].trim() ?? '';

/** @param seen values of the header in earlier replies, to which that of this one is added */
function aspectOf(rule: ReplyRule, state: State, seen: Set<string>): Aspect {
  const { status, contentType, header, unique, terminator } = rule;
  const got = state.exchange?.response?.status ?? 0;
  if (status !== undefined && !status.includes(got))
    return broken(rule, `status ${status.join(' or ')}`, `HTTP ${got}`);
  const type = headerOf(state, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '';
  if (contentType !== undefined && type !== contentType.toLowerCase())
    return broken(rule, `content type ${contentType}`, type === '' ? 'no content type' : type);
  if (header !== undefined) {
    const value = headerOf(state, header);
    if (value === '') return broken(rule, `a header ${header}`, `no ${header}`);
    if (unique && seen.has(value)) return broken(rule, `a value of ${header} that no other reply has`, value);
    seen.add(value);
  }
  if (terminator !== undefined && state.kind === 'answered' && state.reading.kind === 'stream') {
    const end = state.reading.stream.terminator;
    if (end !== terminator) return broken(rule, `${terminator} at the end`, end ?? 'no terminator');
  }
  return 'kept';
}
