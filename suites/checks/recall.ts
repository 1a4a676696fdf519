import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { FindingWithReason, Judgement } from '../model/finding.ts';
import { replyText } from '../reading/text.ts';
import type { CheckDefinition } from './definition.ts';
import type { EvidenceView } from './evidence-view.ts';
import { describeFirst, excerpt } from './shared/describe.ts';
import { fail, inconclusive, oneFinding, pass, untested } from './shared/findings.ts';
import { filtered, isFiltered, type NonceQuestion, recalls } from './shared/nonces.ts';
import { isRefused } from './shared/refusals.ts';

/** Somewhere that a nonce is put, by attempt. */
export interface NoncePlacement {
  /** In words, such as "in the system prompt". */
  readonly where: string;
  readonly probes: readonly NonceQuestion[];
  /** Judged in place of the probes where the first of them is refused. */
  readonly fallbackProbes?: readonly NonceQuestion[];
  /** The same in another form that is unspecified: recalled there, the target does not take the first form. */
  readonly alternativeProbes?: readonly NonceQuestion[];
  /** What is taken all the same must still reach the model. */
  readonly mayBeRefused?: boolean;
  /** In place of the controls of the check. */
  readonly controls?: readonly NonceQuestion[];
  /** Of a stream: the requests that ask for the same without one, each for a part of it. */
  readonly unstreamedParts?: readonly string[];
  /** The reply that gives the nonce: without it there, there is nothing to recall. */
  readonly earlierReply?: NonceQuestion;
}

/** What was given as context comes back in the reply; the control has it in the question. */
export interface Recall {
  readonly kind: 'recall';
  readonly requirement: string;
  readonly protocol: TextProtocol;
  /** Each is judged by itself; one that is lost fails the requirement. */
  readonly placements: readonly NoncePlacement[];
  readonly controls: readonly NonceQuestion[];
  /** A request that has nothing of the probes: answered where they and the controls are refused, it is their words. */
  readonly plainRequest: string;
  /** The questions of all cases like this one: whether the model is given context in any way. */
  readonly otherQuestions: readonly (NonceQuestion & { readonly protocol: TextProtocol })[];
}

/**
 * What was given as context comes back. The protocol is failed only where the control, which has it in
 * the question, recalls and the probe never does in any attempt (principle 9).
 */
export const recall: CheckDefinition<Recall> = {
  kind: 'recall',
  explanation:
    'A random word given as context must come back; up to three attempts, failed only where the control recalls and the probe never does.',
  reads: ({ placements, controls, plainRequest }) => [
    ...[...placements.flatMap(questionsOf), ...controls].map(({ exchange }) => exchange),
    plainRequest,
  ],
  readsFurther: ({ otherQuestions }, { requests }) => {
    const planned = new Set(requests.map(({ id }) => id));
    return otherQuestions.map(({ exchange }) => exchange).filter((id) => planned.has(id));
  },
  judge,
};

const questionsOf = (placement: NoncePlacement): readonly NonceQuestion[] => [
  ...placement.probes,
  ...(placement.fallbackProbes ?? []),
  ...(placement.alternativeProbes ?? []),
  ...(placement.controls ?? []),
  ...(placement.earlierReply ? [placement.earlierReply] : []),
];

/** What became of one placement: recalled, lost, or undecided for a reason. */
type Outcome =
  | { readonly kind: 'recalled'; readonly exchange: string }
  | { readonly kind: 'lost'; readonly where: string; readonly unrecalled: readonly NonceQuestion[] }
  | { readonly kind: 'undecided'; readonly finding: FindingWithReason };

type Lost = Extract<Outcome, { kind: 'lost' }>;

function judge(check: Recall, view: EvidenceView): Judgement {
  const { requirement, placements } = check;
  const outcomes = placements.flatMap((placement) => outcomeOf(placement, check, view) ?? []);
  const lost = outcomes.filter((outcome) => outcome.kind === 'lost');
  if (lost.length > 0) return lostJudgement(check, lost, view);
  const undecided = outcomes.flatMap((outcome) => (outcome.kind === 'undecided' ? [outcome.finding] : []));
  const worst = undecided.find((finding) => !('nonGating' in finding)) ?? undecided[0];
  if (worst) return oneFinding(worst);
  const recalled = outcomes.find((outcome) => outcome.kind === 'recalled');
  return recalled
    ? oneFinding(pass(requirement), recalled.exchange)
    : oneFinding(untested(requirement, { kind: 'only-form-refused' }));
}

