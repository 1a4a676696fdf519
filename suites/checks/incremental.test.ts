import { describe, expect, it } from 'vitest';
import type { Check } from '../types/checks/check.ts';
import type { Exchange } from '../types/exchange.ts';
import { isStreamInconclusive, isStalled } from './shared/arrival.ts';
import {
  answered,
  viewOf,
  events,
  findingOf,
  findingsOf,
  judge,
  refused,
  replied,
  saying,
  type Written,
  unanswered,
} from './evidence.fixture.ts';

const words = 'otter badger heron lynx '.repeat(10).trim().split(' ');
const controls = {
  unstreamed: 'long',
  short: ['plain', 'cell'],
  streamed: ['short'],
  bounded: ['one', 'one.2'],
};
const check = {
  kind: 'incremental',
  protocol: 'chat',
  probes: ['s1', 's2', 's3', 's4', 's5'],
  controls,
  situations: [],
} satisfies Check;

const chunks = (texts: readonly string[]) =>
  texts.map((text) => ({ choices: [{ delta: { content: `${text} ` } }] }));

/** A stream of the long text whose words come at the given times; the last one holds for the rest. */
const streamed = (
  id: string,
  ms: readonly number[],
  more: Written & { readonly texts?: readonly string[] } = {},
) => replied(id, { pieces: events(chunks(more.texts ?? words), ms), ...more });

/** Short replies take 20 ms, give or take the noise. */
const controlEntries = (shortMs = 20, noise = 0): readonly Exchange[] => [
  { ...answered('long', 'chat', words.join(' ')) },
  replied('plain', { pieces: [[shortText, shortMs]] }),
  replied('cell', { pieces: [[shortText, shortMs + noise]] }),
];
const shortText = answered('any').response?.body.text ?? '';

const evenly = (from: number, to: number) =>
  words.map((_, index) => from + ((to - from) * index) / (words.length - 1));
const atOnce = (ms: number) => [ms];

const judged = (...entries: readonly Exchange[]) =>
  judge(check, viewOf('chat', [...controlEntries(), ...entries]));
const pace = (...entries: readonly Exchange[]) => findingOf(judged(...entries));

