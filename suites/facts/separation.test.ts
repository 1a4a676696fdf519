import { describe, expect, it } from 'vitest';
import { replied, result, viewOf } from '../checks/evidence.fixture.ts';
import { messageOf } from '../types/reasons/index.ts';
import type { ReplyRef } from '../types/separation.ts';
import { separationOf } from './separation.ts';

interface Sent {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds since the first one. */
  readonly at?: number;
  readonly ms?: number;
}

const began = Date.parse('2026-11-20T12:00:00.000Z');

function exchangeOf(id: string, { body = {}, headers = {}, at = 0, ms = 1 }: Sent) {
  const exchange = replied(id, { json: result.chat('hello') });
  const messages = [{ role: 'user', content: 'hello' }];
  const startedAt = new Date(began + at).toISOString();
  return {
    ...exchange,
    request: {
      ...exchange.request,
      headers: { ...exchange.request.headers, ...headers },
      body: JSON.stringify({ model: 'm', messages, ...body }),
    },
    attempts: exchange.attempts.map((attempt) => ({ ...attempt, startedAt, ms })),
  };
}

/**
 * What is said of replies of which the first show a failure and the others don't; all that was sent is in the evidence.
 * @param tried what was sent behind them and does not show it
 */
function said(
  broken: readonly Sent[],
  kept: readonly Sent[],
  others: readonly Sent[] = [],
  tried: readonly Sent[] = [],
): string {
  const named = (name: string, all: readonly Sent[]) =>
    all.map((sent, at) => exchangeOf(`${name} ${at}`, sent));
  const [bad, good, again] = [named('broken', broken), named('kept', kept), named('tried', tried)];
  const view = viewOf('chat', [...bad, ...good, ...again, ...named('other', others)]);
  const refs = (all: typeof bad): readonly ReplyRef[] => all.map(({ id }) => ({ id, attempt: 0 }));
  const replies = { broken: refs(bad), kept: refs(good) };
  const separation = separationOf(view, replies, { broken: [], kept: refs(again) });
  const reason = { kind: 'no-stream' } as const;
  return messageOf({ reason, replies, ...(separation ? { separation } : {}) }).replace(/^.*, in /, 'in ');
}

/** So many of these, which differ in what all have. */
const times = (number: number, { body, ...sent }: Sent = {}): readonly Sent[] =>
  Array.from({ length: number }, (_, seed) => ({ ...sent, body: { seed, ...body } }));
const withBody = (body: object): Sent => ({ body });
const bearer = (variable: string): string => `Bearer \${${variable}}`;
const turnsOf = (number: number): Sent =>
  withBody({ messages: Array.from({ length: number }, () => ({ role: 'user', content: 'x' })) });

