import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { randomOf } from '../../../fixtures/dice.ts';
import type { Evidence } from '../../types/exchange.ts';
import { drips, type Hang, judgedWhere, stalls, staysSilent, timeoutsIn } from '../hanging.fixture.ts';

const timeoutMs = 12_000;

type Hung = (upstream: IncomingMessage) => boolean;

const isRefused: Hung = ({ statusCode = 0 }) => statusCode >= 400;
const isLogin: Hung = ({ statusCode }) => statusCode === 401;

/** A part of all replies, drawn anew for each. */
function atRandom(part: number): Hung {
  const random = randomOf(1);
  return () => random() < part;
}

/** How long something was waited for in vain, in milliseconds: what is waited for side by side counts once. */
function waitedInVain(evidence: Evidence): number {
  const spans = timeoutsIn(evidence)
    .map(({ startedAt, ms }) => ({ from: Date.parse(startedAt), to: Date.parse(startedAt) + ms }))
    .sort((one, other) => one.from - other.from);
  let [sum, end] = [0, 0];
  for (const { from, to } of spans) {
    sum += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return sum;
}

/** With how many times the time of one request may be waited in vain: what hangs at random hangs behind replies, too. */
const targets: readonly (readonly [string, number, Hung, Hang])[] = [
  ['what must be refused stays silent', 2, isRefused, staysSilent],
  ['refused logins alone stall', 2, isLogin, stalls],
  ['all that is refused but for logins drips', 2, (reply) => isRefused(reply) && !isLogin(reply), drips(' ')],
  ['every third reply stays silent', 4, atRandom(1 / 3), staysSilent],
];

test.each(targets)(
  'where %s, less than %i times the time of one request is waited in vain',
  { timeout: 240_000 },
  async (_, times, isHung, hang) => {
    const options = { profile: 'standard', concurrency: 8, timeoutMs } as const;
    const { evidence, report } = await judgedWhere(isHung, hang, options);
    expect(report.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(waitedInVain(evidence)).toBeLessThan(times * timeoutMs);
  },
);
