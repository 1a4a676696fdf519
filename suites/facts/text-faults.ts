import { groupBy } from '../../spec/group-by.ts';
import { matrixCell } from '../../spec/matrix.ts';
import { oncePerObject } from '../../spec/once.ts';
import type { TextProtocol } from '../../spec/vocabulary.ts';
import { decisions } from '../../spec/decisions.ts';
import type { Plan } from '../types/plan.ts';
import type { ComparedBy } from '../types/reasons/failures.ts';
import {
  type Neighbour,
  neighbours,
  isHeld,
  isSeen,
  situationsOf,
  type TextSituation,
  type TextSource,
} from '../types/text-situations.ts';
import {
  isBesides,
  isOfContext,
  sourceOfUnsaid,
  type TextDifference,
  textDifferences,
} from '../types/text-differences.ts';
import { chanceOfDifference, chanceOfDifferences, levelOf, type Tally } from './exact-test.ts';
import type { SaidText } from './said-texts.ts';
import { mayDiffer } from './text-differences.ts';

/** What a reply is compared by: all but what came. */
export type Asked = Pick<
  SaidText,
  'family' | 'protocol' | 'group' | 'stream' | 'has' | 'neighbours' | 'sources'
>;

/** Replies of one model on one endpoint, streamed or not, beside others that only differ in what no model can see. */
interface Comparison {
  /** What they differ in. */
  readonly by: ComparedBy;
  /** What all of them have besides the text, and nothing else; absent where they may have anything. */
  readonly within?: TextSituation;
  readonly protocol: TextProtocol;
  readonly isStreamed: boolean;
  readonly isProbe: (asked: Asked) => boolean;
  readonly isControl: (asked: Asked) => boolean;
}

const isStreamed = ({ stream }: Asked): boolean => stream === true;

/** Whether what a request gets is held to its text; of all others it is no more than a control. */
const isProbed = ({ family, protocol, group, has }: Asked): boolean =>
  matrixCell({ family, protocol, group, stream: false })?.expectation === 'served' && isHeld(protocol, has);

/** What alone a request has besides the text; undefined where it is several things, or none. */
const onlyOf = ({ has: [only, ...others] }: Asked): TextSituation | undefined =>
  others.length === 0 ? only : undefined;

/** The comparisons of what one caller gets with what others get: in all situations together, and in its own alone. */
function comparisonsOf(one: Asked): readonly Comparison[] {
  const within = onlyOf(one);
  return [
    ...comparisonsAmong(one, () => true),
    ...neighbours.map((neighbour) => withNeighbour(one, neighbour)),
    ...(within === undefined
      ? []
      : comparisonsAmong(one, (other) => onlyOf(other) === within).map((made) => ({ ...made, within }))),
    ...(within === undefined || isSeen(within) ? [] : [withSituation(one, within)]),
  ];
}

const isAlike = (one: Asked, other: Asked): boolean =>
  other.family === one.family && other.protocol === one.protocol && isStreamed(other) === isStreamed(one);

/** What was sent with a neighbour, against the same without. Of requests under way at once nobody knows which came first. */
function withNeighbour(one: Asked, neighbour: Neighbour): Comparison {
  const has = (other: Asked, each: Neighbour): boolean => other.neighbours.includes(each);
  const isSide = (other: Asked): boolean =>
    isAlike(one, other) && (neighbour === 'beside' || !has(other, 'beside'));
  return {
    by: neighbour,
    protocol: one.protocol,
    isStreamed: isStreamed(one),
    isProbe: (other) => isSide(other) && has(other, neighbour),
    isControl: (other) => isSide(other) && !has(other, neighbour),
  };
}

/** What no model sees of a situation, against the same without. */
function withSituation(one: Asked, within: TextSituation): Comparison {
  const alike = (other: Asked): boolean => isAlike(one, other);
  return {
    by: 'situation',
    within,
    protocol: one.protocol,
    isStreamed: isStreamed(one),
    isProbe: (other) => alike(other) && onlyOf(other) === within,
    isControl: (other) => alike(other) && other.has.length === 0,
  };
}

