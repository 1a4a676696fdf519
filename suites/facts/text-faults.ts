import type { TextProtocol } from '../../spec/vocabulary.ts';
import { decisions } from '../../spec/decisions.ts';
import { type ContextPlace, contextPlaces } from '../types/context-places.ts';
import type { Plan } from '../types/plan.ts';
import { isBesides, type TextDifference, textDifferences } from '../types/text-differences.ts';
import { chanceOfDifference, chanceOfDifferences, levelOf, type Stratum, type Tally } from './exact-test.ts';
import type { SaidText } from './said-texts.ts';
import { mayDiffer } from './text-differences.ts';

/** What a reply is compared by: all but what came. */
export type Asked = Pick<SaidText, 'family' | 'protocol' | 'group' | 'stream'>;

/** Replies of one model on one endpoint, streamed or not, beside others that only differ in what no model can see. */
interface Comparison {
  /** What they differ in. */
  readonly by: 'endpoint' | 'stream' | 'stream-left-out' | 'group';
  readonly protocol: TextProtocol;
  readonly isStreamed: boolean;
  readonly isProbe: (asked: Asked) => boolean;
  readonly isControl: (asked: Asked) => boolean;
}

const isStreamed = ({ stream }: Asked): boolean => stream === true;

/** The comparisons of what one caller gets with what others get. */
function comparisonsOf(one: Asked): readonly Comparison[] {
  const { family, protocol } = one;
  const ofModel = (other: Asked): boolean => other.family === family;
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
    asked.map((one) => [`${one.family} ${one.protocol} ${one.group} ${one.stream}`, one]),
  );
  const all = [...kinds.values()].flatMap((one) =>
    comparisonsOf(one).map((comparison) => {
      const { by, protocol, isStreamed: streamed } = comparison;
      const own = by === 'group' ? one.group : by === 'stream-left-out' ? String(one.stream) : '';
      return [`${by} ${one.family} ${protocol} ${streamed} ${own}`, comparison] as const;
    }),
  );
  return [...new Map(all).values()];
}

/** What a reply may show: a way in which it differs from the text, or that nothing came of a place in its context. */
export type Shown = { readonly difference: TextDifference } | { readonly place: ContextPlace };

/** What the replies of an endpoint may show. */
const shownOn = (protocol: TextProtocol): readonly Shown[] => [
  ...textDifferences.map((difference) => ({ difference })),
  ...contextPlaces(protocol).map((place) => ({ place })),
];

/** The exact tests of texts that a plan may come to, each time that they are done. */
const textTestsIn = (plan: Pick<Plan, 'requests'>): number => {
  const callers = plan.requests.flatMap(({ says, protocol, callers }) =>
    says ? callers.map(({ family, group }) => ({ family, group, protocol: protocol as TextProtocol })) : [],
  );
  const asked = callers.flatMap((caller) => [true, false, null].map((stream) => ({ ...caller, stream })));
  const shown = comparisonsIn(asked).reduce((sum, { protocol }) => sum + shownOn(protocol).length, 0);
  return shown * (1 + decisions.textSamples.length);
};

export const textLevelOf = (plan: Pick<Plan, 'requests'>): number =>
  levelOf(textTestsIn(plan), decisions.shareOfTexts);

/** One thing that replies may show in one comparison. */
export interface TextTest extends Comparison {
  readonly shown: Shown;
  readonly probes: readonly SaidText[];
  readonly controls: readonly SaidText[];
  /** The chance of so many, where it is the same whatever the model can't see; of requests that are the same to it. */
  readonly chance: number;
  /** The same of all requests together, whatever else they differ in: it decides nothing but whether more are sent. */
  readonly chanceOfAll: number;
}

/** Whether a reply shows something; undefined where its request can't tell. */
export function shows(shown: Shown, text: SaidText): boolean | undefined {
  const { asked, differences, unrecalled, isOfContext } = text;
  if ('place' in shown) return unrecalled.get(shown.place);
  return isOfContext || !mayDiffer(asked, shown.difference) ? undefined : differences.has(shown.difference);
}

export function tallyOf(texts: readonly SaidText[], shown: Shown): Tally {
  const all = texts.flatMap((text) => shows(shown, text) ?? []);
  return { seen: all.filter(Boolean).length, of: all.length };
}

function strataOf(
  probes: readonly SaidText[],
  controls: readonly SaidText[],
  shown: Shown,
): readonly Stratum[] {
  return [...new Set(probes.map(({ seen }) => seen))].map((each) => {
    const isAlike = ({ seen }: SaidText): boolean => seen === each;
    return {
      probes: tallyOf(probes.filter(isAlike), shown),
      controls: tallyOf(controls.filter(isAlike), shown),
    };
  });
}

/** All tests with something to see, the least chance first. */
export function textTests(texts: readonly SaidText[]): readonly TextTest[] {
  return comparisonsIn(texts)
    .flatMap((comparison) => {
      const probes = texts.filter(comparison.isProbe);
      const controls = texts.filter(comparison.isControl);
      if (controls.length === 0) return [];
      return (
        shownOn(comparison.protocol)
          // The dialect of an endpoint may have a style, and more beside a text, such as what the model thinks.
          .filter((shown) => comparison.by !== 'endpoint' || 'place' in shown || !isBesides(shown.difference))
          .filter((shown) => tallyOf(probes, shown).seen > 0)
          .map((shown) => ({
            ...comparison,
            shown,
            probes,
            controls,
            chance: chanceOfDifferences(strataOf(probes, controls, shown)),
            chanceOfAll: chanceOfDifference(tallyOf(probes, shown), tallyOf(controls, shown)),
          }))
      );
    })
    .sort((one, other) => one.chance - other.chance || one.chanceOfAll - other.chanceOfAll);
}

/** The replies that a test rests on: those to requests that a model sees alike, on both sides. */
export function restsOn({ probes, controls, shown }: TextTest) {
  const seenBy = (texts: readonly SaidText[]): readonly string[] =>
    texts.filter((text) => shows(shown, text) !== undefined).map(({ seen }) => seen);
  const others = new Set(seenBy(controls));
  const both = new Set(seenBy(probes).filter((each) => others.has(each)));
  const among = (texts: readonly SaidText[]): Tally =>
    tallyOf(
      texts.filter(({ seen }) => both.has(seen)),
      shown,
    );
  return { probes: among(probes), controls: among(controls) };
}

/** Whether two tests are of the same endpoint, streamed or not. */
const isOfSameReplies = (one: Comparison, other: Comparison): boolean =>
  one.protocol === other.protocol && one.isStreamed === other.isStreamed;

/** The tests that chance does not explain. Where texts may be damaged, too, replies tell nothing of their context. */
export function foundIn(tests: readonly TextTest[], level: number): readonly TextTest[] {
  const damage = tests.filter(
    ({ shown, chance }) => 'difference' in shown && chance <= decisions.firstTexts.suspicious,
  );
  return tests.filter(
    (test) =>
      test.chance <= level &&
      ('difference' in test.shown || !damage.some((other) => isOfSameReplies(test, other))),
  );
}
