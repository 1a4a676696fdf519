import type { CheckOf, NoncePlacement, NonceQuestion } from '../types/checks/check.ts';
import { decisions } from '../../spec/decisions.ts';
import type { TextProtocol } from '../../spec/vocabulary.ts';
import { chanceOfDifference, levelOf, type Tally } from '../facts/exact-test.ts';
import { type SaidText, saidTexts } from '../facts/said-texts.ts';
import { isFailed, restsOn, tallyOf, type TextTest, textLevelOf, textTests } from '../facts/text-faults.ts';
import { isBesides, isOfContext, unsaidOf } from '../types/text-differences.ts';
import { differing } from './intact.ts';
import { modelOf } from '../reading/sent-request.ts';
import type { AskedText, Failure, Outcome, OutcomeWithReason } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import {
  type EvidenceView,
  hasOtherShape,
  isAnswered,
  isCutOff,
  requestAt,
  type State,
  textAt,
  textOf,
} from './evidence-view.ts';
import {
  chanceOfLoss,
  filtered,
  hasAllLettersOf,
  hasLetters,
  isEchoing,
  isFiltered,
  holderOf,
  isRecalled,
  lettersOf,
  missesIn,
} from './shared/nonces.ts';
import {
  dependsOnModel,
  describeFirst,
  describeState,
  excerpt,
  fail,
  failureIn,
  inconclusive,
  type JudgedReply,
  pass,
  replyOf,
  unsaid,
  untested,
} from './shared/findings.ts';
import { takenOver } from '../types/plan.ts';
import { isRefused } from './shared/refusals.ts';

type Recall = CheckOf<'recall'>;
type Questions = readonly NonceQuestion[];

/** Context comes back. It fails where the control, with it in the question, recalls and no attempt does (principle 9). */
export const recall: CheckDefinition<'recall'> = {
  explanation:
    'A random word given as context must come back; up to six attempts, failed only where the control recalls and the probe never does, unless the model forgets so often elsewhere that chance explains it; or where an exact test shows that the same model is given it less often than on another endpoint, in another mode or beside other requests. Letters beyond ASCII behind the word are lost where no attempt has them, the control does, and an exact test rules out that the model drops them as often in other replies.',
  reads: ({ placements, controls, plainRequest, compared }) => [
    ...(compared?.requests ?? []),
    ...[...placements.flatMap(questionsOf), ...controls].map(({ exchange }) => exchange),
    plainRequest,
  ],
  readsFurther: (check, { requests }) => [
    ...askedOf(check.elsewhere).map(({ exchange }) => exchange),
    ...requests.filter(({ says = [] }) => says.some(hasLetters)).map(({ id }) => id),
  ],
  judge(check, view) {
    const inSome = lostInSome(check, view);
    if (inSome) return inSome;
    const found = check.placements.flatMap((placement) => recalledOf(placement, check, view) ?? []);
    const recalled = found.filter((each) => each.kind === 'recalled');
    const judged = found.map((each) => (each.kind === 'lost' ? withChance(each, found, check, view) : each));
    const lost = judged.filter((each) => each.kind === 'lost');
    if (lost.length > 0) return lostOutcome(check.protocol, lost, recalled, view);
    const ofLetters = lettersOutcome(check, view);
    if (ofLetters) return ofLetters;
    const undecided = judged.flatMap((each) => (each.kind === 'undecided' ? [each.outcome] : []));
    const worst = undecided.find((outcome) => !('nonGating' in outcome)) ?? undecided[0];
    if (worst) return worst;
    const [first] = recalled;
    return first ? pass(first.exchange) : untested('only-form-refused');
  },
};

const questionsOf = (placement: NoncePlacement): Questions => {
  const { probes, fallback, otherForms = [], controls = [], formControls = [], restsOn } = placement;
  const ofFallback = [...(fallback?.probes ?? []), ...(fallback?.controls ?? [])];
  const others = [...otherForms.flat(), ...controls, ...formControls, ...(restsOn ? [restsOn] : [])];
  return [...probes, ...ofFallback, ...others];
};