function comparisonsAmong(one: Asked, isAmong: (other: Asked) => boolean): readonly Comparison[] {
  const { family, protocol } = one;
  const ofModel = (other: Asked): boolean => other.family === family && isAmong(other);
  const onEndpoint = (other: Asked): boolean => ofModel(other) && other.protocol === protocol;
  const alike = (other: Asked): boolean => onEndpoint(other) && isStreamed(other) === isStreamed(one);
  const told = { protocol, isStreamed: isStreamed(one) };
  const inGroup = (other: Asked): boolean => other.group === one.group;
  return [
    { ...told, by: 'endpoint', isProbe: alike, isControl: (other) => ofModel(other) && !onEndpoint(other) },
    { ...told, by: 'stream', isProbe: alike, isControl: (other) => onEndpoint(other) && !alike(other) },
    {
      ...told,
      by: 'group',
      isProbe: (other) => alike(other) && inGroup(other),
      isControl: (other) => alike(other) && !inGroup(other),
    },
    ...(isStreamed(one)
      ? []
      : [
          {
            ...told,
            by: 'stream-left-out' as const,
            isProbe: (other: Asked) => onEndpoint(other) && other.stream === one.stream,
            isControl: (other: Asked) => alike(other) && other.stream !== one.stream,
          },
        ]),
  ];
}

/** Each once: those of an endpoint and of streams are the same for all groups. */
function comparisonsIn(asked: readonly Asked[]): readonly Comparison[] {
  const kinds = new Map(
    asked
      .filter(isProbed)
      .map((one) => [`${one.family} ${one.protocol} ${one.group} ${one.stream} ${onlyOf(one)}`, one]),
  );
  const all = [...kinds.values()].flatMap((one) =>
    comparisonsOf(one).map((comparison) => {
      const { by, protocol, isStreamed: streamed, within = '' } = comparison;
      const own = by === 'group' ? one.group : by === 'stream-left-out' ? String(one.stream) : '';
      const isProbe = (each: Asked): boolean => comparison.isProbe(each) && isProbed(each);
      return [
        `${by} ${within} ${one.family} ${protocol} ${streamed} ${own}`,
        { ...comparison, isProbe },
      ] as const;
    }),
  );
  return [...new Map(all).values()];
}

/** The exact tests of texts that a plan may come to, each time that they are done. */
const textTestsIn = (plan: Pick<Plan, 'requests'>): number => {
  const callers = plan.requests.flatMap(({ says, protocol, callers }) =>
    says ? callers.map(({ family, group }) => ({ family, group, protocol: protocol as TextProtocol })) : [],
  );
  const each = new Map(callers.map((caller) => [JSON.stringify(caller), caller]));
  const asked = [...each.values()].flatMap((caller) =>
    [true, false, null].flatMap((stream) =>
      [[], ...situationsOf[caller.protocol].map((one) => [one])].map((has) => ({
        ...caller,
        stream,
        has,
        neighbours: [],
        sources: new Set<TextSource>(),
      })),
    ),
  );
  return comparisonsIn(asked).length * textDifferences.length * (1 + decisions.textSamples.length);
};

export const textLevelOf = oncePerObject((plan: Pick<Plan, 'requests'>): number =>
  levelOf(textTestsIn(plan), decisions.shareOfTexts),
);

export interface TextTest extends Comparison {
  readonly difference: TextDifference;
  readonly probes: readonly SaidText[];
  readonly controls: readonly SaidText[];
  /** The chance of so many, where it is the same whatever the model can't see; of requests that are the same to it. */
  readonly chance: number;
  /** The same of all requests together, whatever else they differ in: it decides nothing but whether more are sent. */
  readonly chanceOfAll: number;
}

export const tallyOf = (texts: readonly SaidText[], difference: TextDifference): Tally => ({
  seen: texts.filter(({ differences }) => differences.has(difference)).length,
  of: texts.length,
});

function strataOf(probes: readonly SaidText[], controls: readonly SaidText[], difference: TextDifference) {
  return [...new Set(probes.map(({ seen }) => seen))].map((each) => {
    const isAlike = ({ seen }: SaidText): boolean => seen === each;
    return {
      probes: tallyOf(probes.filter(isAlike), difference),
      controls: tallyOf(controls.filter(isAlike), difference),
    };
  });
}

type Sides = Pick<TextTest, 'probes' | 'controls'>;

/** @param others what all together are held against */
function chancesOf({ probes, controls }: Sides, others: readonly SaidText[], difference: TextDifference) {
  return {
    chance: chanceOfDifferences(strataOf(probes, controls, difference)),
    chanceOfAll: chanceOfDifference(tallyOf(probes, difference), tallyOf(others, difference)),
  };
}

