import type { TextProtocol } from '../../spec/vocabulary.ts';
import {
  type ByPrompt,
  differenceByPrompt,
  isFailed,
  restsOn,
  tallyOf,
  type TextTest,
  textLevelOf,
  textTests,
} from '../facts/text-faults.ts';
import { askedTexts } from '../facts/model-answers.ts';
import { type SaidText, saidTexts } from '../facts/said-texts.ts';
import type { Judgement, Outcome } from '../types/finding.ts';
import type { Plan } from '../types/plan.ts';
import type { FailureReason } from '../types/reasons/index.ts';
import { isBesides, isOfContext, type TextDifference } from '../types/text-differences.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, hasOtherShape, isAnswered } from './evidence-view.ts';
import {
  type Aspect,
  dependsOnModel,
  describeState,
  excerpt,
  fail,
  failureIn,
  inconclusive,
  pass,
  replyOf,
  untested,
} from './shared/findings.ts';
import { noStream } from './shared/valid-request.ts';
import { isRefused } from './shared/refusals.ts';

/** Requests for a text that is known, whose reply is streamed or is not. */
const asked = ({ requests }: Pick<Plan, 'requests'>, of: TextProtocol, isStreamed: boolean) =>
  requests.flatMap(({ id, says, isCompared, protocol, stream }) =>
    says && !isCompared && protocol === of && stream === isStreamed ? [id] : [],
  );

export const intact: CheckDefinition<'intact'> = {
  explanation:
    'Compares every reply to a request for a known text with that text, word by word. Fails where an exact test shows a difference more often than with the same model on another endpoint, with another `stream` or for another token, none of which a model can see; or where letters come in another encoding, which no model writes.',
  reads: ({ probes, compared }) => [...probes, ...compared],
  readsFurther: ({ protocol }, plan) => [...asked(plan, protocol, false), ...asked(plan, protocol, true)],
  judge({ protocol }, view) {
    const texts = saidTexts(view);
    const level = textLevelOf(view.plan);
    // What is lost of the context is judged by itself.
    const found = textTests(texts).filter((test) => isFailed(test, level) && !isOfContext(test.difference));
    const elsewhere = texts.filter((text) => text.protocol !== protocol);
    const outcomeOf = (isStreamed: boolean): Outcome => {
      const own = texts.filter((text) => text.protocol === protocol && (text.stream === true) === isStreamed);
      const ofOwn = found.filter((each) => each.protocol === protocol && each.isStreamed === isStreamed);
      // Where its words do not come as they are, the signs between them do not, either.
      const test = ofOwn.find(({ difference }) => !isBesides(difference)) ?? ofOwn[0];
      const failed = misread(own, isStreamed, view) ?? (test && differing(test, view));
      if (failed) return failed;
      const outcome = said(own, view, protocol, asked(view.plan, protocol, isStreamed));
      const byPrompt = outcome.verdict === 'pass' ? differenceByPrompt(own, elsewhere, level) : undefined;
      return byPrompt ? differingByPrompt(byPrompt, isStreamed) : outcome;
    };
    return {
      findings: [
        { requirement: `${protocol}.output.intact`, ...outcomeOf(false) },
        { requirement: `${protocol}.stream.complete`, ...outcomeOf(true) },
      ],
    } satisfies Judgement;
  },
};

/** No model writes the bytes of a letter as letters. */
const misread = (texts: readonly SaidText[], isStreamed: boolean, view: EvidenceView): Outcome | undefined =>
  having(texts, 'misread', { kind: 'letters-misread', isStreamed }, view);

/** A difference that goes by what a model sees of a request is no fault for certain, and no pass (principle 9). */
function differingByPrompt({ difference, within, probes, controls }: ByPrompt, isStreamed: boolean): Outcome {
  const tallies = { probes: tallyOf(probes, difference), controls: tallyOf(controls, difference) };
  return dependsOnModel(
    { kind: 'text-differs-by-prompt', difference, within, isStreamed, ...tallies },
    probes.map(({ id, differences }) => ({ exchange: id, isSaid: !differences.has(difference) })),
  );
}

