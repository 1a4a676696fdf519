import type { Failure, Outcome } from '../types/finding.ts';
import { wordsOf } from '../types/reasons/index.ts';
import { hasNoBlock } from '../reading/text.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, mayBeSilent } from './evidence-view.ts';
import { failureIn, type JudgedReply } from './shared/failure-in.ts';
import { joinedText, fieldViolations, violationAround } from './shared/field-violations.ts';
import {
  type Aspect,
  inconclusive,
  pass,
  untested,
  describeState,
  excerpt,
  fail,
} from './shared/findings.ts';
import { answersOf, everyReply, type ReplyState } from './shared/meant-replies.ts';
import { decisions } from '../../spec/decisions.ts';
import { levelOf, timesNeeded, testsIn } from '../facts/exact-test.ts';
import type { Attempt } from '../types/exchange.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import { isCutResult } from '../facts/valid-replies.ts';

export const wholeResults: CheckDefinition<'whole-results'> = {
  explanation:
    'Looks at every reply to every valid request without a stream, those included that another attempt followed: a result whose JSON ends in the middle, in a reply that is complete, fails, and so does one with something behind it, and one that the connection ends in every attempt, more often than passing outages explain, while others are answered.',
  reads: ({ probes }) => probes,
  smaller: () => ({}),
  judge(_, view) {
    const due = view.plan.requests.filter((request) => !request.stream && isAnswerDue(request));
    const states = everyReply(
      view,
      due.map(({ id }) => id),
    );
    const judged = states.map((reply) => ({ ...reply, aspect: aspectOf(view, reply) }));
    const isWhole = judged.some(({ aspect }) => aspect === 'kept');
    return failureIn(view, judged) ?? (isWhole ? pass() : inconclusive('nothing-answered'));
  },
};

/** A success that the transport breaks off in every attempt, more than outages explain, while others are answered. */
function brokenOff(view: EvidenceView, { state, isLast }: ReplyState): Aspect {
  const { attempts = [], response } = state.exchange ?? {};
  const isBroken = ({ ending, status }: Attempt): boolean =>
    ending.kind === 'cut' && status !== null && status >= 200 && status < 300;
  const needed = timesNeeded(decisions.lawfulOutages, levelOf(testsIn(view.plan)));
  if (!isLast || !response?.body.bytes || attempts.length < needed || !attempts.every(isBroken))
    return undefined;
  const [from = '', to = ''] = [attempts[0]?.startedAt, attempts.at(-1)?.startedAt];
  const isOutage = !view
    .exchanges()
    .some(
      ({ id, timing: { startedAt } }) => startedAt > from && startedAt < to && view.kind(id) === 'answered',
    );
  return isOutage
    ? undefined
    : fail({ kind: 'result-broken-off', attempts: attempts.length }, describeState(state));
}

/** What is wrong with a result as a document; undefined where the reply is no result. */
function aspectOf(view: EvidenceView, reply: ReplyState): Aspect {
  const { state } = reply;
  if (isCutResult(state)) return fail('result-cut', describeState(state));
  if (state.kind === 'unclear') return brokenOff(view, reply);
  if (state.kind !== 'answered') return undefined;
  const trail = state.reading.kind === 'result' ? state.reading.trail : undefined;
  return trail === undefined
    ? 'kept'
    : fail('result-trailed', `${describeState(state)}, and behind it ${JSON.stringify(excerpt(trail))}`);
}

export const resultFields: CheckDefinition<'result-fields'> = {
  explanation: 'Reads the field in every result of the protocol that the run got.',
  reads: ({ probes }) => probes,
  readsFurther: ({ protocol }, plan) => answersOf(plan, protocol),
  smaller: () => ({}),
  judge({ protocol, requirements }, view) {
    const tallies = new Map<string, Tally>(requirements.map((id) => [id, { replies: [] }]));
    let results = 0;
    for (const { id, attempt, state } of everyReply(view, answersOf(view.plan, protocol))) {
      if (state.kind !== 'answered' || state.reading.kind !== 'result') continue;
      const { json } = state.reading;
      results += 1;
      const found = fieldViolations(protocol, json);
      const mayLackBlocks = mayBeSilent(view.request(state.exchange.repeats ?? id)) && hasNoBlock(json);
      for (const [requirement, tally] of tallies) {
        if (mayLackBlocks && requirement === 'messages.result.content.text') continue;
        const around = violationAround(requirement, found);
        if (around)
          tally.within ??= { seen: wordsOf(around.failure.reason).message, requirement: around.requirement };
        const aspect = requirement === joined ? joinedText(json) : fieldAspect(requirement, found);
        if (aspect !== undefined) tally.replies.push({ id, attempt, aspect });
      }
    }
    const findings = [...tallies].map(([requirement, tally]) => ({
      requirement,
      ...(failureIn(view, tally.replies) ?? unbroken(requirement, tally, results)),
    }));
    const shows = findings
      .map((finding) => (finding.verdict === 'fail' ? finding.exchange : undefined))
      .find(Boolean);
    return { findings, ...(shows ? { shows } : {}) };
  },
};

const joined = 'responses.result.output-text.equal';

/** What all results together say of one requirement. */
interface Tally {
  readonly replies: JudgedReply[];
  /** The field around it that is wrong. */
  within?: { readonly seen: string; readonly requirement: string };
}

/** Where the field that contains it is wrong itself, it is not judged. */
const fieldAspect = (requirement: string, found: ReadonlyMap<string, Failure>): Aspect =>
  found.get(requirement) ?? (violationAround(requirement, found) ? undefined : 'kept');

function unbroken(requirement: string, { replies, within }: Tally, results: number): Outcome {
  if (replies.length > 0) return pass();
  return requirement === joined && results > 0
    ? untested('no-single-text-part')
    : inconclusive({ kind: 'no-result-with-field', ...(within ? { within } : {}) });
}