const askedOf = (those: Recall['elsewhere']): Questions =>
  those.flatMap(({ probes, controls = [] }) => [...probes, ...controls]);

/** What became of letters beyond ASCII in the reply to a question; undefined where it has no place for them. */
const lettersIn = (view: EvidenceView, { exchange, nonce }: NonceQuestion): 'kept' | 'lost' | undefined =>
  lettersOf(textAt(view, exchange), nonce);

/** What became of one placement: recalled, lost, or undecided for a reason. */
type Recalled =
  | { readonly kind: 'recalled'; readonly where: string; readonly exchange: string }
  | {
      readonly kind: 'lost';
      readonly where: string;
      readonly unrecalled: Questions;
      readonly control: 'question' | 'turns';
    }
  | { readonly kind: 'undecided'; readonly outcome: OutcomeWithReason };

type Lost = Extract<Recalled, { kind: 'lost' }>;

/** What the same model is given elsewhere with the same words, more often than chance explains (principle 9). */
function lostInSome({ protocol, compared }: Recall, view: EvidenceView): Outcome | undefined {
  if (compared === undefined) return undefined;
  const difference = unsaidOf[compared.source];
  const level = textLevelOf(view.plan);
  const texts = saidTexts(view);
  const test = textTests(texts).find(
    (each) => each.protocol === protocol && each.difference === difference && isFailed(each, level),
  );
  return test && saysWhatIsInQuestion(test, texts) ? differing(test, view) : undefined;
}

/**
 * The control (principle 4): where what stands in its question does not come as it is, either, a reply shows nothing of its context.
 * That something is lost is certain by then; that it is the context is, at the error budget.
 */
function saysWhatIsInQuestion(test: TextTest, texts: readonly SaidText[]): boolean {
  const { protocol, isStreamed, probes, difference } = test;
  const family = probes[0]?.family;
  const asked = texts.filter(
    (text) =>
      text.family === family &&
      text.protocol === protocol &&
      (text.stream === true) === isStreamed &&
      text.sources.has('question'),
  );
  const differs = ({ differences }: SaidText): boolean =>
    [...differences].some((each) => !isBesides(each) && !isOfContext(each));
  const changed = { seen: asked.filter(differs).length, of: asked.length };
  const lost = tallyOf(restsOn(test).probes, difference);
  return asked.length > 0 && chanceOfDifference(lost, changed) <= decisions.errorBudget;
}

/** What is lost, unless a model that forgets as often as it does elsewhere explains it. */
function withChance(lost: Lost, found: readonly Recalled[], check: Recall, view: EvidenceView): Recalled {
  const here = found.filter((each) => each.kind !== 'undecided' && each.where === lost.where);
  const allLost = here.filter((each) => each.kind === 'lost');
  const attempts = Math.min(...allLost.map(({ unrecalled }) => unrecalled.length));
  const groups = askedElsewhere(check, view);
  const missesOf = (asked: typeof groups) =>
    missesIn(asked.map(({ answers }) => answers.map(({ isSaid }) => isSaid)));
  const there = groups.filter(({ where }) => where === lost.where);
  const misses = missesOf(groups);
  const places = new Set(check.elsewhere.map(({ protocol, where }) => `${protocol} ${where}`)).size;
  const placed = { attempts, lost: allLost.length, of: here.length };
  if (chanceOfLoss(placed, [misses, missesOf(there)]) <= levelOf(places, decisions.shareOfContext))
    return lost;
  const said = groups.flatMap(({ answers }) => answers);
  const outcome = dependsOnModel({ kind: 'recalled-now-and-then', ...misses }, said);
  return { kind: 'undecided', outcome };
}

