import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';

function recorded(isTTY: boolean) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const stream = { write: (text: string) => written.push(text) };
  return { written, clock, progress: createProgress({ stream, isTTY, colour: false, now: () => clock.ms }) };
}

test('the line on a terminal has a bar and counts', () => {
  const { written, clock, progress } = recorded(true);
  progress.exchange(0, 0);
  clock.ms = 80;
  progress.exchange(1, 4);
  progress.exchange(9, 4);
  const line = (filled: number, words: string) =>
    `\r\u001b[2K\u001b[?7l${'█'.repeat(filled)}${'░'.repeat(24 - filled)} ${words}\u001b[?7h`;
  expect(written).toEqual([line(0, '0/0 exchanges'), line(6, '1/4 exchanges'), line(24, '9/4 exchanges')]);
});

test('the line on a terminal is drawn again after 80 ms, and at once when all is done', () => {
  const { written, clock, progress } = recorded(true);
  progress.exchange(1, 4);
  clock.ms = 79;
  progress.exchange(2, 4);
  expect(written).toHaveLength(1);
  progress.exchange(4, 4);
  expect(written).toHaveLength(2);
});

test('a run that sent nothing leaves nothing behind', () => {
  for (const isTTY of [true, false]) {
    const { written, progress } = recorded(isTTY);
    progress.end();
    expect(written).toEqual([]);
  }
});

test('without a terminal a line comes after five seconds, and the last where the run ends early', () => {
  const { written, clock, progress } = recorded(false);
  progress.exchange(0, 100);
  clock.ms = 5_000;
  progress.exchange(1, 100);
  progress.exchange(2, 100);
  progress.end();
  expect(written).toEqual(['1/100 exchanges\n', '2/100 exchanges\n']);
});

test('the clock is the process\u2019s own where none is given', () => {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const progress = createProgress({ stream, isTTY: true, colour: false });
  progress.exchange(1, 4);
  progress.exchange(2, 4);
  expect(written).toHaveLength(1);
});

test('without a terminal a long wait is told at once, once for each reason', () => {
  const { written, clock, progress } = recorded(false);
  progress.exchange(0, 100);
  progress.wait(4_999, 'too short');
  progress.wait(30_000, 'retryable status 429');
  progress.wait(20_000, 'retryable status 429');
  clock.ms = 1_000;
  progress.wait(60_000, 'the target asks for a pause');
  clock.ms = 5_001;
  progress.exchange(1, 100);
  clock.ms = 61_000;
  progress.exchange(2, 100);
  progress.wait(5_000, 'another');
  expect(written).toEqual([
    'waiting up to 30 s: retryable status 429\n',
    'waiting up to 60 s: the target asks for a pause\n',
    '1/100 exchanges\n',
    '2/100 exchanges\n',
    'waiting up to 5 s: another\n',
  ]);
});

test('a long wait is drawn on a terminal, however lately the line was', () => {
  const { written, progress } = recorded(true);
  progress.exchange(1, 4);
  progress.wait(60_000, 'no reply \u001b[2Jbegan');
  expect(written).toHaveLength(2);
  expect(written.at(-1)).toContain('1/4 exchanges, waiting up to 60 s (no reply ‹ESC›[2Jbegan)');
});