describe('what tells the replies that show a failure from the others', () => {
  const cold = withBody({ temperature: 0 });
  it.each([
    ['a parameter', times(2, cold), times(14), 'in 2 of 16 replies, exactly those with `temperature`'],
    [
      'the model of the others alone',
      [...times(4, withBody({ model: 'g' })), ...times(4)],
      times(2, withBody({ model: 'drawing' })),
      'in 8 of 10 replies, exactly those of another model than drawing',
    ],
    [
      'no model where one of the others has one that fails, too',
      [...times(4, withBody({ model: 'g' })), ...times(4)],
      [...times(1, withBody({ model: 'drawing' })), ...times(1)],
      'in 8 of 10 replies',
    ],
    [
      'one of its values',
      times(3, cold),
      times(9, withBody({ temperature: 1 })),
      'in 3 of 12 replies, exactly those with `temperature` = 0',
    ],
    [
      'a parameter that is left out',
      times(3),
      times(9, withBody({ top_p: 1 })),
      'in 3 of 12 replies, exactly those without `top_p`',
    ],
    [
      'a stream',
      times(3, withBody({ stream: true })),
      times(5),
      'in 3 of 8 replies, exactly those in a stream',
    ],
    [
      'a model',
      times(3, withBody({ model: 'other' })),
      times(5),
      'in 3 of 8 replies, exactly those of the model other',
    ],
    [
      'a token',
      times(3, { headers: { authorization: bearer('TOKEN_A') } }),
      times(5, { headers: { authorization: bearer('TOKEN_B') } }),
      'in 3 of 8 replies, exactly those with the token $TOKEN_A',
    ],
    [
      'a header',
      times(3, { headers: { accept: 'text/plain' } }),
      times(5),
      'in 3 of 8 replies, exactly those with the header `accept: text/plain`',
    ],
  ] as const)('is %s', (_, broken, kept, words) => expect(said(broken, kept)).toBe(words));

  it('is the number of turns from which on all fail, beside the length that comes with it', () => {
    expect(said([turnsOf(8), turnsOf(9), turnsOf(20)], [turnsOf(1), turnsOf(7), turnsOf(6)])).toBe(
      'in 3 of 6 replies, exactly those with 8 turns or more; the same replies are those with a prompt of 15 characters or more (the longest of the others has 13)',
    );
  });

  it('names what tells the same replies apart, since nobody knows which of them it is', () => {
    expect(said(times(3, withBody({ temperature: 0, n: 1 })), times(9))).toBe(
      'in 3 of 12 replies, exactly those with `temperature`; the same replies are those with `n`',
    );
  });

  it('is two things together where neither does alone, and no other two', () => {
    const [both, one, other] = [{ temperature: 0, n: 1 }, { temperature: 0 }, { n: 1 }].map(withBody);
    expect(said(times(5, both), [...times(9, one), ...times(9, other), ...times(9)])).toBe(
      'in 5 of 32 replies, exactly those with `temperature` and with `n`',
    );
  });

  it('is what all have that fail, and some others, too, where chance does not make that', () => {
    expect(said(times(6, cold), [...times(2, cold), ...times(24)])).toBe(
      'in 6 of 32 replies, all of them among the 8 with `temperature`',
    );
  });

  it('is when they were sent, where nothing else is', () => {
    const at = (number: number): Sent => ({ at: number });
    expect(said([50, 60, 70, 80].map(at), [0, 10, 20, 30, 40].map(at), [at(45)])).toBe(
      'in 4 of 9 replies, exactly those from the 7th request of the run on (the last of the others was the 5th)',
    );
  });

  it('is every third request', () => {
    const sent = Array.from({ length: 12 }, (_, at): Sent => ({ at: at * 10 }));
    const isThird = (_: Sent, at: number): boolean => at % 3 === 2;
    expect(
      said(
        sent.filter(isThird),
        sent.filter((each, at) => !isThird(each, at)),
      ),
    ).toBe('in 4 of 12 replies, exactly those of every 3rd request to this endpoint');
  });

  it('is what else was under way', () => {
    const beside = [0, 200, 400, 600].map((at): Sent => ({ at: at + 10 }));
    const alone = [100, 300, 500, 700, 900].map((at): Sent => ({ at }));
    const long = [0, 200, 400, 600].map((at): Sent => ({ at, ms: 50 }));
    expect(said(beside, alone, long)).toBe(
      'in 4 of 9 replies, exactly those sent while another request was under way',
    );
  });

  it('is nothing that a request has which was sent once more and did not show it', () => {
    expect(said(times(3, cold), times(9), [], times(1, cold))).toBe('in 3 of 12 replies');
    const colder = times(3, withBody({ temperature: 0, n: 1 }));
    expect(said(colder, times(9), [], times(1, withBody({ n: 1 })))).toBe(
      'in 3 of 12 replies, exactly those with `temperature`',
    );
  });

  it('is no time from which on what was sent last of all does not fail', () => {
    const broken = [60, 70, 80, 90, 100].map((at): Sent => ({ at }));
    const kept = [0, 10, 20, 30, 40].map((at): Sent => ({ at }));
    expect(said(broken, kept)).toContain('exactly those from the 6th request of the run on');
    expect(said(broken, kept, [], [{ at: 200 }])).toBe('in 5 of 10 replies');
  });

  it('is no time that only tells what was sent in the run from what was sent behind it', () => {
    const [inRun, behind] = [
      [0, 10, 20, 30],
      [100, 110, 120, 130],
    ].map((all) => all.map((at) => ({ at })));
    const long = [{ at: 0, ms: 50 }];
    expect(said(inRun ?? [], [], long, behind)).not.toMatch(/way|every|after/);
  });

  it.each([
    ['one reply of few, which may differ in anything', times(1, cold), times(9)],
    ['replies that differ in too much', times(3, withBody({ a: 1, b: 1, c: 1, d: 1 })), times(9)],
    ['one request that is sent again', Array.from({ length: 3 }, () => cold), times(9)],
    ['replies that have nothing of their own', times(3), times(9)],
  ])('is not told of %s', (_, broken, kept) => expect(said(broken, kept)).toMatch(/^in \d of \d+ replies$/));
});