/** Whether a reply may show a difference. What a model is given of a list as `input` is not shown (4.1): it may see other turns. */
function mayShow({ asked, sources, protocol, has }: SaidText, difference: TextDifference): boolean {
  const source = sourceOfUnsaid(difference);
  return (
    (source === undefined || sources.has(source)) &&
    (source !== 'history' || isHeld(protocol, has)) &&
    asked.some((text) => mayDiffer(text, difference))
  );
}

/** Sums of the same chances in another order are alike. */
const rounded = (chance: number): number => Number(chance.toPrecision(6));

/** All tests with something to see, the least chance first. */
export const textTests = oncePerObject((texts: readonly SaidText[]): readonly TextTest[] => {
  const compared = comparisonsIn(texts).map((comparison) => ({
    ...comparison,
    probes: texts.filter(comparison.isProbe),
    controls: texts.filter(comparison.isControl),
  }));
  return textDifferences
    .flatMap((difference) => {
      const showing = new Set(texts.filter((text) => mayShow(text, difference)));
      const isShown = (text: SaidText): boolean => showing.has(text);
      return (
        compared
          // The dialect of an endpoint may have a style, and more beside a text, such as what the model thinks. So may
          // another node that serves the model while the first one is busy.
          .filter(({ by }) => !(by === 'endpoint' || by === 'beside') || !isBesides(difference))
          .map((test) => ({ ...test, difference, probes: test.probes.filter(isShown) }))
          .filter(({ probes }) => tallyOf(probes, difference).seen > 0)
          .map((each) => {
            const test = { ...each, controls: each.controls.filter(isShown) };
            const { by, within, protocol, controls } = test;
            // Other models say how likely it is by and large.
            const isOfAll = by === 'endpoint' && within === undefined;
            const others = isOfAll
              ? texts.filter((text) => isShown(text) && text.protocol !== protocol)
              : controls;
            return { ...test, ...chancesOf(test, others, difference) };
          })
      );
    })
    .sort(
      (one, other) =>
        rounded(one.chance) - rounded(other.chance) ||
        // What shows in one situation alone is asked in that one.
        Number(one.within === undefined) - Number(other.within === undefined) ||
        one.chanceOfAll - other.chanceOfAll,
    );
});

/** Whether a test shows a failure: chance does not explain it, or no model writes so. */
export const isFailed = ({ chance, difference }: TextTest, level: number): boolean =>
  chance <= level || difference === 'misread';

/** The replies that a test rests on: those to requests that a model sees alike, on both sides. */
export function restsOn({ probes, controls }: Sides): Sides {
  const ofControls = new Set(controls.map(({ seen }) => seen));
  const both = new Set(probes.map(({ seen }) => seen).filter((each) => ofControls.has(each)));
  const among = (texts: readonly SaidText[]) => texts.filter(({ seen }) => both.has(seen));
  return { probes: among(probes), controls: among(controls) };
}

/** Texts of one model that were asked for, without the numbers that each request has of its own. */
const wanted = ({ family, asked }: SaidText): string => `${family} ${asked.join().replace(/\d+/g, '')}`;

/** What texts show with a part of the prompt, which a model sees, and not without; on no other endpoint it is seen. */
export type ByPrompt = NonNullable<ReturnType<typeof differenceByPrompt>>;

/** A difference that chance does not explain. `elsewhere`: a model that makes it on another endpoint makes it here. */
export function differenceByPrompt(
  texts: readonly SaidText[],
  elsewhere: readonly SaidText[],
  level: number,
) {
  const sides = [...groupBy(texts, wanted).values()].flatMap((own) =>
    [...new Set(own.flatMap(({ has }) => has.filter(isSeen)))].map((within) => ({
      within,
      probes: own.filter(({ has }) => has.includes(within)),
      controls: own.filter(({ has }) => !has.includes(within)),
    })),
  );
  return sides
    .flatMap((each) =>
      textDifferences
        .filter((difference) => !isBesides(difference) && !isOfContext(difference))
        .map((difference) => ({ difference, ...each })),
    )
    .filter(
      ({ difference, probes, controls }) =>
        chanceOfDifference(tallyOf(probes, difference), tallyOf(controls, difference)) <= level,
    )
    .find(
      ({ difference, probes, within }) =>
        !elsewhere.some(
          (one) =>
            one.family === probes[0]?.family && one.has.includes(within) && one.differences.has(difference),
        ),
    );
}
