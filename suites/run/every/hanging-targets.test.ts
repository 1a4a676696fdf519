import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { drips, type Hang, judgedWhere, stalls, staysSilent, timeoutsIn } from '../hanging.fixture.ts';

type Hung = (upstream: IncomingMessage) => boolean;

const isRefused: Hung = ({ statusCode = 0 }) => statusCode >= 400;
const isLogin: Hung = ({ statusCode }) => statusCode === 401;

const targets: readonly (readonly [string, Hung, Hang])[] = [
  ['what must be refused stays silent', isRefused, staysSilent],
  ['refused logins alone stall', isLogin, stalls],
  ['all that is refused but for logins drips', (reply) => isRefused(reply) && !isLogin(reply), drips(' ')],
];

test.each(targets)(
  'where %s, no request is waited for the whole time after another was',
  { timeout: 240_000 },
  async (_, isHung, hang) => {
    const options = { profile: 'standard', concurrency: 8, timeoutMs: 8_000 } as const;
    const { evidence, report } = await judgedWhere(isHung, hang, options);
    const timeouts = timeoutsIn(evidence);
    const whole = timeouts.filter(({ shortened }) => shortened !== true);
    expect(whole.length).toBeGreaterThan(0);
    expect(whole.length).toBeLessThan(timeouts.length);
    const firstEnd = Math.min(...whole.map(({ startedAt, ms }) => Date.parse(startedAt) + ms));
    for (const { startedAt } of whole) expect(Date.parse(startedAt)).toBeLessThan(firstEnd);
    expect(report.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  },
);
