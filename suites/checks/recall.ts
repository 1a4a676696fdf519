import type { NoncePlacement, Recall } from '../types/checks/context.ts';
import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { AskedText, Outcome, OutcomeWithReason } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered, isCutOff, type State, textOf } from './evidence-view.ts';
import { isByChance, missesIn } from './shared/chance.ts';
import { describeFirst, describeState, excerpt } from './shared/describe.ts';
import { isEchoing } from './shared/echoes.ts';
import { failureIn, type JudgedReply, lastOf } from './shared/failure-in.ts';
import { dependsOnModel, fail, inconclusive, pass, unsaid, untested } from './shared/findings.ts';
import { filtered, isFiltered, recalls } from './shared/nonces.ts';
import type { NonceQuestion } from '../types/checks/context.ts';
import { isRefused } from './shared/refusals.ts';

/**
 * What was given as context comes back. The protocol is failed only where the control, which has it in
 * the question, recalls and the probe never does in any attempt (principle 9).
 */
export const recall: CheckDefinition<Recall> = {
  kind: 'recall',
  explanation:
    'A random word given as context must come back; up to three attempts, failed only where the control recalls and the probe never does, unless the model forgets elsewhere, too.',
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

/** What became of one placement: recalled, lost, or undecided for a reason. */
type Recalled =
  | { readonly kind: 'recalled'; readonly exchange: string }
  | { readonly kind: 'lost'; readonly where: string; readonly unrecalled: readonly NonceQuestion[] }
  | { readonly kind: 'undecided'; readonly outcome: OutcomeWithReason };

function judge(check: Recall, view: EvidenceView): Outcome {
  const found = check.placements.flatMap((placement) => recalledOf(placement, check, view) ?? []);
  const lost = found.filter((each) => each.kind === 'lost');
  const recalled = found.filter((each) => each.kind === 'recalled');
  if (lost.length > 0) return lostOutcome(check.protocol, lost, recalled, view);
  const undecided = found.flatMap((each) => (each.kind === 'undecided' ? [each.outcome] : []));
  const worst = undecided.find((outcome) => !('nonGating' in outcome)) ?? undecided[0];
  if (worst) return worst;
  const [first] = recalled;
  return first ? pass(first.exchange) : untested('only-form-refused');
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
  const recalled = ({ exchange, nonce }: NonceQuestion) => recalls(view.state(exchange), protocol, nonce);
  if (earlierReply && !recalled(earlierReply)) return undefined;
  const answer = [probes, ...otherForms].flat().find(recalled);
  if (answer) return { kind: 'recalled', exchange: answer.exchange };
  const isTaken = (form: readonly NonceQuestion[]) => form.some(({ exchange }) => isAnswered(view, exchange));
  const taken = isTaken(probes) ? undefined : otherForms.find(isTaken);
  if (taken) return recalledOf({ where, probes: taken }, check, view);
  const unrecalled = probes.filter((question) => !isFiltered(view, question, check.controls));
  const [first] = unrecalled;
  // One reply without the word is no evidence (principle 9).
  if (first === undefined || unrecalled.length < Math.min(2, probes.length))
    return { kind: 'undecided', outcome: filtered(plainRequest, view, probes) };
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
  return outcome ? { kind: 'undecided', outcome } : { kind: 'lost', where, unrecalled };
}

const hasOtherShape = (state: State, protocol: TextProtocol): boolean =>
  state.kind === 'answered' && state.reading.shape !== protocol;

/** What the model answered wherever else it was asked for a nonce: each question with all its answers. */
function askedElsewhere(
  { protocol, controls, elsewhere }: Recall,
  view: EvidenceView,
): readonly (readonly AskedText[])[] {
  const groups = elsewhere.flatMap((other) => [
    { protocol: other.protocol, questions: other.probes },
    { protocol: other.protocol, questions: other.controls ?? [] },
  ]);
  return [...groups, { protocol, questions: controls }].map((group) =>
    group.questions
      .filter(({ exchange }) => isAnswered(view, exchange))
      .map(({ exchange, nonce }) => ({
        exchange,
        isSaid: recalls(view.state(exchange), group.protocol, nonce),
      })),
  );
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
    .some(({ exchange, nonce }) => !isLong(view, exchange) && recalls(view.state(exchange), protocol, nonce));

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
  if (!controls.some(({ exchange, nonce }) => recalls(view.state(exchange), protocol, nonce))) {
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
  if (unrecalled.some(({ exchange }) => isCutOff(view.state(exchange))))
    return dependsOnModel('reply-cut-off', lost);
  const groups = askedElsewhere(check, view);
  const misses = missesIn(groups.map((group) => group.map(({ isSaid }) => isSaid)));
  return isByChance(misses, unrecalled.length)
    ? dependsOnModel({ kind: 'recalled-now-and-then', ...misses }, groups.flat())
    : undefined;
}