describe('incremental', () => {
  it('passes a stream whose text is spread over the generation', () => {
    expect(judged(streamed('s1', evenly(30, 430))).findings).toEqual([{ requirement: 'r', verdict: 'pass' }]);
  });

  it('fails a stream that comes at once at the end, in each attempt', () => {
    expect(
      pace(streamed('s1', atOnce(420)), streamed('s2', atOnce(430)), streamed('s3', atOnce(410))),
    ).toEqual({
      requirement: 'r',
      verdict: 'fail',
      code: 'stream-buffered',
      message: 'the whole text arrives at once at the end of the generation, in each of 3 attempts',
      expected: 'text that arrives while it is generated',
      actual: 'text from 420 ms to 420 ms in 40 events; a short reply takes 20 ms ± 5 ms',
    });
  });

  it.each([
    ['many events in one piece', atOnce(420)],
    ['events that dribble out of a buffer within a few milliseconds', evenly(415, 422)],
  ])('fails %s', (_, ms) => {
    expect(pace(streamed('s1', ms), streamed('s2', ms), streamed('s3', ms)).verdict).toBe('fail');
  });

  it('fails one event with the whole text', () => {
    const whole = (id: string) => streamed(id, atOnce(420), { texts: [words.join(' ')] });
    expect(pace(whole('s1'), whole('s2'), whole('s3')).verdict).toBe('fail');
  });

  describe('of a stream whose text is short', () => {
    const ofLength = (id: string, length: number) =>
      streamed(id, atOnce(820), { texts: ['x'.repeat(length - 1)] });

    it('decides nothing, which does not gate: a model may think in silence and write it at once', () => {
      expect(pace(ofLength('s1', 60))).toMatchObject({
        verdict: 'inconclusive',
        code: 'stream-too-short',
        nonGating: 'model-behaviour',
      });
      const ids = ['s1', 's2', 's3'];
      expect(pace(...ids.map((id) => ofLength(id, 99))).verdict).toBe('inconclusive');
      expect(pace(...ids.map((id) => ofLength(id, 100))).verdict).toBe('fail');
    });

    it('passes where it is spread all the same', () => {
      expect(pace(streamed('s1', [30, 400], { texts: ['Not', 'now.'] })).verdict).toBe('pass');
    });

    it('looks at the others: three that are long and come at once fail', () => {
      const long = ['s2', 's3', 's4'].map((id) => streamed(id, atOnce(820)));
      expect(pace(ofLength('s1', 60), ...long).verdict).toBe('fail');
      expect(pace(ofLength('s1', 60), ...long.slice(1))).toMatchObject({
        code: 'stream-too-short',
        nonGating: 'model-behaviour',
      });
    });

    it('asks again only where one before it came at once', () => {
      const due = (...entries: readonly Exchange[]) =>
        isStreamInconclusive(
          viewOf('chat', [answered('long', 'chat', 'No.'), ...controlEntries().slice(1), ...entries]),
          entries.map(({ id }) => id),
          controls,
        );
      expect(due(ofLength('s1', 60))).toBe(false);
      expect(due(streamed('s1', atOnce(820)), ofLength('s2', 60))).toBe(true);
      expect(due(streamed('s1', evenly(30, 430)), ofLength('s2', 60))).toBe(false);
    });
  });

  it('passes where one attempt of three is spread', () => {
    expect(
      pace(streamed('s1', atOnce(420)), streamed('s2', atOnce(420)), streamed('s3', evenly(30, 430))).verdict,
    ).toBe('pass');
  });

  it('is inconclusive on a generation too fast to tell, which does not gate', () => {
    const finding = pace(streamed('s1', atOnce(28)));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      nonGating: 'too-fast',
      message: expect.stringContaining('too fast to tell'),
    });
  });

  it('is inconclusive on a prompt that is refused for its length with a stream and without, which does not gate', () => {
    const [, ...short] = controlEntries();
    const refusals = [refused('s1'), refused('long')].map((each) => saying(each, 'long text '.repeat(30)));
    const of = (...entries: readonly Exchange[]) => findingOf(judge(check, viewOf('chat', entries)));
    expect(of(...refusals, ...short.map((each) => saying(each, 'short')))).toMatchObject({
      verdict: 'inconclusive',
      nonGating: 'model-behaviour',
    });
    expect(of(...refusals)).not.toHaveProperty('nonGating');
    expect(of(refused('s1'), ...controlEntries())).not.toHaveProperty('nonGating');
  });

  it('does not take a constant delay for generation', () => {
    const entries = [
      ...controlEntries(400),
      streamed('s1', atOnce(430)),
      streamed('s2', atOnce(430)),
      streamed('s3', atOnce(430)),
    ];
    const finding = findingOf(judge(check, viewOf('chat', entries)));
    expect(finding).toMatchObject({ verdict: 'inconclusive', nonGating: 'too-fast' });
  });

  describe('holds it against the long prompt with a short reply', () => {
    const against = (one: Exchange, shortMs = 20, ...more: readonly Exchange[]) => {
      const entries = [
        ...controlEntries(shortMs),
        one,
        ...more,
        ...['s1', 's2', 's3'].map((id) => streamed(id, atOnce(420))),
      ];
      return findingOf(judge(check, viewOf('chat', entries))).verdict;
    };
    const bounded = (ms: number) => replied('one', { pieces: [[shortText, ms]] });

    it('so that what reading the prompt takes is no generation', () => {
      expect(against(bounded(380))).toBe('inconclusive');
      expect(against(bounded(60))).toBe('fail');
    });

    it('so that short replies that are long all the same are no delay', () => {
      expect(against(bounded(20), 400)).toBe('fail');
    });

    it('with nothing taken off for a stall of ours, in which the target may have been as long at it', () => {
      expect(against({ ...bounded(380), timing: { ...bounded(380).timing, stallMs: 350 } })).toBe(
        'inconclusive',
      );
    });

    it('by the quickest, where it was asked for again', () => {
      expect(against(bounded(380), 20, { ...bounded(60), id: 'one.2' })).toBe('fail');
      expect(against(bounded(380), 20, { ...bounded(370), id: 'one.2' })).toBe('inconclusive');
    });

    it('again where our machine stalled for long', () => {
      const stalled = (stallMs: number) => {
        const one = { ...bounded(380), timing: { ...bounded(380).timing, stallMs } };
        return isStalled(viewOf('chat', [one]), 'one');
      };
      expect([0, 10, 20, 300].map(stalled)).toEqual([false, false, true, true]);
      expect(isStalled(viewOf('chat', []), 'one')).toBe(false);
    });

    it('and with nothing where it was refused: what reading the prompt takes is not known', () => {
      expect(against(refused('one', 406))).toBe('inconclusive');
      expect(against(refused('one', 406), 20, { ...bounded(60), id: 'one.2' })).toBe('fail');
    });

    it('only where that reply is short', () => {
      const { response } = answered('one', 'chat', words.join(' '));
      expect(against(replied('one', { pieces: [[response?.body.text ?? '', 380]] }))).toBe('fail');
    });
  });

  it('does not call a burst what comes in many pieces of their own, however fast', () => {
    const fast = ['s1', 's2', 's3'].map((id) => streamed(id, evenly(1470, 1510)));
    expect(pace(...fast).verdict).toBe('inconclusive');
    const pieces = words.map((_, index) => 1470 + 10 * Math.floor(index / 8));
    expect(pace(...['s1', 's2', 's3'].map((id) => streamed(id, pieces))).verdict).toBe('fail');
  });

  it('does not call a burst what comes over more of the generation than a burst takes', () => {
    const over = (ms: number) => words.map((_, index) => 1500 - ms + (ms / 4) * Math.floor(index / 8));
    const pace4 = (ms: number) => pace(...['s1', 's2', 's3'].map((id) => streamed(id, over(ms)))).verdict;
    expect([pace4(60), pace4(90)]).toEqual(['fail', 'inconclusive']);
  });

  it('fails nothing within the noise of the short replies', () => {
    const entries = [
      ...controlEntries(20, 300),
      ...['s1', 's2', 's3'].map((id) => streamed(id, atOnce(330))),
    ];
    expect(findingOf(judge(check, viewOf('chat', entries))).verdict).toBe('inconclusive');
  });

  describe('holds a long stream against short replies', () => {
    const short = (...ms: readonly number[]) =>
      ms.map((at, i) => replied(`short${i}`, { pieces: [[shortText, at]] }));
    const paced = (others: readonly Exchange[], ms: readonly number[]) => {
      const held = { ...controls, short: others.map(({ id }) => id) };
      const entries = [answered('long', 'chat', words.join(' ')), ...others];
      const streams = ['s1', 's2', 's3'].map((id) => streamed(id, ms));
      const own: Check = { ...check, controls: held };
      return findingOf(judge(own, viewOf('chat', [...entries, ...streams])));
    };

    it('by the middle one, in whatever order they came', () => {
      expect(paced(short(20, 500, 22), atOnce(420)).verdict).toBe('fail');
      expect(paced(short(20, 22, 500), atOnce(420))).toMatchObject({
        actual: expect.stringContaining('22 ms ± 6 ms'),
      });
    });

    it('by how much they vary', () => {
      expect(paced(short(20, 120, 220), atOnce(420))).toMatchObject({
        verdict: 'inconclusive',
        actual: expect.stringContaining('120 ms ± 300 ms'),
      });
    });

    it('but not where the text comes over half of the time that the stream takes', () => {
      expect(paced(short(20, 320, 620), evenly(300, 610)).verdict).toBe('pass');
      expect(paced(short(20, 320, 620), evenly(310, 610)).verdict).toBe('inconclusive');
    });

    it('that were answered', () => {
      const slow = replied('late', { status: 400, json: { error: { code: 'bad' } }, endMs: 400 });
      expect(paced([...short(20), slow], atOnce(420)).verdict).toBe('fail');
    });

    it.each([
      ['at once after 79 ms of generation', atOnce(99), 'inconclusive'],
      ['at once after 80 ms of generation', atOnce(100), 'fail'],
      ['over less than a twentieth of the generation', evenly(401, 420), 'fail'],
      ['over a twentieth to a tenth of it', evenly(390, 420), 'inconclusive'],
      ['over a tenth of it', evenly(380, 420), 'pass'],
      ['over 50 ms of a short generation', evenly(40, 90), 'inconclusive'],
      ['over 60 ms of a short generation', evenly(30, 90), 'pass'],
    ] as const)('where the text comes %s', (_, ms, verdict) => {
      expect(paced(short(20, 20, 20), ms).verdict).toBe(verdict);
    });
  });

  it('fails nothing within a stall of our own', () => {
    const entries = ['s1', 's2', 's3'].map((id) => streamed(id, atOnce(420), { stallMs: 350 }));
    expect(pace(...entries).verdict).toBe('inconclusive');
  });

  it('fails three that come at once beside two that stalled, and not two beside three', () => {
    const stalled = (id: string) => streamed(id, atOnce(420), { stallMs: 350 });
    const buffered = (id: string) => streamed(id, atOnce(420));
    const two = [stalled('s1'), stalled('s2'), buffered('s3'), buffered('s4')];
    expect(pace(...two, buffered('s5')).verdict).toBe('fail');
    expect(pace(...two, stalled('s5'))).toMatchObject({
      code: 'timing-disturbed',
      verdict: 'inconclusive',
      nonGating: 'too-fast',
    });
  });

  it('takes no time of our own stalls for unsteadiness of the target', () => {
    const attempts = [420, 430].map((at, index) => streamed(`s${index + 1}`, atOnce(at)));
    const late = (stallMs: number) => streamed('s3', atOnce(1900), { stallMs });
    expect(pace(...attempts, late(1400)).verdict).toBe('fail');
    expect(pace(...attempts, late(0))).toMatchObject({
      code: 'timing-unsteady',
      verdict: 'inconclusive',
    });
  });

  it.each([
    ['fails what takes about as long each time', [300, 420, 520], 'fail'],
    ['does not decide what takes now this and now that', [150, 420, 320], 'inconclusive'],
    ['fails what takes long, however unsteady', [1100, 9000, 4000], 'fail'],
  ] as const)('%s', (_, ms, verdict) => {
    expect(pace(...ms.map((at, index) => streamed(`s${index + 1}`, atOnce(at)))).verdict).toBe(verdict);
  });

  it('fails nothing where one attempt was too fast to tell', () => {
    expect(
      pace(streamed('s1', atOnce(420)), streamed('s2', atOnce(420)), streamed('s3', atOnce(28))).verdict,
    ).toBe('inconclusive');
  });

  it('is inconclusive on the clock where an attempt is wanting and another was too fast', () => {
    const finding = pace(streamed('s1', atOnce(420)), streamed('s2', atOnce(28)), refused('s3'));
    expect(finding).toMatchObject({ verdict: 'inconclusive', nonGating: 'too-fast' });
  });

  it('fails nothing where an attempt is wanting', () => {
    const finding = pace(streamed('s1', atOnce(420)), streamed('s2', atOnce(420)), refused('s3'));
    expect(finding).toMatchObject({
      verdict: 'inconclusive',
      message: 'the text came all at once in every stream, but not every attempt gave a stream',
    });
    expect(finding).not.toHaveProperty('nonGating');
  });

  it.each(unanswered)('is inconclusive on %s', (_, entry, why) => {
    const findings = findingsOf(judge(check, viewOf('chat', [...controlEntries(), entry('s1')])));
    expect(findings).toHaveLength(1);
    for (const finding of findings) {
      expect(finding).toMatchObject({
        verdict: 'inconclusive',
        message: 'no stream with text',
        actual: expect.stringMatching(why),
      });
      expect(finding).not.toHaveProperty('nonGating');
    }
  });
});

