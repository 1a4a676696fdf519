import { stopBehind } from '../../facts/stops.ts';
import type { NonceQuestion } from '../../types/checks/check.ts';
import type { AskedNonce } from '../../types/plan.ts';
import { type EvidenceView, isAnswered, isCutOff, textAt } from '../evidence-view.ts';
import { describeState, dependsOnModel, inconclusive, unsaid } from './findings.ts';
import { isRefused } from './refusals.ts';
import { bareLetters, isAscii } from '../../reading/text.ts';
import { chanceOf } from '../../facts/exact-test.ts';

/** The word of a nonce with a number behind it: a model that gets digits wrong was given it all the same. */
function hasItsWord(text: string, bareText: string, nonce: string): boolean {
  const [, word] = /^([A-Z]+)-\d+$/.exec(nonce) ?? [];
  // The expression is slow to make, and most texts lack the word.
  if (word === undefined || !bareText.includes(word.toLowerCase())) return false;
  return new RegExp(`\\b${word}\\P{L}{0,3}\\d{3}`, 'iu').test(text);
}

/** A nonce in its parts: the word with its number, and what may stand behind it. */
function partsOf(nonce: string): { readonly known: string; readonly rest: string } {
  const [, known = nonce, rest = ''] = /^([A-Z]+-\d+)(.*)$/s.exec(nonce) ?? [];
  return { known, rest };
}

export const hasLetters = (nonce: string): boolean => !isAscii(nonce);

/** Tells of nonces whether a text holds them, however they are spelt out, and whatever became of letters beyond ASCII behind them. */
export function holderOf(text: string): (nonce: string) => boolean {
  const bareText = bareLetters(text);
  return (nonce) => {
    const { known } = partsOf(nonce);
    return bareText.includes(bareLetters(known)) || hasItsWord(text, bareText, known);
  };
}

export const holds = (text: string, nonce: string): boolean => holderOf(text)(nonce);

/** The most characters that one is written by where it is escaped, as `\\ud83d\\ude00`. */
const longestEscape = 12;

const wordsWithLetters = (text: string) => (text.match(/\p{L}+/gu) ?? []).filter(hasLetters);

/** Whether a text has a word, whatever its case: some letters have two capitals. */
function hasWord(text: string, word: string): boolean {
  const composed = text.normalize('NFC');
  const [lower, upper] = [word.toLowerCase(), word.toUpperCase()];
  return composed.toLowerCase().includes(lower) || composed.toUpperCase().includes(upper);
}

/** What became of letters beyond ASCII between a nonce and its end; undefined where a text lacks both: a model may shorten it. */
export function lettersOf(text: string, nonce: string): 'kept' | 'lost' | undefined {
  const { known, rest } = partsOf(nonce);
  const words = wordsWithLetters(rest);
  const [end = ''] = /[a-z]+$/.exec(rest) ?? [];
  if (words.length === 0 || end === '') return undefined;
  // A target may send any text: what stands between is no longer than it can be. Marks of JSON begin something else.
  const between = `[^\\s:,{}]{0,${longestEscape * rest.length}}?`;
  const places = text.normalize('NFC').matchAll(new RegExp(`${known}(${between})\\b${end}\\b`, 'giu'));
  const said = Array.from(places, ([, letters = '']) => letters);
  if (said.length === 0) return undefined;
  return said.some((letters) => words.every((word) => hasWord(letters, word))) ? 'kept' : 'lost';
}

/** Whether a reply has all words with letters beyond ASCII of a text that was asked for. */
export const hasAllLettersOf = (asked: string, reply: string): boolean =>
  wordsWithLetters(asked).every((word) => hasWord(reply, word));

/** Whether it has any of them. */
export const hasLettersOf = (asked: string, reply: string): boolean =>
  wordsWithLetters(asked).some((word) => hasWord(reply, word));

/** Whether the reply to a question gives its nonce, on whatever endpoint it was asked. */
export const isRecalled = (view: EvidenceView, { exchange, nonce }: AskedNonce): boolean =>
  holds(textAt(view, exchange), nonce);

/** Whether a probe is refused for its words: the control in the same words is, too. */
export const isFiltered = (view: EvidenceView, question: NonceQuestion, controls: readonly NonceQuestion[]) =>
  isRefused(view, question.exchange) &&
  controls.some(({ topic, exchange }) => topic === question.topic && isRefused(view, exchange));

