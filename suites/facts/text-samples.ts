import { decisions } from '../../spec/decisions.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { SaidText } from './said-texts.ts';
import type { Tally } from './exact-test.ts';
import { type Asked, restsOn, tallyOf, type TextTest, textTests } from './text-faults.ts';

/** Whether all replies of one side have a difference, and none of the other. */
const areParted = (probes: Tally, controls: Tally, several: number): boolean =>
  probes.of >= several && probes.seen === probes.of && controls.of >= several && controls.seen === 0;

/** Whether the same request shows it each time on an endpoint, and no other endpoint was asked the same. */
function isUncompared({ by, probes, controls, difference }: TextTest): boolean {
  if (by !== 'endpoint') return false;
  const compared = new Set(controls.map(({ seen }) => seen));
  return [...groupBy(probes, ({ seen }) => seen)].some(
    ([seen, own]) => !compared.has(seen) && own.length > 1 && tallyOf(own, difference).seen === own.length,
  );
}

/** Too few may show it yet: one of each that a model sees alike, or several of each that differ in more. */
function isParted(test: TextTest): boolean {
  const { probes, controls } = restsOn(test);
  const [own, others] = [tallyOf(test.probes, test.difference), tallyOf(test.controls, test.difference)];
  return areParted(probes, controls, 1) || areParted(own, others, 2) || isUncompared(test);
}

/**
 * Tests that leave it open whether the gateway or the model makes a difference, the least chance first. At first those
 * of requests that differ in more than the one thing say so, too, and a few that are alike; then the ones asked again.
 * @param round how many second samples were asked
 */
export function openTests(tests: readonly TextTest[], level: number, round: number): readonly TextTest[] {
  const isOpen = (test: TextTest): boolean =>
    round === 0
      ? isParted(test) || test.chanceOfAll <= decisions.suspiciousTexts / tests.length
      : test.chance <= decisions.suspiciousTexts;
  return tests.filter((test) => test.chance > level && isOpen(test));
}

/** So many of a list, in turn. */
const inTurn = <Item>(items: readonly Item[], count: number): readonly Item[] =>
  Array.from({ length: items.length === 0 ? 0 : count }, (_, at) => items[at % items.length] as Item);

/** One half for each side of a comparison: of the probes those that are asked as the ones that show the difference. */
function sidesOf<One extends Asked>(
  { isProbe, isControl, probes, difference }: TextTest,
  all: readonly One[],
  count: number,
): readonly One[] {
  const shown = probes.filter(({ differences }) => differences.has(difference));
  const isShown = (asked: Asked): boolean =>
    shown.some(({ group, stream }) => group === asked.group && stream === asked.stream);
  const sides = [all.filter((one) => isProbe(one) && isShown(one)), all.filter(isControl)];
  return sides.some((side) => side.length === 0) ? [] : sides.flatMap((side) => inTurn(side, count / 2));
}

/**
 * What is asked once more, of requests that a model sees alike: at first a few for each endpoint, streamed and not, then
 * what decides the test that comes nearest. None where nothing is open.
 * @param round how many second samples were asked
 */
export function furtherTexts<One extends Asked>(
  texts: readonly SaidText[],
  all: readonly One[],
  { level, round }: { readonly level: number; readonly round: number },
): readonly One[] {
  const count = decisions.textSamples[round] ?? 0;
  if (count === 0) return [];
  const nearest = new Map<string, TextTest>();
  for (const test of openTests(textTests(texts), level, round)) {
    const key = `${test.protocol} ${test.isStreamed}`;
    if (!nearest.has(key)) nearest.set(key, test);
  }
  const tests = [...nearest.values()].slice(0, round === 0 ? nearest.size : 1);
  return tests.flatMap((test) => sidesOf(test, all, count));
}