describe('a delay before every stream', () => {
  const late = ['s1', 's2', 's3'].map((id) => streamed(id, atOnce(1220)));
  const verdictWith = (shortMs: number, texts = ['hello']): string => {
    const short = streamed('short', atOnce(shortMs), { texts });
    return findingOf(judge(check, viewOf('chat', [...controlEntries(), ...late, short]))).verdict;
  };

  it('is no generation: short streams take as long', () => {
    expect(verdictWith(1205)).toBe('inconclusive');
  });

  it('is told from text that is held back by short streams that take less, and by no long one', () => {
    expect(verdictWith(40)).toBe('fail');
    expect(verdictWith(1205, words)).toBe('fail');
  });
});

describe('a long stream in the situation of a row', () => {
  const row = [{ where: 'with `system`', isTimed: true, probes: ['t1', 't2', 't3'], controls }];
  const inRow = (ms: readonly number[], rows = ['t1', 't2', 't3'], shortMs = 20) => {
    const of = { ...check, situations: row };
    const plain = streamed('s1', evenly(30, 430));
    const entries = [...controlEntries(shortMs), plain, ...rows.map((id) => streamed(id, ms))];
    return findingOf(judge(of, viewOf('chat', entries)));
  };

  it('fails where three long streams come at once, and plain ones as they are made', () => {
    expect(inRow(atOnce(420))).toMatchObject({
      verdict: 'fail',
      code: 'stream-buffered-where',
      message: expect.stringContaining('in a request with `system`, in each of 3 attempts'),
      exchange: 't1',
    });
  });

  it('passes where fewer do, where they are spread, and where a short reply takes as long', () => {
    expect(inRow(atOnce(420), ['t1', 't2']).verdict).toBe('pass');
    expect(inRow(evenly(30, 430)).verdict).toBe('pass');
    expect(inRow(atOnce(420), undefined, 400).verdict).toBe('pass');
    expect(inRow([], []).verdict).toBe('pass');
  });
});

