import { describe, expect, it } from 'vitest';
import type { Exchange } from '../types/exchange.ts';
import type { JointAspect, ObservedAspect } from '../types/checks/replies.ts';
import { answered, events, judge, refused, replied, result, saying, viewOf } from './evidence.fixture.ts';

const of = (aspect: ObservedAspect, entries: readonly Exchange[]) => {
  const check = { kind: 'observe', requirement: 'r', subject: 's', aspect, protocol: 'chat' } as const;
  return judge(
    { ...check, probes: entries.map(({ id }) => id) },
    viewOf('chat', [...entries, answered('served')]),
  );
};
/** The value of what is observed and what is stable of it, where that is another; undefined where nothing is. */
const seen = (aspect: JointAspect, entries: readonly Exchange[]) => {
  const [observation] = of(aspect, entries).observations ?? [];
  return observation && [observation.value, observation.stable];
};

const withId = (name: string, id: string, model = 'm'): Exchange => {
  const exchange = replied(name, { json: { ...result.chat('x'), id } });
  return { ...exchange, request: { ...exchange.request, body: JSON.stringify({ model, messages: [] }) } };
};

describe('ids', () => {
  it('that differ are counted', () => {
    expect(seen('ids', [withId('a', 'x1'), withId('b', 'x2')])).toEqual([
      'no id comes twice in 2 replies',
      'no id comes twice',
    ]);
  });

  it('that come twice are shown, with whether other callers got them', () => {
    expect(seen('ids', [withId('a', 'x1'), withId('b', 'x1'), withId('c', 'x2')])).toEqual([
      'x1 is the id of 2 replies, of one caller',
      'an id comes twice, of one caller',
    ]);
    const own = [withId('a', 'x1'), withId('b', 'x1'), withId('c', 'x2'), withId('d', 'x2', 'other')];
    expect(seen('ids', own)).toEqual([
      'x2 is the id of 2 replies, of several callers',
      'an id comes twice, of several callers',
    ]);
  });

  it('of a stream are those of its events, and are the same in all of them', () => {
    const stream = (name: string, id: string) =>
      replied(name, {
        pieces: events([
          { id, choices: [{ delta: { content: 'a' } }] },
          { id, choices: [{ delta: { content: 'b' } }] },
        ]),
      });
    expect(seen('ids', [stream('a', 'x1'), stream('b', 'x2')])?.[1]).toBe('no id comes twice');
    expect(seen('ids', [stream('a', 'x1'), withId('b', 'x1')])?.[1]).toMatch(/^an id comes twice/);
  });

  it('of one reply show nothing', () => {
    expect(seen('ids', [withId('a', 'x1'), refused('b')])).toBeUndefined();
  });
});

describe('usage in a stream', () => {
  const chunk = { choices: [{ delta: { content: 'hello' } }] };
  const stream = (name: string, usage?: unknown) =>
    saying(
      replied(name, { pieces: events([chunk, ...(usage === undefined ? [] : [{ choices: [], usage }])]) }),
      'Hi',
    );
  const whole = (name: string, prompt: number, asked = 'Hi') =>
    saying(
      replied(name, {
        json: {
          ...result.chat('x'),
          usage: { prompt_tokens: prompt, completion_tokens: 1, total_tokens: prompt + 1 },
        },
      }),
      asked,
    );
  const usage = { prompt_tokens: 5 };

  it.each<[string, readonly Exchange[], string]>([
    ['is told as none', [stream('a')], 'no usage in the stream'],
    ['is told as some', [stream('a', { total_tokens: 7 })], 'usage in the stream'],
    [
      'is told where only some have it',
      [stream('a', usage), stream('b')],
      'usage in some streams, and in others none',
    ],
    [
      'is that of the whole reply',
      [stream('a', usage), whole('b', 5)],
      'usage in the stream, for the prompt as in the whole reply',
    ],
    [
      'is another than that of the whole reply',
      [stream('a', usage), whole('b', 9)],
      'usage in the stream, with 5 tokens for the prompt, where the whole reply has 9',
    ],
    [
      'is not held against another request',
      [stream('a', usage), whole('b', 9, 'Bye')],
      'usage in the stream',
    ],
  ])('%s', (_, entries, value) => {
    expect(seen('stream-usage', entries)?.[0]).toBe(value);
  });
});

describe('behind a stream that was broken off', () => {
  const broken = replied('a', { text: 'd', ending: { kind: 'oversize', bound: 'body', limit: 1 } });

  it('what the next request gets is told, and is the same run after run', () => {
    expect(seen('after-broken-off', [broken, answered('b')])).toEqual(['answered, HTTP 200', undefined]);
    expect(seen('after-broken-off', [broken, refused('b', 409)])).toEqual(['refused, HTTP 409', undefined]);
  });

  it('nothing is told where no stream had begun', () => {
    const error = replied('a', {
      status: 400,
      text: '{',
      ending: { kind: 'oversize', bound: 'body', limit: 1 },
    });
    expect(seen('after-broken-off', [error, answered('b')])).toBeUndefined();
    expect(seen('after-broken-off', [answered('a'), answered('b')])).toBeUndefined();
  });
});

describe('a refusal that names models', () => {
  const asked = (exchange: Exchange, model: string): Exchange => ({
    ...exchange,
    request: { ...exchange.request, body: JSON.stringify({ model }) },
  });
  const says = (text: string) => asked(replied('a', { status: 400, text }), 'no-such-model');
  const valid = [asked(answered('b'), 'g-large'), asked(answered('c'), 'chat')];

  it.each([
    ['use g-large instead', 'the model g-large'],
    ['use g-large-2, or chat', 'nothing internal'],
    ['no-such-model is unknown', 'nothing internal'],
  ])('tells of those that others call: %s', (text, value) => {
    const entries = [says(text), ...valid];
    const check = {
      kind: 'observe',
      requirement: 'r',
      subject: 's',
      aspect: 'refusal-internals',
      protocol: 'chat',
      probes: ['a'],
    } as const;
    expect(judge(check, viewOf('chat', entries)).observations?.[0]?.value).toBe(value);
  });
});