/** Replies that show a difference more often than their controls. */
export const differing = (test: TextTest, view: EvidenceView): Outcome => {
  const { difference, isStreamed, by, within } = test;
  const { probes, controls } = restsOn(test);
  const reason = {
    kind: 'text-differs',
    difference,
    isStreamed,
    by,
    ...(within ? { within } : {}),
    ...(by === 'stream-left-out' ? { isLeftOut: probes.every(({ stream }) => stream === null) } : {}),
    ...(by === 'group' && probes[0] ? { group: probes[0].group } : {}),
    probes: tallyOf(probes, difference),
    controls: tallyOf(controls, difference),
  } as const;
  return having(probes, difference, reason, view) ?? fail(reason, '');
};

/** Characters that are shown before the place where a text leaves the one that was asked for, and behind it. */
const [before, behind] = [40, 60];

/** What makes no difference between two texts of itself, unless that is what the difference is. */
const isNothing = (letter: string, difference: TextDifference): boolean =>
  letter === '.' || (letter === ' ' && difference !== 'two blanks' && difference !== 'joined');

function parting(
  came: readonly string[],
  asked: readonly string[],
  difference: TextDifference,
): readonly [came: number, asked: number] {
  const next = (letters: readonly string[], place: number): number => {
    const found = letters.slice(place).findIndex((letter) => !isNothing(letter, difference));
    return found < 0 ? letters.length : place + found;
  };
  let [at, of] = [0, 0];
  for (;;) {
    const [one, other] = [next(came, at), next(asked, of)];
    if (other === asked.length || came[one] !== asked[other]) return [at, of];
    [at, of] = [one + 1, other + 1];
  }
}

/** Where a reply leaves a text, and what stands there in both; of one that begins otherwise how it begins. */
function departure({ said, asked: [wanted = ''] }: SaidText, difference: TextDifference): string {
  const [came, asked] = [[...said.trimStart().slice(0, 2 * wanted.length)], [...wanted]];
  const [at, of] = parting(came, asked, difference);
  if (of < before) return excerpt(said);
  const there = (all: readonly string[], place: number): string => {
    const [from, to] = [Math.max(0, place - before), place + behind];
    const shown = all.slice(from, to).join('');
    return JSON.stringify(`${from > 0 ? '…' : ''}${shown}${to < all.length ? '…' : ''}`);
  };
  return `${there(came, at)} in place of ${there(asked, of)}`;
}

const having = (
  texts: readonly SaidText[],
  difference: TextDifference,
  reason: FailureReason,
  view: EvidenceView,
): Outcome | undefined => {
  const aspectOf = (text: SaidText): Aspect =>
    text.differences.has(difference) ? fail(reason, departure(text, difference)) : 'kept';
  const replies = texts.map((text) => replyOf(view, text.id, aspectOf(text)));
  return failureIn(view, replies);
};

/** Where no reply gives its text: nothing was answered, all that asks for one is refused, or the model says something else. */
function said(
  texts: readonly SaidText[],
  view: EvidenceView,
  protocol: TextProtocol,
  ids: readonly string[],
) {
  if (texts.some(({ differences }) => [...differences].every(isBesides))) return pass();
  const none = noStream(view, ids);
  if (none) return none;
  // What has the shape of another endpoint is judged by that, and may be the answer to another question.
  const other = texts.length === 0 ? ids.find((id) => hasOtherShape(view.state(id), protocol)) : undefined;
  if (other !== undefined)
    return { ...inconclusive('text-of-other-shape', describeState(view.state(other))), exchange: other };
  const answers = askedTexts(view, ids);
  // What is cut off at its limit is in no comparison: what it lacks shows nothing, and a whole text has come.
  if (texts.length === 0 && answers.some(({ isSaid }) => isSaid)) return pass();
  if (ids.some((id) => isAnswered(view, id))) return dependsOnModel('text-not-said', answers);
  return ids.some((id) => isRefused(view, id))
    ? untested('only-form-refused')
    : inconclusive('nothing-answered');
}
