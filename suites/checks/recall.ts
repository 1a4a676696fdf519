import type { NoncePlacement, Recall, NonceQuestion } from '../types/checks/context.ts';
import { decisions } from '../../spec/decisions.ts';
import { isTextProtocol, type TextProtocol } from '../../spec/vocabulary.ts';
import { levelOf } from '../facts/exact-test.ts';
import type { AskedText, Outcome, OutcomeWithReason } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import {
  type EvidenceView,
  hasOtherShape,
  isAnswered,
  isCutOff,
  requestAt,
  type State,
  textOf,
} from './evidence-view.ts';
import {
  chanceOfLoss,
  filtered,
  hasLetters,
  holdsWord,
  isEchoing,
  isFiltered,
  missesIn,
  recalls,
} from './shared/nonces.ts';
import {
  describeFirst,
  describeState,
  excerpt,
  dependsOnModel,
  fail,
  inconclusive,
  pass,
  unsaid,
  untested,
} from './shared/findings.ts';
import { failureIn, type JudgedReply, lastOf } from './shared/failure-in.ts';
import { takenOver } from '../types/plan.ts';
import { isRefused } from './shared/refusals.ts';

/** Context comes back. It fails where the control, with it in the question, recalls and no attempt does (principle 9). */
export const recall: CheckDefinition<Recall> = {
  kind: 'recall',
  explanation:
    'A random word given as context must come back; up to six attempts, failed only where the control recalls and the probe never does, unless the model forgets so often elsewhere that chance explains it.',
  reads: ({ placements, controls, plainRequest }) => [
    ...[...placements.flatMap(questionsOf), ...controls].map(({ exchange }) => exchange),
    plainRequest,
  ],
  readsFurther: ({ elsewhere }) =>
    elsewhere.flatMap(({ probes, controls = [] }) =>
      [...probes, ...controls].map(({ exchange }) => exchange),
    ),
  judge,
};

const questionsOf = (placement: NoncePlacement): readonly NonceQuestion[] => [
  ...placement.probes,
  ...(placement.fallbackProbes ?? []),
  ...(placement.otherForms ?? []).flat(),
  ...(placement.controls ?? []),
  ...(placement.earlierReply ? [placement.earlierReply] : []),
];

/** Whether the reply to a question gives its nonce, on whatever endpoint it was asked. */
function isRecalled(
  view: EvidenceView,
  { exchange, nonce }: Pick<NonceQuestion, 'exchange' | 'nonce'>,
): boolean {
  const protocol = requestAt(view, exchange)?.protocol;
  return protocol !== undefined && isTextProtocol(protocol) && recalls(view.state(exchange), protocol, nonce);
}

/** Whether the reply to a question gives its nonce, whatever became of the letters beyond ASCII behind it. */
function isWordRecalled(view: EvidenceView, { exchange, nonce }: NonceQuestion): boolean {
  const protocol = requestAt(view, exchange)?.protocol;
  const isAsked = protocol !== undefined && isTextProtocol(protocol);
  return isAsked && holdsWord(textOf(view.state(exchange), protocol), nonce);
}

/** What became of one placement: recalled, lost, or undecided for a reason. */
type Recalled =
  | {
      readonly kind: 'recalled';
      readonly where: string;
      readonly exchange: string;
      /** Whether letters beyond ASCII came with it. */
      readonly hasLetters: boolean;
    }
  | {
      readonly kind: 'lost';
      /** What never comes: the word, or letters beyond ASCII behind it. */
      readonly what: 'word' | 'letters';
      readonly where: string;
      readonly unrecalled: readonly NonceQuestion[];
      readonly control: 'question' | 'turns';
    }
  | { readonly kind: 'undecided'; readonly outcome: OutcomeWithReason };

function judge(check: Recall, view: EvidenceView): Outcome {
  const found = check.placements.flatMap((placement) => recalledOf(placement, check, view) ?? []);
  const recalled = found.filter((each) => each.kind === 'recalled');
  const judged = found.map((each) => (each.kind === 'lost' ? withChance(each, found, check, view) : each));
  const lost = judged.filter((each) => each.kind === 'lost');
  if (lost.length > 0) return lostOutcome(check.protocol, lost, recalled, view);
  const undecided = judged.flatMap((each) => (each.kind === 'undecided' ? [each.outcome] : []));
  const worst = undecided.find((outcome) => !('nonGating' in outcome)) ?? undecided[0];
  if (worst) return worst;
  const [first] = recalled;
  return first ? pass(first.exchange) : untested('only-form-refused');
}