/** The reply to a request, or that for want of which it was not sent. */
function refusalBehind(view: EvidenceView, id: string): readonly string[] {
  const state = view.state(id);
  const exchange = state.exchange ?? (state.kind === 'unclear' ? state.behind : undefined);
  return exchange ? [exchange.id] : [];
}

/** Nothing but refusals of the words in `asked`: that depends on the model, where anything else is answered. */
export function filtered(plainRequest: string, view: EvidenceView, asked: readonly NonceQuestion[]) {
  const state = view.state(plainRequest);
  if (state.kind !== 'answered') return inconclusive('question-refused', describeState(state));
  const stopped = asked.find(({ exchange }) => stopBehind(view, exchange));
  if (stopped) return inconclusive('control-fails-afterwards', describeState(view.state(stopped.exchange)));
  const refusals = asked.flatMap(({ exchange }) => refusalBehind(view, exchange));
  return dependsOnModel('question-refused', unsaid(refusals));
}

/** So many letters of a prompt in a row, but for the nonces, are in no reply that does not repeat it. */
const repeatedLetters = 30;

/** Whether a reply says its question again, or more of its prompt than the nonces: its end may lack. */
function saysAgain({ exchange, question }: NonceQuestion, view: EvidenceView): boolean {
  const text = bareLetters(textAt(view, exchange));
  if (text.includes(bareLetters(question))) return true;
  const body = view.state(exchange).exchange?.request.body ?? '';
  const asked = bareLetters(body.replace(/[A-Z]+-\d{5}\S*/g, ''));
  const parts = Array.from({ length: Math.floor(asked.length / repeatedLetters) }, (_, at) =>
    asked.slice(at * repeatedLetters, (at + 1) * repeatedLetters),
  );
  return parts.some((part) => text.includes(part));
}

/** Whether the model says its last message again, and nothing without it: then the control, with the nonce there, tells nothing. */
export function isEchoing(
  unrecalled: readonly NonceQuestion[],
  others: readonly NonceQuestion[],
  view: EvidenceView,
): boolean {
  const repeats = (each: NonceQuestion): boolean => saysAgain(each, view);
  const recalled = others.filter((each) => !isCutOff(view.state(each.exchange)) && isRecalled(view, each));
  if (!recalled.every(repeats)) return false;
  const byExchange = new Map([...unrecalled, ...others].map((each) => [each.exchange, each]));
  const asked = [...byExchange.values()].filter(({ exchange }) => isAnswered(view, exchange));
  return asked.filter(repeats).length > asked.length / 3;
}

/** How often a model was asked for what it demonstrably says, and how often it did not say it. */
export interface Misses {
  readonly answers: number;
  readonly missed: number;
}

/** Whether each answer said what was asked for, of questions that a model was asked several times. */
export function missesIn(questions: readonly (readonly boolean[])[]): Misses {
  const said = questions.filter((answers) => answers.includes(true)).flat();
  return { answers: said.length, missed: said.filter((isSaid) => !isSaid).length };
}

/** So often is an estimate mended: it has come to rest long before. */
const steps = 50;

/**
 * How often a model misses, where each question was asked until it was said, in so many attempts at most. Few answers show
 * it badly: one more is counted to each side. Questions that are never said are not among them: so many as the estimate
 * itself lets expect are counted, too.
 */
function rateOf({ answers, missed }: Misses, attempts: number): number {
  if (missed === 0) return 0;
  let rate = (missed + 1) / (answers + 2);
  for (let step = 0; step < steps; step += 1) {
    const neverSaid = ((answers - missed) * rate ** attempts) / (1 - rate ** attempts);
    rate = (missed + 1 + neverSaid * attempts) / (answers + 2 + neverSaid * attempts);
  }
  return rate;
}

/** Nonces that stand in one place of several requests, each asked for in so many attempts. */
export interface Placed {
  /** The fewest attempts at one that none recalled. */
  readonly attempts: number;
  readonly lost: number;
  readonly of: number;
}

/** The chance that so many are lost, or more, by a model that misses as often as elsewhere: at the same place, or anywhere. */
export const chanceOfLoss = ({ attempts, lost, of }: Placed, elsewhere: readonly Misses[]): number =>
  chanceOf({ seen: lost, of }, Math.max(...elsewhere.map((misses) => rateOf(misses, attempts))) ** attempts);
