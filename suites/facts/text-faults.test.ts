import { describe, expect, it } from 'vitest';
import type { TextDifference } from '../types/text-differences.ts';
import type { SaidText } from './said-texts.ts';
import { restsOn, textTests } from './text-faults.ts';
import { furtherTexts, openTests } from './text-samples.ts';

const said = (more: Partial<SaidText>, ...differences: readonly TextDifference[]): SaidText => ({
  id: 'r',
  family: 'general',
  protocol: 'chat',
  group: 'default',
  stream: false,
  has: [],
  neighbours: [],
  sources: new Set(['question']),
  seen: 'the long text',
  asked: ['one two'],
  said: 'one two',
  differences: new Set(differences),
  ...more,
});
const times = (count: number, one: SaidText): readonly SaidText[] => Array.from({ length: count }, () => one);
const least = (texts: readonly SaidText[], difference: TextDifference) =>
  textTests(texts).find((test) => test.difference === difference);
const level = 1e-8;

describe('a difference in the replies of a model', () => {
  it.each([
    ['on one endpoint and not on another', { protocol: 'responses' }, 'endpoint'],
    ['in streams and not in results', { stream: true }, 'stream'],
    ['for one token and not for another', { group: 'coding-tool' }, 'group'],
    ['where `stream` is false and not where it is left out', { stream: null }, 'stream-left-out'],
  ] as const)('is the gateway’s, %s', (_, other, by) => {
    const test = least([...times(16, said({}, 'lost')), ...times(16, said(other))], 'lost');
    expect(test).toMatchObject({ by, protocol: 'chat', isStreamed: false });
    expect(test?.chance).toBeLessThan(level);
  });

  it.each(['beside', 'after-refusal', 'after-stream'] as const)(
    'is the gateway’s where replies to the same request have it with a neighbour, and not without: %s',
    (neighbour) => {
      const own = said({ protocol: 'messages', family: 'conversational', group: 'third-party-client' });
      const texts = [
        ...times(16, { ...own, neighbours: [neighbour], differences: new Set(['lost'] as const) }),
      ];
      const test = least([...texts, ...times(16, own)], 'lost');
      expect(test?.by).toBe(neighbour);
      expect(test?.chance).toBeLessThan(level);
    },
  );

  it('is the model’s, where it is as often on both sides', () => {
    const both = [...times(20, said({}, 'lost')), ...times(20, said({ stream: true }, 'lost'))];
    expect(least(both, 'lost')?.chance).toBe(1);
  });

  it('is not compared where the requests differ in what the model sees', () => {
    const texts = [
      ...times(16, said({ seen: 'at temperature 2' }, 'lost')),
      ...times(16, said({ stream: true })),
    ];
    const test = least(texts, 'lost');
    expect(test?.chance).toBe(1);
    expect(test && restsOn(test)).toEqual({ probes: [], controls: [] });
  });

  it('is looked for only in replies to texts that it may be seen in', () => {
    const [own, other] = [{ asked: ['One'] }, { stream: true, asked: ['One'] }];
    const plain = times(40, said({ asked: ['one'] }));
    const test = least([...times(4, said(own, 'case')), ...times(4, said(other)), ...plain], 'case');
    expect(test?.probes.length).toBe(4);
    expect(test?.chanceOfAll).toBeLessThan(0.05);
  });

  it('is not compared with what another model says', () => {
    const tests = textTests([...times(16, said({}, 'lost')), ...times(16, said({ family: 'multimodal' }))]);
    expect(tests.map(({ controls, chance }) => [controls, chance])).toEqual(tests.map(() => [[], 1]));
  });

  it('may be a prompt of its own on an endpoint, where it is only how the model writes', () => {
    const quoting = { asked: ['one "two"'] };
    const texts = [
      ...times(16, said(quoting, 'quotation mark')),
      ...times(16, said({ ...quoting, protocol: 'responses' })),
    ];
    expect(textTests(texts).filter(({ by, controls }) => by === 'endpoint' || controls.length > 0)).toEqual(
      [],
    );
    const streams = times(16, said({ ...quoting, stream: true }));
    expect(least([...texts, ...streams], 'quotation mark')?.by).toBe('stream');
  });
});

describe('what comes of turns in `input`, or of a caller of which nothing is stated', () => {
  const controls = times(16, said({ has: ['history'] }));
  it.each([
    ['is no more than a control', { protocol: 'responses', has: ['history'] }, []],
    ['nor where the group is open', { group: 'coding-tool', has: ['history'] }, []],
    ['is held to the text where it is stated', { protocol: 'messages', family: 'conversational' }, ['lost']],
  ] as const)('%s', (_, more, found) => {
    const group = 'family' in more ? 'third-party-client' : 'default';
    const own = times(16, said({ group, ...more } as Partial<SaidText>, 'lost'));
    expect([...new Set(textTests([...own, ...controls]).map(({ difference }) => difference))]).toEqual(found);
  });
});

