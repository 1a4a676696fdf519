import { decisions } from '../../spec/decisions.ts';
import { groupBy } from '../../spec/group-by.ts';
import { type Neighbour, neighbours, type SentAs, isSeen } from '../types/text-situations.ts';
import { chanceOfDifference } from './exact-test.ts';
import { isOfContext, sourceOfUnsaid } from '../types/text-differences.ts';
import type { SaidText } from './said-texts.ts';
import { type Asked, isFailed, tallyOf, restsOn, type TextTest, textTests } from './text-faults.ts';

type TextSample = (typeof decisions.textSamples)[number];

/** The least chance that says something of a test: of requests that differ in more than one thing, too. */
const leastOf = ({ chance, chanceOfAll }: TextTest): number => Math.min(chance, chanceOfAll);

/** What a test decides of an endpoint: its texts, streamed or not, or a part of the context. */
const decides = ({ protocol, isStreamed, difference }: TextTest): string =>
  `${protocol} ${isOfContext(difference) ? difference : isStreamed}`;

/** Tests of what no failed test decides already. */
function undecidedTests(tests: readonly TextTest[], level: number): readonly TextTest[] {
  const decided = new Set(tests.filter((test) => isFailed(test, level)).map(decides));
  return tests.filter((test) => !decided.has(decides(test)));
}

/** Tests that leave it open whether gateway or model makes a difference, the least chance first; none for what has failed already. */
export function openTests(tests: readonly TextTest[], level: number, round: number): readonly TextTest[] {
  const sample = decisions.textSamples[round];
  if (sample === undefined) return [];
  return undecidedTests(tests, level)
    .filter((test) => {
      const { chance, controls, difference } = test;
      const isFirstOrUnlike = round === 0 || restsOn(test).controls.length === 0;
      const least = isFirstOrUnlike ? leastOf(test) : chance;
      const isElsewhere = tallyOf(controls, difference).seen > 0;
      return least <= (isElsewhere ? sample.elsewhere : sample.suspicious);
    })
    .sort((one, other) => leastOf(one) - leastOf(other));
}

const inTurn = <Item>(items: readonly Item[], count: number): readonly Item[] =>
  Array.from({ length: items.length === 0 ? 0 : count }, (_, at) => items[at % items.length] as Item);

/** What of a situation a model sees: two requests for one text with the same of it are alike to it. */
const seenIn = ({ has }: Asked): string => has.filter(isSeen).join();

/** A request for a text that is asked once more, and how; as any other where nothing is said of it. */
export interface FurtherText<One> {
  readonly asked: One;
  readonly as?: SentAs | undefined;
}

const isNeighbour = (by: TextTest['by']): by is Neighbour => neighbours.some((each) => each === by);

/** Whether a request asks for a text that may show the difference of a test: what is not lost of the context, in its question. */
const isFor =
  ({ difference }: TextTest) =>
  ({ sources }: Asked): boolean =>
    sources.has(sourceOfUnsaid(difference) ?? 'question');

/** Tells whether a request is asked as one of those that show the difference of a test, in the situations of these. */
function asShown({ probes, difference }: TextTest): (asked: Asked) => boolean {
  const shown = probes.filter(({ differences }) => differences.has(difference));
  return (asked) =>
    shown.some(
      ({ group, stream, has }) =>
        group === asked.group &&
        // In a situation `stream` is always given.
        (stream === asked.stream || (stream === null && !asked.stream && asked.has.length > 0)) &&
        asked.has.every((each) => has.includes(each)),
    );
}

/** One half with a neighbour, the other one without. */
function withAndWithout<One extends Asked>(
  test: TextTest,
  all: readonly One[],
  { neighbour, count }: { readonly neighbour: Neighbour; readonly count: number },
): readonly FurtherText<One>[] {
  const isShown = asShown(test);
  const own = all
    .filter(isFor(test))
    .filter(
      (one) =>
        test.isProbe({ ...one, neighbours: neighbours.filter((each) => each === test.by) }) && isShown(one),
    );
  const without = neighbour === 'after-stream' ? 'after-result' : 'alone';
  return inTurn(own, count / 2).flatMap((asked) => [
    { asked, as: neighbour },
    { asked, as: without },
  ]);
}

