import { decisions } from '../../spec/decisions.ts';
import type { ContextPlace } from '../types/context-places.ts';
import type { SaidText } from './said-texts.ts';
import type { Tally } from './exact-test.ts';
import { type Asked, foundIn, restsOn, shows, tallyOf, type TextTest, textTests } from './text-faults.ts';

/** What may be asked to compare texts, or what the model is given. */
export interface Compared extends Asked {
  /** In which the prompt has words; none where the model is asked for one text. */
  readonly places: readonly ContextPlace[];
}

/** Whether all replies of one side have a difference, and none of the other: of each several, or one of each seen alike. */
function isParted(test: TextTest): boolean {
  const areParted = (probes: Tally, controls: Tally, several: number): boolean =>
    probes.of >= several && probes.seen === probes.of && controls.of >= several && controls.seen === 0;
  const { probes, controls } = restsOn(test);
  const [own, others] = [tallyOf(test.probes, test.shown), tallyOf(test.controls, test.shown)];
  return areParted(probes, controls, 1) || areParted(own, others, 2);
}

/** Whether requests that a model sees alike were asked several times on both sides. */
function isPaired(test: TextTest): boolean {
  const { probes, controls } = restsOn(test);
  return probes.of > 1 && controls.of > 1;
}

/**
 * Tests that leave it open whether the gateway or the model makes a difference, the least chance first. Before requests
 * that a model sees alike were asked, those that differ in more say whether they are to be.
 * @param round how many second samples were asked
 */
export function openTests(tests: readonly TextTest[], level: number, round: number): readonly TextTest[] {
  const { suspicious = 0 } = decisions.textSamples[round] ?? {};
  const isOpen = (test: TextTest): boolean =>
    isPaired(test)
      ? test.chance <= suspicious
      : isParted(test) || test.chanceOfAll <= decisions.firstTexts.suspicious;
  return tests.filter((test) => test.chance > level && isOpen(test));
}

/** So many of a list, in turn. */
const inTurn = <Item>(items: readonly Item[], count: number): readonly Item[] =>
  Array.from({ length: items.length === 0 ? 0 : count }, (_, at) => items[at % items.length] as Item);

/** One half for each side of a comparison: of the probes those that are asked as the ones that show the difference. */
function sidesOf<One extends Asked>(
  { isProbe, isControl, probes, shown }: TextTest,
  own: readonly One[],
  count: number,
): readonly One[] {
  const broken = probes.filter((text) => shows(shown, text));
  const isShown = (asked: Asked): boolean =>
    broken.some(({ group, stream }) => group === asked.group && stream === asked.stream);
  const sides = [own.filter((one) => isProbe(one) && isShown(one)), own.filter(isControl)];
  return sides.some((side) => side.length === 0) ? [] : sides.flatMap((side) => inTurn(side, count / 2));
}

/** Whether requests for the same text were asked so often on both sides of a comparison. */
function isTextAsked({ isProbe, isControl }: TextTest, texts: readonly SaidText[], count: number): boolean {
  const own = texts.filter(({ isOfContext }) => !isOfContext);
  return own.some((one) => {
    const alike = own.filter(({ seen }) => seen === one.seen);
    return [isProbe, isControl].every((isSide) => alike.filter(isSide).length >= count);
  });
}

/** Of each kind the test that comes nearest; what the model is given is compared before what it says. */
function nearestIn(tests: readonly TextTest[]): readonly TextTest[] {
  const isOfContext = ({ shown }: TextTest): boolean => 'place' in shown;
  const nearest = new Map<string, TextTest>();
  for (const test of [...tests.filter(isOfContext), ...tests]) {
    const key = `${test.protocol} ${test.isStreamed} ${test.by}`;
    if (!nearest.has(key)) nearest.set(key, test);
  }
  return [...nearest.values()].sort((one, other) => one.chanceOfAll - other.chanceOfAll);
}

/**
 * What is asked once more, of requests that a model sees alike: what decides the test that comes nearest, or else a few of
 * each kind that were not asked yet. None where nothing is open.
 * @param round how many second samples were asked
 */
export function furtherTexts<One extends Compared>(
  texts: readonly SaidText[],
  all: readonly One[],
  { level, round }: { readonly level: number; readonly round: number },
): readonly One[] {
  const count = decisions.textSamples[round]?.replies ?? 0;
  if (count === 0) return [];
  const tests = textTests(texts);
  const { kinds, replies, rounds } = decisions.firstTexts;
  const ofTexts = all.filter(({ places }) => places.length === 0);
  const [found] = foundIn(tests, level);
  if (found && ('difference' in found.shown || isTextAsked(found, texts, replies / 2))) return [];
  // What damages texts damages what is said of the context, too.
  if (found) return sidesOf(found, ofTexts, replies);
  const asked = (test: TextTest, times: number): readonly One[] => {
    const { shown } = test;
    const own = 'place' in shown ? all.filter(({ places }) => places.includes(shown.place)) : ofTexts;
    return sidesOf(test, own, times);
  };
  const open = openTests(tests, level, round);
  const paired = open.find(isPaired);
  if (paired) return asked(paired, count);
  if (round >= rounds) return [];
  return nearestIn(open.filter((test) => asked(test, replies).length > 0))
    .slice(0, kinds)
    .flatMap((test) => asked(test, replies));
}