describe('a second sample', () => {
  const open = (texts: readonly SaidText[], round = 0) => openTests(textTests(texts), level, round).length;

  it('is asked where all of one side and none of the other has a difference', () => {
    expect(open([said({}, 'lost'), said({ stream: true })])).toBeGreaterThan(0);
  });

  it('is not asked where both sides have it, or neither, or chance explains what came of the first', () => {
    expect(open([said({}, 'lost'), said({ stream: true }, 'lost')])).toBe(0);
    expect(open([said({}), said({ stream: true })])).toBe(0);
    expect(open([said({}, 'lost'), said({}), said({}), said({ stream: true })], 1)).toBe(0);
  });

  it('is asked where replies of an endpoint have it, and none of another model on another one', () => {
    const own = [said({}, 'lost'), said({ seen: 'at a limit' })];
    const other = (...differences: readonly TextDifference[]) =>
      times(4, said({ protocol: 'responses', family: 'multimodal' }, ...differences));
    expect(open([...own, ...other()])).toBe(1);
    expect(open([...own, ...other('lost')])).toBe(0);
    expect(open(own)).toBe(0);
  });

  it('of replies in one situation alone is asked where the same without it has no difference', () => {
    const ofAnyType = said({ has: ['accept'], protocol: 'responses' }, 'lost');
    const tests = openTests(textTests([ofAnyType, said({ protocol: 'responses' })]), level, 1);
    expect(tests.map(({ by, within }) => [by, within])).toContainEqual(['situation', 'accept']);
  });

  it('is not asked where the test has decided', () => {
    const decided = [...times(20, said({}, 'lost')), ...times(20, said({ protocol: 'responses' }))];
    expect(open([...decided, ...times(20, said({ stream: true }))])).toBe(0);
  });

  it('is not asked for a second difference of replies that have failed for one, and is for those of another endpoint', () => {
    const onResponses = (one: SaidText) => ({ ...one, protocol: 'responses' as const });
    const failed = [...times(20, said({}, 'lost')), ...times(20, said({ stream: true }))];
    const doubtful = [said({ seen: 'another text' }, 'moved'), said({ seen: 'another text', stream: true })];
    expect(open([...failed, ...doubtful])).toBe(0);
    expect(open([...failed, ...doubtful.map(onResponses)])).toBeGreaterThan(0);
    expect(open([said({ asked: ['größer'] }, 'misread'), ...doubtful])).toBe(0);
  });

  it('is asked where requests that are alike are missing, though others show a difference', () => {
    const own = [...times(20, said({}, 'lost')), ...times(20, said({ stream: true, seen: 'another text' }))];
    expect(open(own, 1)).toBeGreaterThan(0);
  });

  it('asks with each neighbour, and without, for what of the context did not come: there are few of these at first', () => {
    const [history, question] = [new Set(['history'] as const), new Set(['question'] as const)];
    const inHistory = said({ sources: history });
    const neighboursOf = (...texts: readonly SaidText[]) => {
      const further = furtherTexts(texts, [inHistory, { ...inHistory, stream: true }, said({})], {
        level,
        round: 0,
      });
      return [
        ...new Set(further.flatMap(({ asked, as }) => (asked.sources === history && as ? [as] : []))),
      ].sort();
    };
    const lost = said({ sources: history }, 'history unsaid');
    const many = [
      ...times(9, inHistory),
      ...times(9, said({ sources: history, stream: true }, 'history unsaid')),
    ];
    expect(neighboursOf(lost, ...many)).toEqual([
      'after-refusal',
      'after-result',
      'after-stream',
      'alone',
      'beside',
    ]);
    expect(
      neighboursOf(said({ sources: question }, 'lost'), ...times(9, said({ stream: true }, 'lost'))),
    ).toEqual([]);
  });

  it('asks with neighbours for those of the lost parts first that chance explains least', () => {
    const parts = (['chat', 'messages', 'responses'] as const).flatMap((protocol) =>
      (['system', 'history'] as const).map((source) => ({ protocol, source })),
    );
    const asked = parts.map(({ protocol, source }) =>
      said({
        protocol,
        sources: new Set([source]),
        ...(protocol === 'messages' ? { family: 'conversational', group: 'third-party-client' } : {}),
      }),
    );
    // The later a part stands here, the more of its streams lack it than of its other replies.
    const texts = asked.flatMap((one, at) => [
      ...times(12, one),
      { ...one, differences: new Set<TextDifference>([`${parts[at]?.source ?? 'system'} unsaid`]) },
      ...times(3 + at, {
        ...one,
        stream: true,
        differences: new Set<TextDifference>([`${parts[at]?.source ?? 'system'} unsaid`]),
      }),
    ]);
    const callers = asked.flatMap((one) => [one, { ...one, stream: true }]);
    const withNeighbour = furtherTexts(texts, callers, { level, round: 0 }).filter(({ as }) => as);
    const found = new Set(
      withNeighbour.map(({ asked: one }) => `${one.protocol} ${[...one.sources].join()}`),
    );
    expect([...found].sort()).toEqual(['messages history', 'responses history', 'responses system']);
  });

  it('asks another model where that of a difference is on one endpoint alone, until it would have shown it', () => {
    const ofOne = times(20, said({ family: 'multimodal' }, 'lost'));
    const callers = [said({ family: 'multimodal' }), said({}), said({ protocol: 'responses' })];
    const families = (texts: readonly SaidText[]) =>
      furtherTexts(texts, callers, { level, round: 0 }).map(({ asked }) => asked.family);
    const others = times(20, said({ protocol: 'responses', family: 'general' }));
    expect(families([...ofOne, ...others])).toContain('general');
    expect(families([...ofOne, ...others, ...times(8, said({}))])).not.toContain('general');
  });
});