/** One half for each side of a comparison: probes asked as the ones that show it, and the controls that a model sees alike. */
function sidesOf<One extends Asked>(test: TextTest, all: readonly One[], count: number) {
  const { by, isProbe, isControl } = test;
  if (isNeighbour(by)) return withAndWithout(test, all, { neighbour: by, count });
  const isShown = asShown(test);
  const asked = all.filter(isFor(test));
  const controls = asked.filter(isControl);
  const own = asked
    .filter((one) => isProbe(one) && isShown(one))
    .filter((one) => controls.some((control) => seenIn(control) === seenIn(one)))
    .sort((one, other) => other.has.length - one.has.length);
  return inTurn(own, count / 2).flatMap((probe, at): readonly FurtherText<One>[] => {
    const alike = controls.filter((control) => seenIn(control) === seenIn(probe));
    const control = alike[at % alike.length];
    return control === undefined ? [] : [{ asked: probe }, { asked: control }];
  });
}

function fewestBesides<One extends Asked>(all: readonly One[]): readonly One[] {
  const fewest = Math.min(...all.map(({ has }) => has.length));
  return all.filter(({ has }) => has.length === fewest);
}

/** Of models that other endpoints have, too: they tell whether the endpoint makes a difference. One that had shown it is asked no more. */
function ofOtherModels<One extends Asked>(
  tests: readonly TextTest[],
  texts: readonly SaidText[],
  all: readonly One[],
  { requests, elsewhere }: Pick<TextSample, 'requests' | 'elsewhere'>,
): readonly FurtherText<One>[] {
  const isShared = ({ family, protocol }: Asked): boolean =>
    all.some((other) => other.family === family && other.protocol !== protocol);
  const others = tests.flatMap((test) => {
    const asked = all.filter(isFor(test));
    if (test.by !== 'endpoint' || asked.some(test.isControl)) return [];
    const isOther = (asked: Asked): boolean =>
      asked.protocol === test.protocol && (asked.stream === true) === test.isStreamed && isShared(asked);
    const shown = chanceOfDifference(
      tallyOf(test.probes, test.difference),
      tallyOf(texts.filter(isOther), test.difference),
    );
    return shown <= elsewhere ? [] : fewestBesides(asked.filter(isOther));
  });
  return inTurn([...new Set(others)], requests / 2).map((asked) => ({ asked }));
}

/** The first open test, and one of each part of the context that did not come: what a run asks at first has few neighbours alone. */
function withoutNeighbours(open: readonly TextTest[], tests: readonly TextTest[]): readonly TextTest[] {
  const lost = tests.filter(({ difference }) => isOfContext(difference));
  const each = [...groupBy([...open.slice(0, 1), ...lost], decides).values()];
  return each.flatMap(([first]) => first ?? []).slice(0, decisions.textSampleEndpoints);
}

/** What is asked once more, of requests that a model sees alike: at first a few for each endpoint, then what decides the nearest test. */
export function furtherTexts<One extends Asked>(
  texts: readonly SaidText[],
  all: readonly One[],
  { level, round }: { readonly level: number; readonly round: number },
): readonly FurtherText<One>[] {
  const sample = decisions.textSamples[round];
  if (sample === undefined) return [];
  const { requests } = sample;
  const tests = textTests(texts);
  const open = openTests(tests, level, round);
  const ofOne = (those: readonly TextTest[]): readonly (readonly FurtherText<One>[])[] => {
    const further = new Map<string, readonly FurtherText<One>[]>();
    for (const test of those) {
      const key = `${test.protocol} ${test.isStreamed}`;
      if (further.has(key)) continue;
      const asked = sidesOf(test, all, requests);
      if (asked.length > 0) further.set(key, asked);
    }
    return [...further.values()];
  };
  const ofOthers = ofOtherModels(open, texts, all, sample);
  if (round > 0) return [...ofOne(open).slice(0, 1).flat(), ...ofOthers];
  const others = open.filter(({ by }) => !isNeighbour(by));
  const inOrder = others.toSorted((one, other) => onEndpoint(other) - onEndpoint(one));
  const ofEndpoints = ofOne(inOrder).slice(0, decisions.textSampleEndpoints).flat();
  const ofNeighbours = withoutNeighbours(open, undecidedTests(tests, level)).flatMap((test) =>
    neighbours.flatMap((neighbour) => withAndWithout(test, all, { neighbour, count: requests / 2 })),
  );
  return [...ofEndpoints, ...ofOthers, ...ofNeighbours];
}

const onEndpoint = ({ by }: TextTest): number => Number(by === 'endpoint');