function lostJudgement(
  { requirement, protocol }: Recall,
  lost: readonly Lost[],
  view: EvidenceView,
): Judgement {
  const [first] = lost.flatMap(({ unrecalled }) => unrecalled);
  const state = first && view.state(first.exchange);
  const text = state?.kind === 'answered' ? excerpt(replyText(state.reading, protocol)) : '';
  const reason = {
    kind: 'context-lost',
    places: lost.map(({ where }) => where),
    attempts: Math.max(...lost.map(({ unrecalled }) => unrecalled.length)),
    nonce: first?.nonce ?? '',
  } as const;
  return oneFinding(fail(requirement, { reason, actual: text === '' ? 'no text' : text }), first?.exchange);
}

/** Undefined where the placement may be refused and is, and where it has no nonce. */
function outcomeOf(placement: NoncePlacement, check: Recall, view: EvidenceView): Outcome | undefined {
  const { requirement, protocol, plainRequest } = check;
  const { where, probes, fallbackProbes, alternativeProbes = [], earlierReply } = placement;
  const recalled = ({ exchange, nonce }: NonceQuestion) => recalls(view.state(exchange), protocol, nonce);
  if (earlierReply && !recalled(earlierReply)) return undefined;
  const answer = [...probes, ...alternativeProbes].find(recalled);
  if (answer) return { kind: 'recalled', exchange: answer.exchange };
  const unrecalled = probes.filter((question) => !isFiltered(view, question, check.controls));
  const [first] = unrecalled;
  if (first === undefined) return { kind: 'undecided', finding: filtered(requirement, plainRequest, view) };
  if (unrecalled.some(({ exchange }) => view.state(exchange).kind !== 'answered')) {
    const refused = isRefused(view, first.exchange);
    if (refused && fallbackProbes) return outcomeOf({ where, probes: fallbackProbes }, check, view);
    if (refused && placement.mayBeRefused) return undefined;
    const actual = describeFirst(view, [first.exchange]);
    return {
      kind: 'undecided',
      finding: inconclusive(requirement, { kind: 'attempt-unanswered' }, { actual }),
    };
  }
  const finding = unsupported(unrecalled, placement.controls ?? check.controls, check, view);
  return finding ? { kind: 'undecided', finding } : { kind: 'lost', where, unrecalled };
}

/** Why what was not recalled is not lost for certain; undefined where it is. */
function unsupported(
  unrecalled: readonly NonceQuestion[],
  controls: readonly NonceQuestion[],
  check: Recall,
  view: EvidenceView,
): FindingWithReason | undefined {
  const { requirement, protocol, plainRequest } = check;
  const nonGating = 'model-behaviour';
  if (!controls.some(({ exchange }) => view.state(exchange).kind === 'answered')) {
    if (controls.every(({ exchange }) => isRefused(view, exchange)))
      return filtered(requirement, plainRequest, view);
    const actual = describeFirst(
      view,
      controls.map(({ exchange }) => exchange),
    );
    return inconclusive(requirement, { kind: 'control-unanswered' }, { actual });
  }
  if (!controls.some(({ exchange, nonce }) => recalls(view.state(exchange), protocol, nonce)))
    return inconclusive(requirement, { kind: 'question-not-recalled' }, { nonGating });
  return isEcho(unrecalled, check, view)
    ? inconclusive(requirement, { kind: 'question-repeated' }, { nonGating })
    : undefined;
}

/** A model that says its last message again: the control, which has the nonce there, tells nothing of it. */
const isEcho = (
  unrecalled: readonly NonceQuestion[],
  { protocol, otherQuestions }: Recall,
  view: EvidenceView,
): boolean =>
  unrecalled.every(({ exchange, question }) => recalls(view.state(exchange), protocol, question)) &&
  !otherQuestions.some((other) => recalls(view.state(other.exchange), other.protocol, other.nonce));
