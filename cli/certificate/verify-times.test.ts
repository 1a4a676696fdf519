import { expect, test } from 'vitest';
import type { Exchange } from '../../suites/types/exchange.ts';
import type { RecordedRun } from '../files/read-evidence.ts';
import { timeProblems } from './verify-content.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');
const at = (seconds: number): string => new Date(now + seconds * 1000).toISOString();

/** A run with one exchange of two attempts; times in seconds from now. */
const run = (from: string, to: string, asked = at(-50), ms = 1_000, waitedMs = 0): RecordedRun =>
  ({
    header: { startedAt: from },
    finishedAt: to,
    evidence: new Map([
      [
        'a',
        {
          id: 'a',
          timing: { startedAt: asked, endMs: ms },
          attempts: [{ startedAt: asked, ms, waitedMs }],
        } as unknown as Exchange,
      ],
    ]),
  }) as unknown as RecordedRun;

test.each([
  ['of a run that is over', run(at(-60), at(-10)), []],
  ['of a clock that is a little ahead', run(at(-60), at(200)), []],
  ['in the future', run(at(-60), at(400)), ['the run is in the future']],
  [
    'that end before they begin',
    run(at(-10), at(-60)),
    ['the run ends before it begins', 'exchange a is not within the time of the run'],
  ],
  ['of no calendar', run(at(-60), '2016-12-31T23:59:60Z'), ['the run has no time of the calendar']],
  ['of an exchange before the run', run(at(-40), at(-10)), ['exchange a is not within the time of the run']],
  [
    'of an exchange behind the run',
    run(at(-60), at(-10), at(-50), 60_000),
    ['exchange a is not within the time of the run'],
  ],
  [
    'of an exchange that took less than nothing',
    run(at(-60), at(-10), at(-50), -1),
    ['exchange a ends before it begins'],
  ],
  ['in another zone', run('2026-11-21T11:00:00.000+00:00', at(-10)), ['the run has no time of the calendar']],
  [
    'of a wait that began before the run',
    run(at(-60), at(-10), at(-50), 1_000, 60_000),
    ['exchange a is not within the time of the run'],
  ],
])('times %s', (_name, recorded, problems) => {
  expect(timeProblems(recorded, now)).toEqual(problems);
});

test('an attempt does not begin before the one before it ends', () => {
  const [first, second] = [at(-50), at(-45)].map((startedAt) => ({ startedAt, ms: 9_000, waitedMs: 0 }));
  const exchange = { id: 'a', timing: { startedAt: at(-45), endMs: 9_000 }, attempts: [first, second] };
  const recorded = { ...run(at(-60), at(-10)), evidence: new Map([['a', exchange as unknown as Exchange]]) };
  expect(timeProblems(recorded, now)).toEqual(['exchange a begins again before it ends']);
});