function lostOutcome(
  protocol: TextProtocol,
  lost: readonly Lost[],
  recalled: readonly Extract<Recalled, { kind: 'recalled' }>[],
  view: EvidenceView,
): Outcome {
  const reason = {
    kind: 'context-lost',
    places: [...new Set(lost.map(({ where }) => where))],
    attempts: Math.max(...lost.map(({ unrecalled }) => unrecalled.length)),
    control: lost.every(({ control }) => control === 'turns') ? 'turns' : 'question',
  } as const;
  const failed = ({ exchange, nonce }: NonceQuestion): JudgedReply => {
    const said = excerpt(textOf(view.state(exchange), protocol)) || 'no text';
    return replyOf(view, exchange, fail({ ...reason, nonce }, said));
  };
  const replies = [
    ...lost.flatMap(({ unrecalled }) => unrecalled.map(failed)),
    ...recalled.map(({ exchange }) => replyOf(view, exchange, 'kept')),
  ];
  return failureIn(view, replies) ?? fail({ ...reason, nonce: '' }, 'no text');
}

/** Undefined where the placement may be refused and is, and where it has no nonce. */
function recalledOf(placement: NoncePlacement, check: Recall, view: EvidenceView): Recalled | undefined {
  const { protocol, plainRequest } = check;
  const { where, probes, fallback, otherForms = [], restsOn, insteadOf = [] } = placement;
  if (insteadOf.some((id) => isAnswered(view, id))) return undefined;
  const recalled = (asked: NonceQuestion): boolean => isRecalled(view, asked);
  if (restsOn && !recalled(restsOn)) return undefined;
  const answer = [probes, ...otherForms].flat().find(recalled);
  if (answer) return { kind: 'recalled', where, exchange: answer.exchange };
  const isTaken = (form: Questions) => form.some(({ exchange }) => isAnswered(view, exchange));
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
    if (refused && fallback) return recalledOf({ where, ...fallback }, check, view);
    if (refused && placement.mayBeRefused) return undefined;
    const answered = unrecalled.filter(({ exchange }) => isAnswered(view, exchange)).length;
    const reason = { kind: 'attempt-unanswered', where, answered, asked: unrecalled.length } as const;
    const actual = describeState(view.state(first.exchange));
    return { kind: 'undecided', outcome: inconclusive(reason, actual) };
  }
  const { controls = check.controls, formControls } = placement;
  const outcome =
    unsupported(unrecalled, controls, check, view) ??
    (formControls && unsupported(unrecalled, formControls, check, view));
  const control = formControls ? 'turns' : 'question';
  return outcome ? { kind: 'undecided', outcome } : { kind: 'lost', where, unrecalled, control };
}

/** How many replies of the same models lost letters of any other text that was asked for, and of how many. */
function lettersElsewhere(lost: Questions, view: EvidenceView): Tally {
  const nonces = new Set(lost.map(({ nonce }) => nonce));
  const models = new Set(
    lost.flatMap(({ exchange: id }) => view.state(id).exchange ?? []).map(({ request }) => modelOf(request)),
  );
  const replies = view.exchanges().flatMap(({ id, request }) => {
    const says = requestAt(view, id)?.says ?? [];
    const others = says.filter((text) => hasLetters(text) && !nonces.has(text));
    if (others.length === 0 || !models.has(modelOf(request)) || !isAnswered(view, id)) return [];
    return [others.every((text) => hasAllLettersOf(text, textAt(view, id)))];
  });
  return { seen: replies.filter((isKept) => !isKept).length, of: replies.length };
}

