import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guessText, mayHoldText } from './guess-text.ts';
import type { StreamEvent } from './stream.ts';

const eventsOf = (data: readonly unknown[]): readonly StreamEvent[] =>
  data.map((each, index) => ({ index, name: null, data: each, raw: '', atMs: index * 10 }));

const guess = (...data: readonly unknown[]) => guessText(eventsOf(data));
const texts = (...data: readonly unknown[]) => guess(...data)?.pieces.map(({ text }) => text) ?? null;

const words = ['Hel', 'lo ', 'you', '!'];

describe('text in events of unknown shape', () => {
  it.each<[string, (text: string, i: number) => unknown]>([
    ['a member of any name', (t) => ({ t })],
    ['a member beside labels', (data) => ({ type: 'increment', id: 'run_1', data })],
    ['a member of a member', (text) => ({ event: 'text', payload: { segment: { text } } })],
    ['a part of an array', (text, i) => ({ parts: i % 2 ? [{ type: 'x' }, { text }] : [{ text }] })],
    [
      'a candidate',
      (text) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] }),
    ],
    ['an array with a label', (text) => ['text', text]],
    ['a string', (text) => text],
    ['an event object', (text) => ({ event: { value: text } })],
    ['a message', (content) => ({ message: { role: 'assistant', content }, done: false })],
    [
      'a member beside what changes, too',
      (value, i) => ({
        value,
        request_id: `r${i}`,
        created_at: `day ${i}`,
        seq: String(i),
        at: `2026-11-21T09:00:0${i}Z`,
        key: `0123456789abcdef0123456789abcde${i}`,
        usage: { note: `so far ${i} of many tokens` },
      }),
    ],
    ['a usual member beside a longer one', (token, i) => ({ token, log: `step ${i} of the generation` })],
    ['what is new of a text that grows', (_, i) => ({ sofar: words.slice(0, i + 1).join('') })],
  ])('is found in %s', (_, write) => {
    expect(guess(...words.map(write))).toEqual({
      pieces: words.map((text, index) => ({ index, atMs: index * 10, text })),
      sure: true,
    });
  });

  it('is told from the label of the only event', () => {
    expect(texts(['text', 'hello'])).toEqual(['hello']);
    expect(texts(['Hello', ' you'])).toEqual(['Hello you']);
  });

  it('is told from what other events say', () => {
    expect(
      texts(
        { type: 'start', v: 'a stream begins here, with a long line' },
        { type: 'thought', v: 'hm, let me see what there is to say' },
        { type: 'piece', v: 'Hel' },
        { type: 'piece', v: 'lo' },
        { type: 'ping', v: 'still here, and will be for a while' },
        { type: 'end', v: 'Hello' },
      ),
    ).toEqual(['Hel', 'lo']);
  });

  it('is left out where a last event repeats it', () => {
    expect(texts({ t: 'Hel' }, { t: 'lo' }, { t: 'Hello', done: true })).toEqual(['Hel', 'lo']);
  });

  it('may be all in one event, which is no sure sign', () => {
    expect(guess({ t: 'Hello' }, { done: true })).toEqual({
      pieces: [{ index: 0, atMs: 0, text: 'Hello' }],
      sure: false,
    });
  });

  it('is not surely found where a refusal may be explained', () => {
    expect(guess({ message: 'No such' }, { message: ' token' })).toMatchObject({ sure: false });
  });

  it.each([
    ['nothing', []],
    ['numbers', [{ n: 1 }, 2, null, true]],
    ['labels', [{ type: 'a', id: 'x', role: 'assistant', stop_reason: 'end_turn' }, { type: 'ping' }]],
    ['thinking', [{ delta: { thinking: 'hm' } }, { delta: { thinking: 'so' } }]],
  ])('is not in %s', (_, data) => {
    expect(guess(...data)).toBeNull();
    expect(mayHoldText(eventsOf(data))).toBe(false);
  });

  it('is open where one string comes again and again', () => {
    const data = [{ t: 'ha' }, { t: 'ha' }];
    expect(guess(...data)).toBeNull();
    expect(mayHoldText(eventsOf(data))).toBe(true);
  });

  it('is the same each time, and never empty, in any events', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), (data) => {
        const found = guess(...data);
        expect(found).toEqual(guess(...data));
        expect(found?.pieces.every(({ text }) => text !== '') ?? true).toBe(true);
      }),
      { numRuns: 300, seed: 3 },
    );
  });

  it('is looked for in so many strings, and no more', () => {
    const wide = Array.from({ length: 100 }, (_, j) => [`m${j}`, j]);
    const many = Array.from({ length: 1000 }, (_, i) =>
      Object.fromEntries(wide.map(([name, j]) => [name, `text ${i} of ${j}`])),
    );
    expect(guess(...many)?.pieces).toHaveLength(667);
  });
});