/** What is lost, unless a model that forgets as often as it does elsewhere explains it. */
function withChance(
  lost: Extract<Recalled, { kind: 'lost' }>,
  found: readonly Recalled[],
  check: Recall,
  view: EvidenceView,
): Recalled {
  const here = found.filter((each) => each.kind !== 'undecided' && each.where === lost.where);
  const allLost = here.flatMap((each) => (each.kind === 'lost' && each.what === lost.what ? [each] : []));
  const kept = here.filter((each) => each.kind === 'recalled' && (lost.what === 'word' || each.hasLetters));
  const attempts = Math.min(...allLost.map(({ unrecalled }) => unrecalled.length));
  const groups = askedElsewhere(check, view, lost.what);
  const missesOf = (asked: typeof groups) =>
    missesIn(asked.map(({ answers }) => answers.map(({ isSaid }) => isSaid)));
  const there = groups.filter(({ where }) => where === lost.where);
  const misses = missesOf(groups);
  const places = new Set(check.elsewhere.map(({ protocol, where }) => `${protocol} ${where}`)).size;
  const placed = { attempts, lost: allLost.length, of: allLost.length + kept.length };
  if (chanceOfLoss(placed, [misses, missesOf(there)]) <= levelOf(places, decisions.shareOfContext))
    return lost;
  const said = groups.flatMap(({ answers }) => answers);
  const outcome = dependsOnModel({ kind: 'recalled-now-and-then', ...misses }, said);
  return { kind: 'undecided', outcome };
}

function lostOutcome(
  protocol: TextProtocol,
  lost: readonly Extract<Recalled, { kind: 'lost' }>[],
  recalled: readonly Extract<Recalled, { kind: 'recalled' }>[],
  view: EvidenceView,
): Outcome {
  const reason = {
    kind: 'context-lost',
    places: [...new Set(lost.map(({ where }) => where))],
    attempts: Math.max(...lost.map(({ unrecalled }) => unrecalled.length)),
    control: lost.every(({ control }) => control === 'turns') ? 'turns' : 'question',
    ...(lost.every(({ what }) => what === 'letters') ? { what: 'letters' as const } : {}),
  } as const;
  const failed = ({ exchange, nonce }: NonceQuestion): JudgedReply => {
    const state = view.state(exchange);
    const aspect = fail({ ...reason, nonce }, excerpt(textOf(state, protocol)) || 'no text');
    return { ...lastOf(state, exchange), aspect };
  };
  const kept = ({ exchange }: { readonly exchange: string }): JudgedReply => ({
    ...lastOf(view.state(exchange), exchange),
    aspect: 'kept',
  });
  const replies = [...lost.flatMap(({ unrecalled }) => unrecalled.map(failed)), ...recalled.map(kept)];
  return failureIn(view, replies) ?? fail({ ...reason, nonce: '' }, 'no text');
}

/** Undefined where the placement may be refused and is, and where it has no nonce. */
function recalledOf(placement: NoncePlacement, check: Recall, view: EvidenceView): Recalled | undefined {
  const { protocol, plainRequest } = check;
  const { where, probes, fallbackProbes, otherForms = [], earlierReply, insteadOf = [] } = placement;
  if (insteadOf.some((id) => isAnswered(view, id))) return undefined;
  const recalled = (asked: NonceQuestion): boolean => isRecalled(view, asked);
  if (earlierReply && !recalled(earlierReply)) return undefined;
  const [garbled, ...further] = probes.filter((asked) => isWordRecalled(view, asked));
  if (garbled && !probes.some(recalled)) return withoutLetters(placement, [garbled, ...further], view);
  const answer = [probes, ...otherForms].flat().find(recalled);
  if (answer) {
    const { exchange, nonce } = answer;
    return { kind: 'recalled', where, exchange, hasLetters: hasLetters(nonce) };
  }
  const isTaken = (form: readonly NonceQuestion[]) => form.some(({ exchange }) => isAnswered(view, exchange));
  const taken = isTaken(probes) ? undefined : otherForms.find(isTaken);
  if (taken) return recalledOf({ where, probes: taken }, check, view);
  const due = probes.filter(({ exchange }) => wasDue(view.state(exchange)));
  const unrecalled = due.filter((question) => !isFiltered(view, question, check.controls));
  const [first] = unrecalled;
  // One reply without the word is no evidence (principle 9).
  if (first === undefined || unrecalled.length < Math.min(2, due.length))
    return { kind: 'undecided', outcome: filtered(plainRequest, view, due) };
  // A reply in the shape of another endpoint is judged by that, and may be the answer to another question.
  const ofOthers = unrecalled.find(({ exchange }) => hasOtherShape(view.state(exchange), protocol));
  if (ofOthers) {
    const actual = describeState(view.state(ofOthers.exchange));
    return { kind: 'undecided', outcome: inconclusive({ kind: 'attempt-of-other-shape', where }, actual) };
  }
  if (unrecalled.some(({ exchange }) => !isAnswered(view, exchange))) {
    const refused = isRefused(view, first.exchange);
    if (refused && fallbackProbes) return recalledOf({ where, probes: fallbackProbes }, check, view);
    if (refused && placement.mayBeRefused) return undefined;
    const answered = unrecalled.filter(({ exchange }) => isAnswered(view, exchange)).length;
    const outcome = inconclusive(
      { kind: 'attempt-unanswered', where, answered, asked: unrecalled.length },
      describeState(view.state(first.exchange)),
    );
    return { kind: 'undecided', outcome };
  }
  const outcome = unsupported(unrecalled, placement.controls ?? check.controls, check, view);
  const control = earlierReply ? 'turns' : 'question';
  return outcome
    ? { kind: 'undecided', outcome }
    : { kind: 'lost', what: 'word', where, unrecalled, control };
}