/** The letters that are lost, where the exact test rules out that the model drops them as often elsewhere (principle 9). */
function lettersOutcome(check: Recall, view: EvidenceView): Failure | undefined {
  // The places that no reply gives the letters of, though one with the nonce in its question does; and their replies.
  const garbled = check.placements.flatMap(({ where, probes, controls = [] }) => {
    const shown = probes.filter((asked) => lettersIn(view, asked) !== undefined);
    const isLost = shown.length > 0 && shown.every((asked) => lettersIn(view, asked) === 'lost');
    const isKept = controls.some((asked) => lettersIn(view, asked) === 'kept');
    return isLost && isKept ? [{ where, probes: shown }] : [];
  });
  const lost = garbled.flatMap(({ probes }) => probes);
  if (lost.length === 0) return undefined;
  const seen = new Set(lost.map(({ exchange }) => exchange)).size;
  const others = lettersElsewhere(lost, view);
  const level = levelOf(check.elsewhere.length, decisions.shareOfContext);
  if (chanceOfDifference({ seen, of: seen }, others) > level) return undefined;
  const reason = {
    kind: 'letters-lost',
    places: [...new Set(garbled.map(({ where }) => where))],
    answers: seen,
    ...{ missed: others.seen, others: others.of },
  } as const;
  const replies = lost.map(({ exchange, nonce }) => {
    const said = excerpt(textOf(view.state(exchange), check.protocol));
    return replyOf(view, exchange, fail({ ...reason, nonce }, said));
  });
  return failureIn(view, replies);
}

/** Further attempts are due only where the same place is recalled in other requests. */
const wasDue = (state: State): boolean =>
  state.kind !== 'unclear' ||
  state.why.kind !== 'not-sent' ||
  state.why.unsent.kind !== 'stand-in-not-needed';

/** Of each place in which the model was asked for a nonce whether it said it in its answers. */
function askedElsewhere({ controls, elsewhere }: Recall, view: EvidenceView) {
  const where = 'in the question';
  const groups = elsewhere.flatMap((other) => [
    { where: other.where, questions: other.probes },
    { where, questions: other.controls ?? [] },
  ]);
  return [...groups, { where, questions: controls }].map((group) => ({
    where: group.where,
    answers: group.questions
      .filter(({ exchange }) => isAnswered(view, exchange))
      .map((asked): AskedText => ({ exchange: asked.exchange, isSaid: isRecalled(view, asked) })),
  }));
}

/** A request of more than this, in characters of JSON, has a long prompt. */
const longFrom = 4096;

const isLong = (view: EvidenceView, id: string): boolean =>
  (view.state(id).exchange?.request.body ?? '').length > longFrom;

/** Whether the model gives back what stands in a shorter prompt of the protocol: how much it reads is not shown (8.4). */
const isShortRecalled = ({ protocol, elsewhere }: Recall, view: EvidenceView): boolean =>
  askedOf(elsewhere.filter((other) => other.protocol === protocol)).some(
    (asked) => !isLong(view, asked.exchange) && isRecalled(view, asked),
  );

/** Whether a reply holds the word of another request, which it names no reply of: it may be the reply to that one. */
function showsOtherWord({ exchange }: NonceQuestion, check: Recall, view: EvidenceView): boolean {
  const request = view.request(exchange);
  if (request === undefined || takenOver(request).length > 0) return false;
  const text = textAt(view, exchange);
  if (text === '') return false;
  const isHeld = holderOf(text);
  const others = askedOf(check.elsewhere);
  const own = new Set(others.filter((other) => other.exchange === exchange).map(({ nonce }) => nonce));
  return others.some(({ nonce }) => !own.has(nonce) && isHeld(nonce));
}

/** Why what was not recalled is not lost for certain; undefined where it is. */
function unsupported(unrecalled: Questions, controls: Questions, check: Recall, view: EvidenceView) {
  const { plainRequest } = check;
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
  const others = check.elsewhere.flatMap(({ probes }) => probes);
  const lost = unsaid(unrecalled.map(({ exchange }) => exchange));
  if (isEchoing(unrecalled, others, view)) return dependsOnModel('question-repeated', lost);
  return unrecalled.some(({ exchange }) => isCutOff(view.state(exchange)))
    ? dependsOnModel('reply-cut-off', lost)
    : undefined;
}
