import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';

function recorded(isTTY: boolean, columns?: number) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const ticks: { readonly ms: number; readonly call: () => void }[] = [];
  const stream = { write: (text: string) => written.push(text), ...(columns ? { columns } : {}) };
  const every = (ms: number, call: () => void) => {
    ticks.push({ ms, call });
    return () => ticks.pop();
  };
  const progress = createProgress({ stream, isTTY, colour: false, now: () => clock.ms, every });
  /** The clock stands at a time, and what is called every so often is called. */
  const tick = (ms: number) => {
    clock.ms = ms;
    for (const { call } of ticks) call();
  };
  return { written, clock, ticks, tick, progress };
}

const line = (filled: number, words: string) =>
  `\r\u001b[2K\u001b[?7l${'█'.repeat(filled)}${'░'.repeat(24 - filled)} ${words}\u001b[?7h`;

test('the line on a terminal has a bar and counts', () => {
  const { written, clock, progress } = recorded(true);
  progress.exchange('a', 0, 0);
  clock.ms = 80;
  progress.exchange('b', 1, 4);
  progress.exchange('c', 9, 4);
  expect(written).toEqual([
    line(0, '0 of 0 requests'),
    line(6, '1 of 4 requests'),
    line(24, '9 of 4 requests'),
  ]);
});

test('the line on a terminal is drawn again after 80 ms, at once when all is done, and each second', () => {
  const { written, clock, ticks, tick, progress } = recorded(true);
  progress.exchange('a', 1, 4);
  clock.ms = 79;
  progress.exchange('b', 2, 4);
  expect(written).toHaveLength(1);
  progress.exchange('c', 4, 4);
  expect(written).toHaveLength(2);
  tick(1_000);
  expect(written).toHaveLength(3);
  expect(ticks.map(({ ms }) => ms)).toEqual([1_000]);
  progress.end();
  expect(written.at(-1)).toBe('\r\u001b[2K');
  expect(ticks).toEqual([]);
});

test('a run that sent nothing leaves nothing behind', () => {
  for (const isTTY of [true, false]) {
    const { written, tick, progress } = recorded(isTTY);
    tick(10_000);
    progress.end();
    expect(written).toEqual([]);
  }
});

test('the line on a narrow terminal has no bar, and ends before its margin', () => {
  const { written, tick, progress } = recorded(true, 40);
  progress.begin('chat.long');
  progress.exchange('a', 1, 4);
  tick(3_000);
  expect(written.at(-1)).toBe('\r\u001b[2K\u001b[?7l1 of 4 requests; 1 under way, the oldes\u001b[?7h');
});

test('without a terminal a plain line tells each ten seconds what is left and what is under way', () => {
  const { written, clock, ticks, tick, progress } = recorded(false);
  progress.plan(() => 40_000);
  progress.begin('chat.long');
  clock.ms = 4_000;
  for (const id of ['b', 'c', 'd', 'e']) progress.begin(id);
  clock.ms = 9_500;
  progress.begin('f');
  progress.exchange('b', 20, 100);
  expect(written).toEqual([]);
  tick(10_000);
  progress.exchange('f', 100, 100);
  progress.end();
  expect(ticks).toEqual([]);
  expect(written).toEqual([
    '  20 of 100 requests, about 40 s left; 5 under way, the oldest: chat.long (10 s), c (6 s), d (6 s)\n',
    '  100 of 100 requests\n',
  ]);
});

test('without a terminal a run of less than ten seconds says nothing', () => {
  const { written, clock, ticks, progress } = recorded(false);
  progress.exchange('a', 1, 2);
  clock.ms = 9_999;
  progress.exchange('b', 2, 2);
  expect(ticks.map(({ ms }) => ms)).toEqual([10_000]);
  progress.end();
  expect(written).toEqual([]);
});

test('the clock and its ticks are the process\u2019s own where none are given', () => {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const progress = createProgress({ stream, isTTY: true, colour: false });
  progress.exchange('a', 1, 4);
  progress.exchange('b', 2, 4);
  progress.end();
  expect(written).toHaveLength(2);
});

test('without a terminal a long wait is told at once, once for each reason', () => {
  const { written, clock, tick, progress } = recorded(false);
  progress.exchange('a', 0, 100);
  progress.wait(4_999, 'too short');
  progress.wait(30_000, 'HTTP 429, which may pass');
  progress.wait(20_000, 'HTTP 429, which may pass');
  clock.ms = 1_000;
  progress.wait(60_000, 'the target asks for a pause');
  tick(11_000);
  progress.wait(5_000, 'another');
  expect(written).toEqual([
    '  waiting up to 30 s (HTTP 429, which may pass)\n',
    '  waiting up to 60 s (the target asks for a pause)\n',
    '  0 of 100 requests; waiting up to 50 s (the target asks for a pause)\n',
    '  waiting up to 5 s (another)\n',
  ]);
});

test('a long wait is drawn on a terminal, however lately the line was', () => {
  const { written, progress } = recorded(true);
  progress.exchange('a', 1, 4);
  progress.wait(60_000, 'no reply \u001b[2Jbegan');
  expect(written).toHaveLength(2);
  expect(written.at(-1)).toContain('1 of 4 requests; waiting up to 60 s (no reply ‹ESC›[2Jbegan)');
});

test('the time that is left is no shorter than a rate allows', () => {
  const written: string[] = [];
  const clock = { ms: 0 };
  const progress = createProgress({
    stream: { write: (text: string) => written.push(text) },
    isTTY: true,
    colour: false,
    perMinute: 60,
    now: () => clock.ms,
    every: () => () => undefined,
  });
  clock.ms = 5_000;
  progress.exchange('a', 40, 100);
  expect(written.join('')).toContain('40 of 100 requests, about 60 s left');
});