/** What comes of a placement of which no reply gives the letters: they are lost where a control in the same words has them. */
function withoutLetters(
  { where, controls = [] }: NoncePlacement,
  [first, ...others]: readonly [NonceQuestion, ...NonceQuestion[]],
  view: EvidenceView,
): Recalled {
  const isLost =
    others.length > 0 && controls.some((asked) => hasLetters(asked.nonce) && isRecalled(view, asked));
  return isLost
    ? { kind: 'lost', what: 'letters', where, unrecalled: [first, ...others], control: 'question' }
    : { kind: 'recalled', where, exchange: first.exchange, hasLetters: false };
}

/** Further attempts are due only where the same place is recalled in other requests. */
const wasDue = (state: State): boolean =>
  state.kind !== 'unclear' ||
  state.why.kind !== 'not-sent' ||
  state.why.unsent.kind !== 'stand-in-not-needed';

/** A question with its nonce in one place, and whether the model said it in each of its answers. */
interface AskedElsewhere {
  readonly where: string;
  readonly answers: readonly AskedText[];
}

/** What the model answered wherever else it was asked for a nonce, or for one with letters beyond ASCII. */
function askedElsewhere(
  { protocol, controls, elsewhere }: Recall,
  view: EvidenceView,
  what: 'word' | 'letters',
): readonly AskedElsewhere[] {
  const isSaid = what === 'word' ? isWordRecalled : isRecalled;
  const inQuestion = 'in the question';
  const groups = elsewhere.flatMap((other) => [
    { protocol: other.protocol, where: other.where, questions: other.probes },
    { protocol: other.protocol, where: inQuestion, questions: other.controls ?? [] },
  ]);
  return [...groups, { protocol, where: inQuestion, questions: controls }].map((group) => ({
    where: group.where,
    answers: group.questions
      .filter(({ exchange, nonce }) => isAnswered(view, exchange) && (what === 'word' || hasLetters(nonce)))
      .map((asked) => ({ exchange: asked.exchange, isSaid: isSaid(view, asked) })),
  }));
}

/** A request of more than this, in characters of JSON, has a long prompt. */
const longFrom = 4096;

const isLong = (view: EvidenceView, id: string): boolean =>
  (view.state(id).exchange?.request.body ?? '').length > longFrom;

/** Whether the model gives back what stands in a shorter prompt of the protocol: how much it reads is not shown (8.4). */
const isShortRecalled = ({ protocol, elsewhere }: Recall, view: EvidenceView): boolean =>
  elsewhere
    .filter((other) => other.protocol === protocol)
    .flatMap(({ probes, controls = [] }) => [...probes, ...controls])
    .some((asked) => !isLong(view, asked.exchange) && isRecalled(view, asked));

/** Whether a reply holds the word of another request, which it names no reply of: it may be the reply to that one. */
function showsOtherWord({ exchange }: NonceQuestion, check: Recall, view: EvidenceView): boolean {
  const request = view.request(exchange);
  if (request === undefined || takenOver(request).length > 0) return false;
  const others = check.elsewhere.flatMap(({ probes, controls = [] }) => [...probes, ...controls]);
  const own = new Set(others.filter((other) => other.exchange === exchange).map(({ nonce }) => nonce));
  return others.some(({ nonce }) => !own.has(nonce) && isRecalled(view, { exchange, nonce }));
}

/** Why what was not recalled is not lost for certain; undefined where it is. */
function unsupported(
  unrecalled: readonly NonceQuestion[],
  controls: readonly NonceQuestion[],
  check: Recall,
  view: EvidenceView,
): OutcomeWithReason | undefined {
  const { protocol, plainRequest } = check;
  const ids = controls.map(({ exchange }) => exchange);
  if (!ids.some((id) => isAnswered(view, id)))
    return ids.every((id) => isRefused(view, id))
      ? filtered(plainRequest, view, controls)
      : inconclusive('control-unanswered', describeFirst(view, ids));
  const ofOther = [...unrecalled, ...controls].find((each) => showsOtherWord(each, check, view));
  if (ofOther) return inconclusive('attempt-of-other-word', describeState(view.state(ofOther.exchange)));
  if (!controls.some((control) => isRecalled(view, control))) {
    const isLength = ids.every((id) => isLong(view, id)) && isShortRecalled(check, view);
    const reason = isLength ? 'long-prompt-not-recalled' : 'question-not-recalled';
    return dependsOnModel(reason, unsaid(ids.filter((id) => isAnswered(view, id))));
  }
  const others = check.elsewhere.flatMap((other) =>
    other.probes.map((probe) => ({ ...probe, protocol: other.protocol })),
  );
  const own = unrecalled.map((probe) => ({ ...probe, protocol }));
  const lost = unsaid(unrecalled.map(({ exchange }) => exchange));
  if (isEchoing(own, others, view)) return dependsOnModel('question-repeated', lost);
  return unrecalled.some(({ exchange }) => isCutOff(view.state(exchange)))
    ? dependsOnModel('reply-cut-off', lost)
    : undefined;
}
