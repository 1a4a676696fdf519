import type { Intact, ScriptedQuestion } from '../types/checks/replies.ts';
import type { Judgement, Outcome } from '../types/finding.ts';
import type { StreamFlaw } from '../types/reasons/failures.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered, isCutOff, textOf } from './evidence-view.ts';
import { carriedBy, repliesNeeded } from './shared/completeness.ts';
import { isByChance, type Misses, missesIn } from './shared/chance.ts';
import { excerpt } from './shared/describe.ts';
import { fail, inconclusive, pass, untested } from './shared/findings.ts';
import { isDamagedStream, signOutcomes } from './shared/long-replies.ts';
import { noStream } from './shared/no-stream.ts';
import { holds } from './shared/nonces.ts';
import { isRefused } from './shared/refusals.ts';
import { misreadings } from './shared/misreadings.ts';

/** The damaged replies that show a fault of the gateway: a model makes mistakes, too. */
const enough = 3;

/** A reply of less than this part of the text is no part of it, but another. */
const leastPart = 0.2;

export const intact: CheckDefinition<Intact> = {
  kind: 'intact',
  explanation:
    'Compares a text that the model was asked for with what came back, where another reply shows that the model says it, or its bytes show another encoding: damaged in three replies it fails, a long text in 5.',
  reads: ({ questions, long }) => [
    ...questions.flatMap(({ attempts }) => attempts.map(({ exchange }) => exchange)),
    ...long.unstreamed,
    ...long.streamed,
  ],
  readsFurther: ({ elsewhere }) =>
    elsewhere.flatMap(({ attempts }) => attempts.map(({ exchange }) => exchange)),
  judge(check, view) {
    const { protocol } = check;
    const questionsOf = (stream: boolean) => check.questions.filter((each) => each.stream === stream);
    const ofRows = (stream: boolean): Outcome[] =>
      questionsOf(stream).flatMap((each) => lettersOf(each, check, view) ?? []);
    const ofQuestions = (stream: boolean): readonly string[] =>
      questionsOf(stream).flatMap(({ attempts }) => attempts.map(({ exchange }) => exchange));
    const idsOf = (stream: boolean): readonly string[] => [
      ...ofQuestions(stream),
      ...(stream ? check.long.streamed : check.long.unstreamed),
    ];
    const signs = signOutcomes(view, check.long, protocol);
    const inStreams =
      noStream(view, ofQuestions(true)) ??
      withSigns(worst(ofRows(true), notSaid(view, idsOf(true))), signs.inStreams);
    const ofLetters = worst([...ofRows(false), ...longOf(check, view)], notSaid(view, idsOf(false)));
    const inResults = withSigns(ofLetters, signs.inResults);
    return {
      findings: [
        { requirement: `${protocol}.output.intact`, ...inResults },
        { requirement: `${protocol}.stream.complete`, ...inStreams },
      ],
    } satisfies Judgement;
  },
};

const worst = (outcomes: readonly Outcome[], none: Outcome): Outcome =>
  outcomes.find(({ verdict }) => verdict === 'fail') ??
  outcomes.find(({ verdict }) => verdict === 'pass') ??
  outcomes[0] ??
  none;

/** What is wrong with the signs is told where nothing is with the letters. */
const withSigns = (letters: Outcome, signs: Outcome): Outcome =>
  letters.verdict === 'pass' || (letters.verdict !== 'fail' && signs.verdict === 'fail') ? signs : letters;

/** Where no reply gives a nonce: nothing was answered, all that is asked for so is refused, or the model says something else. */
function notSaid(view: EvidenceView, ids: readonly string[]): Outcome {
  if (ids.some((id) => isAnswered(view, id)))
    return inconclusive('text-not-said', undefined, 'model-behaviour');
  return ids.some((id) => isRefused(view, id))
    ? untested('only-form-refused')
    : inconclusive('nothing-answered');
}

/** How often the model gave a nonce without its letters, where it gave it with them, too. */
const missesOf = (questions: readonly ScriptedQuestion[], view: EvidenceView): Misses =>
  missesIn(
    questions.map(({ attempts }) =>
      attempts
        .filter(({ exchange, nonce, protocol }) => holds(textOf(view.state(exchange), protocol), nonce))
        .map((attempt) => says(view, attempt)),
    ),
  );

/** Whether a reply has the letters that stand behind the nonce; its digits are the business of the model. */
const says = (
  view: EvidenceView,
  { exchange, nonce, scripted = nonce, protocol }: ScriptedQuestion['attempts'][number],
): boolean => holds(textOf(view.state(exchange), protocol), scripted.slice(nonce.length));

/** Whether the words behind a nonce came as their bytes read in another encoding: no model writes so. */
function isMisread(view: EvidenceView, attempt: ScriptedQuestion['attempts'][number]): boolean {
  const { exchange, nonce, scripted = nonce, protocol } = attempt;
  const text = textOf(view.state(exchange), protocol);
  const words = scripted.slice(nonce.length).match(/[^-]+/g) ?? [];
  return words.length > 0 && words.every((word) => misreadings(word).some((misread) => misread.test(text)));
}

/** How the letters of a reply came; undefined where the model did not give the word at all. */
function lettersOf(
  question: ScriptedQuestion,
  { elsewhere }: Intact,
  view: EvidenceView,
): Outcome | undefined {
  const given = question.attempts.filter(
    ({ exchange, nonce, protocol }) =>
      holds(textOf(view.state(exchange), protocol), nonce) &&
      !isCutOff(view.state(exchange)) &&
      !isDamagedStream(view, exchange, protocol),
  );
  const [first] = given;
  if (first === undefined) return undefined;
  if (given.some((attempt) => says(view, attempt))) return pass();
  const ofModel = elsewhere.filter(({ model }) => model === question.model);
  const misses = missesOf(ofModel, view);
  const isLost = misses.answers > 0 && !isByChance(misses, given.length);
  const actual = excerpt(textOf(view.state(first.exchange), first.protocol));
  return (isLost || given.every((attempt) => isMisread(view, attempt))) && given.length >= enough
    ? fail({ kind: 'letters-damaged', wanted: first.scripted ?? first.nonce }, actual, {
        exchange: first.exchange,
      })
    : inconclusive('text-not-said', actual, 'model-behaviour');
}

/** How long replies came without a stream, where a stream carries the text. */
function longOf({ protocol, long }: Intact, view: EvidenceView): readonly Outcome[] {
  const { asked, unstreamed, streamed } = long;
  const textsOf = (ids: readonly string[]) =>
    ids.flatMap((exchange) => {
      const text = textOf(view.state(exchange), protocol);
      return text === '' ? [] : [{ exchange, text }];
    });
  const whole = textsOf(streamed).find(({ text }) => holds(text, asked));
  const replies = textsOf(unstreamed);
  // Twice, or without its spaces, it has all its letters, too.
  if (replies.some(({ text }) => holds(text, asked) && carriedBy([text], asked, asked) === 'whole'))
    return [pass()];
  const [first] = replies;
  if (whole === undefined || first === undefined) return [];
  const flaws = replies.map(({ text }) =>
    text.length < leastPart * asked.length ? 'other' : carriedBy([text], whole.text, asked),
  );
  const flaw = flaws.find((each): each is StreamFlaw => each !== 'whole' && each !== 'other');
  const damaged = flaws.filter((each) => each !== 'whole' && each !== 'other').length;
  return flaw !== undefined && damaged >= repliesNeeded
    ? [fail({ kind: 'reply-damaged', flaw }, excerpt(first.text), { exchange: first.exchange })]
    : [inconclusive('text-not-said', excerpt(first.text), 'model-behaviour')];
}