describe('another attempt', () => {
  const doubt = (entry: Exchange) =>
    isStreamInconclusive(viewOf('chat', [...controlEntries(), entry]), ['s1'], controls);

  it.each([
    ['a buffered stream', true, streamed('s1', atOnce(420))],
    [
      'a stream that our own stall leaves undecided',
      true,
      streamed('s1', evenly(330, 430), { stallMs: 300 }),
    ],
    ['a buffered stream within a stall of ours', true, streamed('s1', atOnce(420), { stallMs: 350 })],
    ['a stream that is spread', false, streamed('s1', evenly(30, 430))],
    ['a stream too fast to tell', false, streamed('s1', atOnce(28))],
    ['a stream too fast to tell beside a stall', false, streamed('s1', atOnce(28), { stallMs: 300 })],
    ['a refusal', false, refused('s1')],
  ] as const)('after %s is due: %s', (_, due, entry) => {
    expect(doubt(entry)).toBe(due);
  });

  const stalled = (id: string) => streamed(id, atOnce(420), { stallMs: 350 });
  const buffered = (id: string) => streamed(id, atOnce(420));
  it.each([
    ['three buffered streams', false, [buffered('s1'), buffered('s2'), buffered('s3')]],
    ['three, one of which stalled', true, [buffered('s1'), stalled('s2'), buffered('s3')]],
    ['four, one of which stalled', false, [buffered('s1'), stalled('s2'), buffered('s3'), buffered('s4')]],
  ])('after %s is due: %s', (_, due, streams) => {
    const ids = streams.map(({ id }) => id);
    expect(isStreamInconclusive(viewOf('chat', [...controlEntries(), ...streams]), ids, controls)).toBe(due);
  });

  it('is never due after what is no stream of text, or no part of the plan', () => {
    const entries = [...controlEntries(), streamed('s1', atOnce(420))];
    expect(isStreamInconclusive(viewOf('images', entries), ['s1'], controls)).toBe(false);
    expect(isStreamInconclusive(viewOf('chat', entries), ['s2'], controls)).toBe(false);
  });
});
